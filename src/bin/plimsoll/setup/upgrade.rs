//! `plimsoll upgrade`: new programs and files for every installation of this user, while sessions run.

use super::actions::Actions;
use super::laid_files::{Changed, lay_down, take_back_others};
use super::place::Place;
use super::programs::Programs;
use super::{lock, own_files, refuse_agent, registration};
use crate::{CommandError, CommandResult};
use camino::Utf8PathBuf;
use plimsoll::app::failure::chain;
use plimsoll::app::gate::enrolment;
use plimsoll::app::gate::installed_files::Sharing;
use plimsoll::edge::config::Environment;
use plimsoll::pure::text::counted;
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

const MORE: &str = "\
Replaces the programs one by one, each whole: running sessions use the new ones from their next tool call on. Commands,
agents and skills that you changed or removed stay as they are. A checkout upgrades by `./install.sh --upgrade`.";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Upgrade {
    /// The folder with the new programs. Default: where this program lies.
    #[arg(long, value_name = "DIR")]
    from: Option<Utf8PathBuf>,
    /// Print every action, change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn upgrade(arguments: &Upgrade) -> CommandResult {
    let environment = Environment::read_at_home()?;
    let actions = Actions::new(arguments.dry_run, &environment);
    refuse_agent(&actions)?;
    let programs = Programs::from(arguments.from.as_deref())?;
    programs.check()?;
    if let (Some(from), false) = (&arguments.from, programs.has_this_program()?) {
        // The new files are inside the new program.
        let mut new = std::process::Command::new(programs.command()?);
        new.arg("upgrade").arg("--from").arg(from).args(arguments.dry_run.then_some("--dry-run"));
        return Err(new.exec().into());
    }
    let _lock = lock(&environment, &actions)?;
    programs.install(&environment.data_home, &actions)?;
    let places = Place::all(&environment)?;
    let mut failed = 0;
    for place in &places {
        if let Err(failure) = upgrade_place(place, &environment, &actions) {
            errln!("error: {}: {}", place.claude, chain(failure.as_ref()));
            failed += 1;
        }
    }
    let done = if arguments.dry_run { "would check" } else { "checked" };
    outln!("{done}: {}, version {}", counted(places.len(), "installation"), env!("CARGO_PKG_VERSION"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn upgrade_place(place: &Place, environment: &Environment, actions: &Actions) -> Result<(), CommandError> {
    if !place.claude.is_dir() {
        outln!("skipped: {} is gone", place.claude);
        return Ok(());
    }
    if !registration::is_there(place) {
        outln!("skipped: no hook is registered in {}; `plimsoll install` registers them", place.settings());
        return Ok(());
    }
    let shared = place.record.knows("plimsoll/launch");
    lay_down(place, shared, Changed::Keep, actions)?;
    registration::add(place, &registration::form(shared, &environment.data_home), actions)?;
    take_back_others(place, shared, actions)?;
    let (Some(project), Some(workspace)) = (&place.project, place.workspace()?) else { return Ok(()) };
    let sharing = if shared { Sharing::Committed } else { Sharing::Private };
    own_files::keep_out(place, project, &workspace, sharing, actions)?;
    match workspace.enrolment()? {
        Some(_) => actions.quietly("update the pre-push hook", || enrolment::enrol(&workspace).map(drop)),
        None => Ok(()),
    }
}
