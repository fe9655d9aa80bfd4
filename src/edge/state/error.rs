//! Errors of stored state. Every variant names the file.

use camino::Utf8PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {path}")]
    Read { path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot write {path}")]
    Write { path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot lock {path}: another Plimsoll process has held it for too long")]
    Busy { path: Utf8PathBuf },
    #[error("{path} was damaged; it is kept as {kept}")]
    Corrupt { path: Utf8PathBuf, kept: Utf8PathBuf, source: serde_json::Error },
    #[error("{path} is damaged; nothing is decided without it")]
    Damaged { path: Utf8PathBuf, source: serde_json::Error },
    #[error("{path} was edited after Plimsoll wrote it; nothing is decided by it")]
    Edited { path: Utf8PathBuf },
    #[error(
        "{path} was written by a newer Plimsoll (version {found}, this one knows {known}); update Plimsoll"
    )]
    Newer { path: Utf8PathBuf, found: u64, known: u64 },
    #[error(
        "{repository} was enrolled, but {path} does not list it (was it moved or copied?); `plimsoll enrol` enrols it again, \
         `plimsoll enrol --remove` removes it"
    )]
    Unrecorded { repository: Utf8PathBuf, path: Utf8PathBuf },
    #[error(
        "the seal key {path} {problem}; in a terminal `plimsoll gate new-key` makes a new one, after which everything has to \
         be reviewed again"
    )]
    Key { path: Utf8PathBuf, problem: String },
    #[error("{path} is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
}

impl Error {
    pub(super) fn read(path: &camino::Utf8Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }

    pub(super) fn write(path: &camino::Utf8Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }

    pub(super) fn encode(path: &camino::Utf8Path) -> impl FnOnce(serde_json::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Write { path, source: error.into() }
    }
}
