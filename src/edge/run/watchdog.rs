//! Ends a child's process group if this program goes first: an interrupt reaches only the terminal's own group, and nobody
//! answers a kill or a crash.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Waits for a line that releases it. If its input ends without that line, our process has died.
const SCRIPT: &str = "trap '' TERM INT HUP; read -r released || { kill -s TERM 0; sleep 2; kill -s KILL 0; }";

/// Leads the group that the child is started in, so that no moment passes in which the child runs unwatched.
pub(super) struct Watchdog {
    child: Child,
    leash: Option<PipeWriter>,
}

impl Watchdog {
    pub(super) fn start() -> io::Result<Self> {
        let (reader, leash) = io::pipe()?;
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .process_group(0)
            .stdin(reader)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { child, leash: Some(leash) })
    }

    /// Its number stays taken until this value is dropped, so that a signal to the group cannot hit a stranger.
    pub(super) fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Starts the command as a member of the group.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        command.process_group(self.group().as_raw_pid()).spawn()
    }

    pub(super) fn signal(&self, signal: Signal) {
        // An empty group is what we want.
        let _ = kill_process_group(self.group(), signal);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // The write fails if the watchdog has ended already, and then nothing is left to do.
        let _ = self.leash.take().map(|mut leash| leash.write_all(b"released\n"));
        let _ = self.child.wait();
    }
}
