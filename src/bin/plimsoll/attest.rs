//! `plimsoll attest`: signs what a review has shown about a commit.

use crate::{CommandError, CommandResult};
use camino::Utf8PathBuf;
use plimsoll::app::attestation::{AttestRequest, attest};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::{Error, HookInvocation};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// The last published commit (all zeros: none). Default: where REV left the upstream or default branch.
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// The ssh key. Default: `attestation.key`, then git's `user.signingkey`.
    #[arg(long, value_name = "FILE")]
    key: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Arguments { revision, base, key } = arguments;
    // The key is a person's. A script of theirs may use it; the agent attests only by pushing.
    if HookInvocation::read().under_agent {
        return Err(CommandError::from(Error::NoPerson("this process was started by a coding agent")));
    }
    let attested = attest(&Workspace::here()?, &AttestRequest { revision, base, key })?;
    let base = attested.base.as_ref().map_or("an empty tree", |base| base.short());
    outln!("Attested {} against {base}. `plimsoll push` sends the attestation.", attested.commit.short());
    Ok(ExitCode::SUCCESS)
}
