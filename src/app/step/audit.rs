//! The readable log of a project: one line for every step review, and one for what happened otherwise than answered.

use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{AuditLog, RecordRemark};
use crate::pure::client::ToolCall;
use crate::pure::secret::{Redacted, Secrets};
use crate::pure::step::{ActionScope, ActionType, Decision};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::mem::ManuallyDrop;

/// One line: a step review, or what became of the call afterwards. It quotes the call only shortened and redacted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditLine {
    pub time: String,
    pub session: String,
    /// The type of the agent; `None` for the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    pub tool: String,
    pub tool_use_id: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ActionType>,
    /// The command, file, address or name that the call is about, shortened.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub what: Redacted,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub intent: Redacted,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<ActionScope>,
    pub answer: AuditWord,
    /// The rule that the answer rests on.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// The words of the answer.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Redacted,
    /// Decisions of rules that are not enforced here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub noted: Vec<NotedRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationality: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The course by risk and rationality alone: allow, warn, modify or block.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub matrix: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub side_effects: Vec<LoggedSideEffect>,
    /// How long the review took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<u64>,
}

/// The decision that a rule would have made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NotedRule {
    pub rule: String,
    pub decision: Decision,
    pub reason: Redacted,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoggedSideEffect {
    pub kind: String,
    pub target: Redacted,
    pub reversible: bool,
    pub severity: String,
}

/// The event that a log line is about: the decision, or a remark on it or on what followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "&'static str")]
pub enum AuditWord {
    Decided(Decision),
    Remarked(RecordRemark),
    /// Of another version.
    Unknown,
}

/// The words in the file.
const WORDS: [(&str, AuditWord); 10] = [
    ("silent", AuditWord::Decided(Decision::Silent)),
    ("warn", AuditWord::Decided(Decision::Warn)),
    ("modify", AuditWord::Decided(Decision::Rewrite)),
    ("ask", AuditWord::Decided(Decision::Ask)),
    ("deny", AuditWord::Decided(Decision::Deny)),
    ("noted", AuditWord::Remarked(RecordRemark::Noted)),
    ("allow_once", AuditWord::Remarked(RecordRemark::AllowedOnce)),
    ("approved", AuditWord::Remarked(RecordRemark::Approved)),
    ("denied_but_ran", AuditWord::Remarked(RecordRemark::DeniedButRan)),
    ("not_as_rewritten", AuditWord::Remarked(RecordRemark::NotAsRewritten)),
];

impl Default for AuditWord {
    fn default() -> Self {
        Self::Decided(Decision::Silent)
    }
}

impl From<String> for AuditWord {
    fn from(text: String) -> Self {
        WORDS.into_iter().find(|(word, _)| *word == text).map_or(Self::Unknown, |(_, answer)| answer)
    }
}

impl From<AuditWord> for &'static str {
    fn from(answer: AuditWord) -> Self {
        answer.as_str()
    }
}

impl AuditWord {
    pub fn as_str(self) -> &'static str {
        WORDS.into_iter().find(|(_, known)| *known == self).map_or("unknown", |(word, _)| word)
    }
}

impl AuditLine {
    pub(crate) fn new(event: ToolEvent<'_>, answer: AuditWord) -> Self {
        Self {
            time: clock::timestamp(),
            session: event.input.session_id.clone(),
            tool: event.call.tool.clone(),
            tool_use_id: event.call.id.clone(),
            agent: event.input.agent_type.clone(),
            answer,
            ..Self::default()
        }
    }
}

/// The secrets in the input of a call: what is said about it quotes pieces.
pub(crate) fn secrets_of(call: &ToolCall<'_>) -> Secrets {
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

pub(crate) fn append(event: ToolEvent<'_>, line: AuditLine) -> Result<(), Failure> {
    // Never dropped: a hook ends right after this.
    let lines = ManuallyDrop::new([line]);
    Ok(AuditLog::append(&event.workspace.layout, &*lines)?)
}

/// The lines added to the project's log since `log` was read.
#[cfg(feature = "cli")]
pub(crate) fn newer(
    workspace: &Workspace,
    log: &AuditLog<AuditLine>,
) -> Result<AuditLog<AuditLine>, Failure> {
    Ok(log.newer(&workspace.layout)?)
}

/// The log of the project, the oldest line first; of one session where that is asked for.
pub fn read(workspace: &Workspace, session: Option<&str>) -> Result<AuditLog<AuditLine>, Failure> {
    let mut log = AuditLog::<AuditLine>::read(&workspace.layout)?;
    if let Some(session) = session {
        log.lines.retain(|line| line.session == session);
    }
    Ok(log)
}
