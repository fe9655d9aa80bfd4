//! `plimsoll enrol`: enrols a repository, or removes its enrolment.

use crate::output::{Verbosity, verbosity};
use crate::{CommandResult, require_person};
use plimsoll::app::gate::enrolment;
use plimsoll::app::workspace::Workspace;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Remove the enrolment: pushes are no longer judged. For a person in a terminal.
    #[arg(long)]
    remove: bool,
    /// Do not print the explanation.
    #[arg(long, conflicts_with = "remove")]
    yes: bool,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    if arguments.remove {
        let project = workspace.shown(&workspace.project);
        require_person(&format!("This ends the enrolment of {project}: pushes are no longer judged."))?;
        enrolment::remove(&workspace)?;
        outln!("{} is no longer enrolled", workspace.shown(&workspace.project));
        return Ok(ExitCode::SUCCESS);
    }
    let hook = enrolment::enrol(&workspace)?;
    let note = enrolment::note_on_tracked_hook(&workspace, &hook);
    let [project, hook] = [&workspace.project, &hook].map(|path| workspace.shown(path));
    outln!("{project} is enrolled (pre-push hook: {hook})");
    note.iter().for_each(|note| outln!("{note}"));
    if !arguments.yes && verbosity() > Verbosity::Quiet {
        errln!(
            "The gate now judges every push: only reviewed content leaves. `plimsoll enrol --remove` removes the enrolment."
        );
    }
    Ok(ExitCode::SUCCESS)
}
