//! `plimsoll notify`: sends one message, in a process of its own that a hook starts.

use crate::{CommandResult, exit_code};
use plimsoll::app::notifications;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::notify::Envelope;
use std::io::Read;

const LIMIT: u64 = 64 * 1024;

pub(crate) fn run() -> CommandResult {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LIMIT).read_to_end(&mut bytes)?;
    let envelope: Envelope =
        serde_json::from_slice(&bytes).map_err(|error| format!("not a message: {error}"))?;
    let sent = notifications::send(&Workspace::here()?, envelope)?;
    Ok(exit_code(sent.iter().all(|line| line.failed.is_none())))
}
