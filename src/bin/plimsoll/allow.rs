//! `plimsoll allow`: lists refused steps, and lets a person have one of them asked about instead.

use crate::Failure;
use plimsoll::config::Invocation;
use plimsoll::flow::allowing::{self, Wish};
use plimsoll::flow::scene::Scene;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The id that the refusal named; without one, the refusals of the last day are listed.
    id: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    let Some(id) = arguments.id else {
        anstream::print!("{}", allowing::listing(&scene));
        return Ok(ExitCode::SUCCESS);
    };
    Invocation::read().person()?;
    match allowing::allow(&scene, &id)? {
        Wish::Granted(denial) => {
            anstream::println!(
                "The next time that exactly this {} call would be refused ({}), the client asks you instead: once, within ten minutes.",
                denial.tool,
                denial.rule
            );
            Ok(ExitCode::SUCCESS)
        }
        Wish::Refused(why) => {
            anstream::eprintln!("{why}");
            Ok(ExitCode::from(1))
        }
    }
}
