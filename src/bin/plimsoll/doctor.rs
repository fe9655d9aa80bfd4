//! `plimsoll doctor`: looks at the installation and names the command that mends each problem; changes nothing.

mod check;
mod client;
mod hooks;
mod machine;
mod repository;

use crate::Failure;
use camino::Utf8PathBuf;
use check::{Check, Standing};
use machine::Machine;
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
    let machine = Machine::look(arguments.directory)?;
    let mut checks = vec![client::check(machine.ask("claude", &["--version"]).as_deref())];
    checks.extend(hooks::checks(&machine));
    checks.extend(repository::checks(&machine));
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&serde_json::json!({ "checks": checks }))?);
    } else {
        checks.iter().for_each(|check| println!("{check}"));
    }
    let failed = checks.iter().any(|check: &Check| check.standing == Standing::Fail);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
