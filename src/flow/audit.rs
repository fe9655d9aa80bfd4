//! The readable log of a session: one line per review that said something or looked at something risky, and per surprise.

use super::clock;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::hook::{Call, Input};
use crate::secret::{Redacted, Secrets};
use crate::state;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line. It names tool, program and rule, never the input: that could hold a secret.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditLine {
    pub time: String,
    pub tool: String,
    /// Program and subcommand, for a shell command.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub what: Redacted,
    pub tool_use_id: String,
    pub agent: Option<String>,
    pub answer: Answered,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Redacted,
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

/// The secrets in the input of a call: what is said about it quotes pieces.
pub fn secrets_of(call: &Call<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    let mut waiting: Vec<Value> = serde_json::from_str(call.input.get()).into_iter().collect();
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => secrets.add(&text),
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => waiting.extend(fields.into_iter().map(|(_, field)| field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    secrets
}

pub fn append(lines: &[AuditLine], scene: &Scene, session: &str) -> Result<(), Failure> {
    Ok(state::append_json(&scene.layout.audit(session), lines)?)
}
