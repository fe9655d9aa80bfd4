//! `plimsoll allow`: lists refused tool calls, and lets a person allow one of them once.

use crate::{CommandResult, require_person};
use plimsoll::app::step::allow_once::{self, AllowResult};
use plimsoll::app::workspace::Workspace;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The ID that the refusal named. Without an ID, the command lists the refusals of the last day.
    id: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let Some(id) = arguments.id else {
        out!("{}", allow_once::listing(&workspace));
        return Ok(ExitCode::SUCCESS);
    };
    require_person(&format!("This lets the refused call {id} run once, after a dialog in the client."))?;
    match allow_once::allow(&workspace, &id)? {
        AllowResult::Granted(denial) => {
            outln!(
                "Allowed once, within ten minutes: instead of refusing exactly this {} call ({}), the client asks you.",
                denial.tool,
                denial.rule
            );
            Ok(ExitCode::SUCCESS)
        }
        AllowResult::Unknown(why) => Err(why.into()),
        AllowResult::Refused(why) => {
            errln!("{why}");
            Ok(ExitCode::FAILURE)
        }
    }
}
