//! The arguments, standard input and standard output of this program, and its own path.

use super::surroundings::leads_nowhere;
use camino::Utf8PathBuf;
use std::io::{self, Read, Write};

/// Without the program's name; what is not text is replaced.
pub(crate) fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// At most `limit` bytes; an error if there are more.
pub(crate) fn read_stdin(limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(8 * 1024);
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("standard input holds more than {} MiB", limit >> 20))),
        false => Ok(bytes),
    }
}

/// One write, so that a reader never gets half a line. False if standard output was closed and so reaches nobody.
pub(crate) fn write_stdout(line: &str) -> io::Result<bool> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(format!("{line}\n").as_bytes())?;
    stdout.flush()?;
    Ok(!leads_nowhere(&stdout))
}

pub(crate) fn exit(code: u8) -> ! {
    std::process::exit(code.into())
}

/// The path of this program.
pub(crate) fn own_program() -> io::Result<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(std::env::current_exe()?)
        .map_err(|_| io::Error::other("the path of this program is not valid UTF-8"))
}

pub(crate) fn current_directory() -> io::Result<Utf8PathBuf> {
    let here = std::env::current_dir().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::other("the current directory was deleted: change to another one")
        }
        _ => error,
    })?;
    Utf8PathBuf::from_path_buf(here)
        .map_err(|path| io::Error::other(format!("the path {} is not valid UTF-8", path.display())))
}
