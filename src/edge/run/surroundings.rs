//! What this process was given by whoever started it: a limit on files, a place for its answer.

use rustix::fs::{FileType, fstat, makedev};
use rustix::process::{Resource, getrlimit};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Where files may not grow beyond a size, the signal that says so would end this process without an answer. It is
/// started anew with that signal ignored and `mark` as its argument: only a shell can arrange that safely. Comes back with
/// an error where there is no shell.
pub(crate) fn start_anew_where_writing_kills(mark: &str) -> io::Result<()> {
    if getrlimit(Resource::Fsize).current.is_none() {
        return Ok(());
    }
    let program = std::env::current_exe()?;
    let ignoring = "trap '' XFSZ; exec \"$0\" \"$@\"";
    Err(Command::new("/bin/sh").args(["-c", ignoring]).arg(program).arg(mark).exec())
}

/// Whether what is written there reaches nobody.
pub(crate) fn leads_nowhere(output: &impl AsFd) -> bool {
    let null = makedev(1, 3);
    fstat(output).is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::CharacterDevice && found.st_rdev == null
    })
}
