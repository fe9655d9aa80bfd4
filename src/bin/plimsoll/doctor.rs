//! `plimsoll doctor`.

use crate::Failure;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode, Failure> {
    Err("not built yet".into())
}
