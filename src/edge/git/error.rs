//! Errors of calls to git. Each one means that nothing is known.

use camino::Utf8PathBuf;
use std::io;

pub(crate) type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("could not start git in {directory}; is it installed and on PATH?")]
    Start { directory: String, source: io::Error },

    #[error("lost the connection to `git {command}`")]
    Pipe { command: String, source: io::Error },

    #[error("`git {command}` failed with {status}: {stderr}")]
    Failed { command: String, status: String, stderr: String },

    #[error("`git {command}` would wait forever: {path} is a pipe")]
    WouldWait { command: String, path: Utf8PathBuf },

    #[error("`git {command}` did not finish within {seconds} seconds")]
    Deadline { command: String, seconds: u64 },

    #[error("`git {command}` printed more than {limit} bytes")]
    TooMuch { command: String, limit: usize },

    #[error("`git {command}` printed something unexpected")]
    Unexpected { command: String },
}

impl Error {
    pub(crate) fn unexpected(command: &str) -> Self {
        Self::Unexpected { command: command.into() }
    }
}
