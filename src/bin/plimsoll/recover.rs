//! `plimsoll recover`: how a stopped project stands, and a person's choice how it goes on.

use crate::Failure;
use camino::Utf8PathBuf;
use plimsoll::config::Invocation;
use plimsoll::flow::recovering::{By, Choice, decide, granted, status};
use plimsoll::flow::scene::Scene;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// resume_with_limits, rollback_and_retry, manual_intervention or abort; without one, how things stand.
    option: Option<String>,
    /// Back to normal, after one of the options.
    #[arg(long, conflicts_with = "option")]
    end: bool,
    /// The project (default: the one you are in).
    #[arg(long, value_name = "DIR")]
    project: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    if let Some(directory) = &arguments.project {
        std::env::set_current_dir(directory).map_err(|error| format!("{directory}: {error}"))?;
    }
    let scene = Scene::here()?;
    let choice = match (&arguments.option, arguments.end) {
        (None, false) => {
            anstream::print!("{}", status(&scene));
            return Ok(ExitCode::SUCCESS);
        }
        (None, true) => Choice::End,
        (Some(name), _) => Choice::parse(name).ok_or_else(|| {
            let names = Choice::ALL.map(Choice::name).join(", ");
            format!("there is no option {name}; choose one of {names}")
        })?,
    };
    let by = person(&scene, choice)?;
    anstream::println!("{}", decide(&scene, choice, by)?);
    Ok(ExitCode::SUCCESS)
}

/// A token that a dialog gave, or somebody at a terminal.
fn person(scene: &Scene, choice: Choice) -> Result<By, Failure> {
    let invocation = Invocation::read();
    match &invocation.grant {
        Some(token) if granted(scene, token, choice)? => Ok(By::Dialog),
        Some(_) => Err(format!(
            "the approval does not hold for this: it was used already, came too late, or was given for something else. Type {} \
             again",
            scene.command("recover")
        )
        .into()),
        None => {
            invocation.person()?;
            Ok(By::Terminal)
        }
    }
}
