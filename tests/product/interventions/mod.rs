//! The watch over a session through the real hooks: what the agent is told, what is refused, and when it is stopped.

mod checkpoints;
mod claims;
mod ladder;
mod limits;
mod observing;
mod strategies;

use crate::answer::Answer;
use crate::context::TestContext;
use serde_json::{Value, json};
use std::cell::Cell;

/// An agent at work: each call goes through the hooks before and after it, as in the client.
pub(crate) struct Agent<'a> {
    pub(crate) context: &'a TestContext,
    id: Option<&'static str>,
    calls: Cell<u32>,
}

/// What the hooks said before and after one call; `after` is missing if it was not let run.
pub(crate) struct Said {
    pub(crate) before: Answer,
    pub(crate) after: Option<Answer>,
}

impl Said {
    /// Everything that the model is told.
    pub(crate) fn told(&self) -> String {
        let after = self.after.as_ref().map(Answer::context).unwrap_or_default();
        format!("{}{}{after}", self.before.reason(), self.before.context())
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.before.is_silent() && self.after.as_ref().is_none_or(Answer::is_silent)
    }
}

impl<'a> Agent<'a> {
    pub(crate) fn new(context: &'a TestContext) -> Self {
        Self { context, id: None, calls: Cell::new(0) }
    }

    pub(crate) fn sub_agent(context: &'a TestContext, id: &'static str) -> Self {
        Self { context, id: Some(id), calls: Cell::new(0) }
    }

    /// A call that the client then runs, unless it is refused or nobody is there to be asked.
    pub(crate) fn calls(&self, tool: &str, input: Value, result: Result<&str, &str>) -> Said {
        self.calls.set(self.calls.get() + 1);
        let id = format!("toolu_{}_{}", self.id.unwrap_or("main"), self.calls.get());
        let mut fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        if let Some(agent) = self.id {
            fields["agent_id"] = json!(agent);
            fields["agent_type"] = json!("helper");
        }
        let before = self.context.hook("pre-tool-use", "PreToolUse", fields.clone());
        if before.decision().is_some() {
            return Said { before, after: None };
        }
        let event = match result {
            Ok(output) => {
                fields["tool_response"] = json!({"stdout": output, "stderr": ""});
                "PostToolUse"
            }
            Err(error) => {
                fields["error"] = json!(error);
                "PostToolUseFailure"
            }
        };
        let after = self.context.hook("post-tool-use", event, fields);
        Said { before, after: Some(after) }
    }

    pub(crate) fn bash(&self, command: &str, result: Result<&str, &str>) -> Said {
        self.calls("Bash", json!({"command": command}), result)
    }

    pub(crate) fn stops(&self, message: &str, again: bool) -> Answer {
        let fields = json!({"stop_hook_active": again, "last_assistant_message": message});
        self.context.hook("stop", "Stop", fields)
    }

    pub(crate) fn asked_for(&self, prompt: &str) {
        self.context.prompt("user-prompt-start", prompt, "p");
    }
}

pub(crate) const FAILS: Result<&str, &str> = Err("Exit code 1\nerror: the lock file needs to be updated\n");
