//! The readable log of a session: one line per review that said something or looked at something risky, and per surprise.

use super::clock;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::hook::{Call, Input};
use crate::secret;
use crate::state;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

/// One line. It names tool, program and rule, never the input: that could hold a secret.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditLine {
    pub time: String,
    pub tool: String,
    /// Program and subcommand, for a shell command.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    pub tool_use_id: String,
    pub agent: Option<String>,
    pub answer: Answered,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    #[default]
    Silent,
    /// A rule would have spoken, but is only noted, or it said so before.
    Noted,
    Warn,
    Modify,
    Ask,
    Deny,
    /// Asked instead of denied, since a person wanted it so.
    AllowOnce,
    /// It was asked, and it ran.
    Approved,
    DeniedButRan,
    NotAsRewritten,
    #[serde(other)]
    Unknown,
}

impl AuditLine {
    pub fn new(input: &Input<'_>, call: &Call<'_>, answer: Answered) -> Self {
        Self {
            time: clock::timestamp(),
            tool: call.tool.clone(),
            tool_use_id: call.id.clone(),
            agent: input.agent_type.clone(),
            answer,
            ..Self::default()
        }
    }
}

pub fn append(lines: Vec<AuditLine>, scene: &Scene, session: &str) -> Result<(), Failure> {
    let mut text = Vec::new();
    for line in lines {
        let line = AuditLine { reason: without_secrets(line.reason), ..line };
        serde_json::to_writer(&mut text, &line)?;
        text.push(b'\n');
    }
    if text.is_empty() {
        return Ok(());
    }
    let path = scene.layout.audit(session);
    let mut file = state::without_waiting().create(true).append(true).mode(0o600).open(path)?;
    Ok(file.write_all(&text)?)
}

/// Reasons quote parts of commands.
pub fn without_secrets(reason: String) -> String {
    match secret::scan("", reason.as_bytes()).first() {
        None => reason,
        Some(found) => format!("(left out, since it quotes a secret: {})", found.rule),
    }
}
