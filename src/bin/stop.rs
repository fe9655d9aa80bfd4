//! Stop, SubagentStop: the end of a turn.

use plimsoll::flow::{serve, session};
use plimsoll::hook::Hook;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    serve::serve(Hook::Stop, session::stop)
}
