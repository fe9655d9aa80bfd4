//! Edge: child processes with a deadline, a process group of their own and drained pipes.
