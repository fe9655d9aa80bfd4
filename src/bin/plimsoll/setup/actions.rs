//! One action of the installer after the other: carried out and printed, or in a dry run only printed.

use crate::CommandError;
use crate::output::{Verbosity, verbosity};
use camino::Utf8PathBuf;
use plimsoll::edge::config::Environment;
use plimsoll::pure::text::with_home;
use std::cell::Cell;
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
    home: String,
    /// Actions of a group that were carried out and not printed.
    grouped: Cell<usize>,
}

impl Actions {
    pub(crate) fn new(dry_run: bool, environment: &Environment) -> Self {
        Self { dry_run, home: environment.home.to_string(), grouped: Cell::new(0) }
    }

    /// Prints a line, with `~` for the home directory.
    pub(crate) fn print(&self, line: &str) {
        outln!("{}", with_home(line, &self.home));
    }

    /// Carries the action out and prints it, or prints that it would.
    pub(crate) fn act(
        &self,
        action: &str,
        carry_out: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        if self.dry_run {
            self.print(&format!("would {action}"));
            return Ok(());
        }
        carry_out().map_err(|source| Error::Action { action: action.to_owned(), source })?;
        if verbosity() > Verbosity::Quiet {
            self.print(action);
        }
        Ok(())
    }

    /// The same for one of many actions. `finish_group` prints them in one line, unless each is printed.
    pub(crate) fn act_in_group(
        &self,
        action: &str,
        carry_out: impl FnOnce() -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        if self.dry_run || verbosity() == Verbosity::Verbose {
            return self.act(action, carry_out);
        }
        self.quietly(action, carry_out)?;
        self.grouped.set(self.grouped.get() + 1);
        Ok(())
    }

    /// Prints how many actions of the group were carried out, if any.
    pub(crate) fn finish_group(&self, line: impl FnOnce(usize) -> String) {
        let count = self.grouped.take();
        if count > 0 && verbosity() > Verbosity::Quiet {
            self.print(&line(count));
        }
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
