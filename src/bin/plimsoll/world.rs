//! Runs this command a second time inside a sample world, where it sees nothing of the real user.

use crate::CommandResult;
use plimsoll::app::lab::sample_world::SampleWorld;
use plimsoll::edge::config::Environment;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The variables that the second run inherits: to find git, and to print.
const KEPT: [&str; 6] = ["PATH", "TERM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

/// Runs the same arguments with `--world` behind the name of the subcommand.
pub(crate) fn run_inside(subcommand: &str) -> CommandResult {
    let world = SampleWorld::build(&Environment::read()?)?;
    let kept = Environment::variables().into_iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Options of every command may stand before it.
    let at = arguments.iter().position(|one| one == subcommand).map_or(0, |at| at + 1);
    let (before, after) = arguments.split_at_checked(at).unwrap_or((&arguments, &[]));
    let status = Command::new(std::env::current_exe()?)
        .args(before)
        .arg("--world")
        .arg(world.root())
        .args(after)
        .env_clear()
        .envs(kept)
        .envs(world.variables())
        .status()?;
    world.end()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map(ExitCode::from).ok_or_else(|| "the run inside the sample world was killed".into())
}
