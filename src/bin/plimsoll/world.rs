//! Runs this command a second time inside a sample world, where it sees nothing of the real user.

use crate::Failure;
use plimsoll::config::Environment;
use plimsoll::flow::sample_world::SampleWorld;
use std::process::{Command, ExitCode};

/// What the second run may inherit: how to find git, and how to print.
const KEPT: [&str; 6] = ["PATH", "TERM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

/// The same arguments again, with the world named behind the subcommand.
pub(crate) fn run_inside() -> Result<ExitCode, Failure> {
    let world = SampleWorld::build(&Environment::read()?)?;
    let kept = Environment::variables().into_iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
    let mut arguments = std::env::args_os().skip(1);
    let status = Command::new(std::env::current_exe()?)
        .args(arguments.next())
        .arg("--world")
        .arg(world.root())
        .args(arguments)
        .env_clear()
        .envs(kept)
        .envs(world.variables())
        .status()?;
    world.end()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map(ExitCode::from).ok_or_else(|| "the review stopped before it was done".into())
}
