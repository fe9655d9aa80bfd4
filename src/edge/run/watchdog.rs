//! Ends a child's process group if this program goes first: an interrupt reaches only the terminal's own group, and nobody
//! answers a kill or a crash.

use rustix::process::Pid;
use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Told the group, then that all is well. The end of its input without that means that we are gone.
const SCRIPT: &str = "read -r group && { read -r released || { kill -s TERM -- \"-$group\"; sleep 2; kill -s KILL -- \"-$group\"; }; }";

pub(super) struct Watchdog {
    child: Child,
    leash: Option<PipeWriter>,
    watching: bool,
}

impl Watchdog {
    /// In a group of its own, so that an interrupt does not end it too.
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
        Ok(Self { child, leash: Some(leash), watching: false })
    }

    pub(super) fn watch(&mut self, group: Pid) -> io::Result<()> {
        self.watching = true;
        self.tell(&format!("{}\n", group.as_raw_nonzero()))
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.leash.as_mut().map_or(Ok(()), |leash| leash.write_all(line.as_bytes()))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // One that was never given a group would take this for its name, and wait before it ends that.
        if self.watching {
            // A watchdog that is gone already has nothing left to do.
            let _ = self.tell("released\n");
        }
        self.leash = None;
        let _ = self.child.wait();
    }
}
