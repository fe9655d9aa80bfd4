//! `plimsoll notify`: the process that a hook leaves behind to send a message.

use crate::Failure;
use plimsoll::flow::notifying;
use plimsoll::flow::scene::Scene;
use plimsoll::notify::Envelope;
use std::io::Read;
use std::process::ExitCode;

const LIMIT: u64 = 64 * 1024;

pub(crate) fn run() -> Result<ExitCode, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LIMIT).read_to_end(&mut bytes)?;
    let envelope: Envelope =
        serde_json::from_slice(&bytes).map_err(|error| format!("this is no message: {error}"))?;
    let sent = notifying::send(&Scene::here()?, envelope)?;
    let failed = sent.iter().any(|line| line.failed.is_some());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
