//! Errors of the store. Each one means: no checkpoint, or nothing restored.

use crate::edge::git;
use crate::pure::review::ObjectId;
use std::io;
use std::path::Path;

pub(crate) type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {path}")]
    Read { path: String, source: io::Error },
    #[error("cannot write {path}")]
    Write { path: String, source: io::Error },
    #[error(transparent)]
    Git(#[from] git::Error),
    #[error("{id} could not be read from the store of checkpoints")]
    Blob { id: ObjectId, source: git::Error },
    #[error("there was not enough time to look at all files")]
    OutOfTime,
    #[error(
        "this project has more than {limit} files that git does not ignore; no checkpoint is taken of so many"
    )]
    TooManyFiles { limit: usize },
}

impl Error {
    pub(super) fn unexpected(command: &str) -> Self {
        git::Error::unexpected(command).into()
    }

    pub(super) fn lost(command: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| git::Error::Pipe { command: command.into(), source }.into()
    }

    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Read { path, source }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Write { path, source }
    }
}
