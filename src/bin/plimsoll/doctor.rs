//! `plimsoll doctor`: looks at the installation and names the command that mends each problem; changes nothing.

mod check;
mod client;
mod hooks;
mod kept;
mod repository;
mod stops;
mod version;

use crate::Failure;
use camino::Utf8PathBuf;
use check::{Check, Standing};
use plimsoll::flow::scene::Scene;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The project to look at (default: the one you are in).
    directory: Option<Utf8PathBuf>,
    /// Print the checks as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    if let Some(directory) = &arguments.directory {
        std::env::set_current_dir(directory).map_err(|error| format!("{directory}: {error}"))?;
    }
    let scene = Scene::here()?;
    let mut checks = vec![client::check(version::printed_by("claude", &scene.project).as_deref())];
    checks.extend(hooks::checks(&scene));
    checks.extend(repository::checks(&scene));
    checks.extend(stops::checks(&scene));
    checks.push(kept::check(&scene));
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&serde_json::json!({ "checks": checks }))?);
    } else {
        checks.iter().for_each(|check| println!("{check}"));
    }
    let failed = checks.iter().any(|check: &Check| check.standing == Standing::Fail);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
