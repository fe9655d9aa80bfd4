//! Properties that the starter of this process set: a limit on file sizes, standard output.

use rustix::fs::{FileType, fstat, makedev};
use rustix::process::{Resource, getrlimit};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Under a limit on file sizes, the signal for a file that grows too large would end this process without an answer. So
/// the process restarts through a shell that ignores the signal, with `mark` as its argument: only a shell can arrange that
/// safely. Returns an error if there is no shell.
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
