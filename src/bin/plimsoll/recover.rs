//! `plimsoll recover`: shows the state of a stopped project, and takes a person's recovery choice.

use crate::{CommandError, CommandResult, enter, require_person};
use camino::Utf8PathBuf;
use plimsoll::app::failure::Refused;
use plimsoll::app::monitor::recovery::{DecisionSource, RecoveryChoice, decide, is_granted, status};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::HookInvocation;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How to continue: resume_with_limits, rollback_and_retry, manual_intervention or abort. Default: show the stop.
    #[arg(value_name = "CHOICE")]
    option: Option<String>,
    /// End the recovery and remove its limits.
    #[arg(long, conflicts_with = "option")]
    end: bool,
    /// Project directory. Default: the current project.
    #[arg(long, value_name = "DIR")]
    project: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    enter(arguments.project.as_ref())?;
    let workspace = Workspace::here()?;
    let choice = match (&arguments.option, arguments.end) {
        (None, false) => {
            out!("{}", status(&workspace));
            return Ok(ExitCode::SUCCESS);
        }
        (None, true) => RecoveryChoice::End,
        (Some(name), _) => RecoveryChoice::parse(name).ok_or_else(|| {
            let names = RecoveryChoice::ALL.map(RecoveryChoice::name).join(", ");
            format!("unknown choice {name}; use one of {names}")
        })?,
    };
    let by = person(&workspace, choice)?;
    outln!("{}", decide(&workspace, choice, by)?);
    Ok(ExitCode::SUCCESS)
}

/// Accepts the token of a dialog, or a person at a terminal.
fn person(workspace: &Workspace, choice: RecoveryChoice) -> Result<DecisionSource, CommandError> {
    let invocation = HookInvocation::read();
    match &invocation.grant {
        Some(token) if is_granted(workspace, token, choice)? => Ok(DecisionSource::Dialog),
        Some(_) => Err(Refused(format!(
            "the grant is not valid: it was used, has expired, or is for another choice. Type {} again",
            workspace.command("recover")
        ))
        .into()),
        None => {
            let project = workspace.shown(&workspace.project);
            require_person(&format!("This decides how {project} continues: {}.", choice.name()))?;
            Ok(DecisionSource::Terminal)
        }
    }
}
