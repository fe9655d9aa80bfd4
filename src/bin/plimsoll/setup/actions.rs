//! One action of the installer after the other: carried out and printed, or in a dry run only printed.

use crate::CommandError;
use camino::Utf8PathBuf;
use std::error::Error as StdError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("could not {action}; fix the cause and run the same command again")]
    Action {
        action: String,
        #[source]
        source: Box<dyn StdError>,
    },
    #[error("{0} is not a directory")]
    NotADirectory(Utf8PathBuf),
    #[error("the home directory is not a project: use --user")]
    HomeIsNoProject,
    #[error("{0} has a line break in its name: Plimsoll cannot be installed there")]
    LineBreak(Utf8PathBuf),
    #[error(
        "{program} is not in {folder}: run install.sh without --no-build, or name the folder with --from"
    )]
    MissingProgram { program: &'static str, folder: Utf8PathBuf },
    #[error("{0} is already there: move it away and run the same command again")]
    BackupExists(Utf8PathBuf),
}

pub(crate) struct Actions {
    pub(crate) dry_run: bool,
}

impl Actions {
    /// Carries the action out and prints it, or prints that it would.
    pub(crate) fn act(
        &self,
        action: &str,
        carry_out: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        if self.dry_run {
            outln!("would {action}");
            return Ok(());
        }
        carry_out().map_err(|source| Error::Action { action: action.to_owned(), source })?;
        outln!("{action}");
        Ok(())
    }

    /// Carries the action out without a word, and not in a dry run.
    pub(crate) fn quietly(
        &self,
        action: &str,
        carry_out: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        if self.dry_run {
            return Ok(());
        }
        Ok(carry_out().map_err(|source| Error::Action { action: action.to_owned(), source })?)
    }
}
