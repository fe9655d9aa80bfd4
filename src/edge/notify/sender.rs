//! Starts the process that sends: on its own, with nothing of ours to hold on to, so that nobody waits for it.

use super::message::Envelope;
use camino::{Utf8Path, Utf8PathBuf};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// The command lies beside a program of ours, or in `bin` beside its folder.
pub(crate) fn program_beside(own: &Utf8Path) -> Option<Utf8PathBuf> {
    let in_bin = own.parent().map(|folder| folder.with_file_name("bin").join("plimsoll"));
    [Some(own.with_file_name("plimsoll")), in_bin].into_iter().flatten().find(|program| program.is_file())
}

/// Returns as soon as the process has started and has its message.
pub(crate) fn start(program: &Utf8Path, project: &Utf8Path, envelope: &Envelope) -> io::Result<()> {
    let bytes = serde_json::to_vec(envelope)?;
    let (reader, mut writer) = io::pipe()?;
    let child = Command::new(program)
        .arg("notify")
        .current_dir(project)
        .process_group(0)
        .stdin(reader)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // Reaped by whoever inherits it: this process ends long before.
    std::mem::forget(child);
    // Smaller than what a pipe holds, so that it does not matter when the other side reads.
    writer.write_all(&bytes)
}
