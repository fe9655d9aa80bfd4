//! What can go wrong with the store. Every one of these means: no checkpoint, or nothing restored.

use std::io;
use std::path::Path;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {path}")]
    Read { path: String, source: io::Error },
    #[error("cannot write {path}")]
    Write { path: String, source: io::Error },
    #[error("could not start git; is it installed and on PATH?")]
    Start { source: io::Error },
    #[error("`git {command}` failed in the store of checkpoints: {said}")]
    Git { command: &'static str, said: String },
    #[error("`git {command}` took too long and was ended")]
    Deadline { command: &'static str },
    #[error("there was not enough time to look at all files")]
    OutOfTime,
    #[error("`git {command}` printed something unexpected")]
    Unexpected { command: &'static str },
    #[error(
        "this project has more than {limit} files that git does not ignore; no checkpoint is taken of so many"
    )]
    TooManyFiles { limit: usize },
}

impl Error {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Read { path, source }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Write { path, source }
    }
}
