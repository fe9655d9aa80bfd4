//! `plimsoll background`: the process that a hook leaves behind to capture the project and to tidy up.

use crate::Failure;
use plimsoll::flow::checkpoints::background;
use plimsoll::flow::scene::Scene;
use plimsoll::run::lower_priority;
use std::process::ExitCode;

pub(crate) fn run() -> Result<ExitCode, Failure> {
    lower_priority();
    background::run(&Scene::here()?)?;
    Ok(ExitCode::SUCCESS)
}
