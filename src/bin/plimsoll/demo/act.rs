//! One action in the demo.

use super::stage::{DemoOutput, DemoStage, FILE};
use crate::CommandError;
use serde_json::json;
use std::fmt;

pub(super) enum DemoAct {
    /// The person types a prompt; the hook of that name answers.
    Types {
        hook: &'static str,
        prompt: &'static str,
    },
    /// The agent requests a command; `pre-tool-use` answers, and nothing runs.
    Wants(&'static str),
    Plimsoll(&'static [&'static str]),
    Git(&'static [&'static str]),
    /// Writes this content to the file.
    Writes(&'static str),
    /// Checks whether the last commit is on the remote.
    LooksAtRemote,
}

impl DemoAct {
    pub(super) fn perform(&self, number: usize, stage: &DemoStage) -> Result<DemoOutput, CommandError> {
        let event = |name: &str, rest: serde_json::Value| {
            let mut event = json!({
                "session_id": "demo",
                "prompt_id": format!("prompt-{number}"),
                "cwd": stage.project(),
                "hook_event_name": name,
            });
            if let (Some(event), serde_json::Value::Object(rest)) = (event.as_object_mut(), rest) {
                event.extend(rest);
            }
            event.to_string()
        };
        match self {
            Self::Types { hook, prompt } => {
                stage.hook(hook, &event("UserPromptSubmit", json!({ "prompt": prompt })))
            }
            Self::Wants(command) => {
                let call = json!({
                    "tool_name": "Bash",
                    "tool_input": { "command": command },
                    "tool_use_id": format!("call-{number}"),
                });
                stage.hook("pre-tool-use", &event("PreToolUse", call))
            }
            Self::Plimsoll(arguments) => stage.plimsoll(arguments),
            Self::Git(arguments) => stage.git(arguments),
            Self::Writes(text) => stage.write(text),
            Self::LooksAtRemote => stage.arrival(),
        }
    }
}

impl fmt::Display for DemoAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Types { hook, prompt } => write!(f, "you type   {prompt}   ({hook} answers)"),
            Self::Wants(command) => {
                write!(f, "agent wants   {command}   (pre-tool-use answers, nothing runs)")
            }
            Self::Plimsoll(arguments) => write!(f, "$ plimsoll {}", arguments.join(" ")),
            Self::Git(arguments) => write!(f, "$ git {}", arguments.join(" ")),
            Self::Writes(text) => write!(f, "$ printf '{}' > {FILE}", text.escape_default()),
            Self::LooksAtRemote => f.write_str("is HEAD on the remote?"),
        }
    }
}
