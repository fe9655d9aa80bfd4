//! A process that goes on when this one has ended: in a group of its own, with nothing of ours to hold on to.

use camino::Utf8Path;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Returns as soon as the process has started.
pub(crate) fn start_detached(program: &Utf8Path, arguments: &[&str], directory: &Utf8Path) -> io::Result<()> {
    let child = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // Reaped by whoever inherits it: this process ends long before.
    std::mem::forget(child);
    Ok(())
}

/// From now on everybody else's work comes first.
pub fn lower_priority() {
    // One that may not be lowered works on as it is.
    let _ = rustix::process::nice(5);
}
