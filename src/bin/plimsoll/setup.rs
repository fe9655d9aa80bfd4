//! `plimsoll install`, `uninstall` and `upgrade`: programs, files in `.claude`, registered hooks, and the gate.
//!
//! Every step can be repeated: an interrupted run is finished by the next one.

mod actions;
mod backup;
mod carried;
mod choice;
mod install;
mod laid_files;
mod link;
mod managed;
mod own_files;
mod place;
mod programs;
mod record;
mod registration;
pub(crate) mod settings_file;
mod status_line;
mod uninstall;
mod upgrade;
pub(crate) mod whole_file;

pub(crate) use install::{Install, install};
pub(crate) use uninstall::{Uninstall, uninstall};
pub(crate) use upgrade::{Upgrade, upgrade};

use crate::CommandError;
use actions::Actions;
use plimsoll::app::presence;
use plimsoll::edge::config::Environment;
use plimsoll::edge::state::{self, Lock};
use std::time::Duration;

/// Keeps two runs apart; a dry run writes nothing, not even a lock.
fn lock(environment: &Environment, actions: &Actions) -> Result<Option<Lock>, CommandError> {
    // The other run may be checking its result, for which it starts every program.
    const PATIENCE: Duration = Duration::from_secs(120);
    if actions.dry_run {
        return Ok(None);
    }
    let path = environment.data_home.join("install.lock");
    match Lock::acquire_within(&path, PATIENCE)? {
        None => Err(state::Error::Busy { path }.into()),
        lock => Ok(lock),
    }
}

/// An agent may not replace or remove the programs that judge it.
fn refuse_agent(actions: &Actions) -> Result<(), CommandError> {
    if actions.dry_run { Ok(()) } else { presence::no_agent() }
}
