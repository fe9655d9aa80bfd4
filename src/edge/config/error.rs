//! Errors between a configuration file and the settings.

use super::problem::ConfigProblem;
use crate::pure::policy;
use camino::Utf8PathBuf;
use std::io;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("HOME is not set to an absolute path, so there is no place for configuration and trust")]
    NoHome,
    #[error("the home directory {0} does not exist")]
    MissingHome(Utf8PathBuf),
    #[error("{0}; a person has to do this in a terminal of their own")]
    NoPerson(&'static str),
    #[error("cannot read {path}")]
    Unreadable {
        path: Utf8PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{path} is not a regular file")]
    NotAFile { path: Utf8PathBuf },
    #[error("{path} is not UTF-8 text")]
    NotText { path: Utf8PathBuf },
    #[error("{path} is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
    #[error("{}", summary(.0))]
    Invalid(Vec<ConfigProblem>),
    #[error("cannot merge the configuration")]
    Unmergeable(#[source] policy::Error),
    #[error("cannot write {path}")]
    Unwritable {
        path: Utf8PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{path} exists already and is left as it is")]
    Exists { path: Utf8PathBuf },
}

fn summary(problems: &[ConfigProblem]) -> String {
    match problems {
        [] => "the configuration is invalid".to_owned(),
        [only] => only.to_string(),
        [first, others @ ..] => format!("{first} (and {} more; see `plimsoll config check`)", others.len()),
    }
}
