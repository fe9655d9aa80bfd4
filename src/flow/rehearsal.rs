//! The hooks' own lines, called without a client: what would they answer to this step of a session?

use super::serve::{Failure, Reply, chain};
use super::{after, prompt, step};
use crate::hook::Hook;
use crate::report::Said;
use crate::step::Course;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A session in which steps are tried out.
#[derive(Debug, Clone)]
pub struct Session {
    pub id: String,
    pub cwd: String,
    /// Set inside a sub-agent.
    pub agent: Option<String>,
}

/// A tool call as the agent makes it.
#[derive(Debug, Clone)]
pub struct Step {
    pub tool: String,
    pub input: Box<RawValue>,
    pub id: String,
}

impl Step {
    pub fn shell(command: &str) -> Result<Self, Failure> {
        let input = serde_json::value::to_raw_value(&serde_json::json!({ "command": command }))?;
        Ok(Self { tool: "Bash".into(), input, id: String::new() })
    }
}

impl Session {
    /// What the hook says before the step.
    pub fn before(&self, step: &Step) -> Result<Said, Failure> {
        let event = Event { tool_name: Some(&step.tool), ..self.event("PreToolUse", Some(step)) };
        let reply = step::before_tool(&serde_json::to_vec(&event)?);
        let answer = match &reply {
            Ok(Reply { answer, .. }) => answer.encode("PreToolUse"),
            // As the hook itself does: a guard that breaks asks.
            Err(failure) => Hook::PreToolUse.safe_answer(&chain(failure.as_ref())).encode("PreToolUse"),
        };
        Ok(said(serde_json::from_str(&answer)?))
    }

    /// Lets the hook know how the step ended.
    pub fn after(&self, step: &Step, failed: bool, result: &str) -> Result<(), Failure> {
        let name = if failed { "PostToolUseFailure" } else { "PostToolUse" };
        let event = Event {
            error: failed.then_some(result),
            tool_response: (!failed).then_some(result),
            ..self.event(name, Some(step))
        };
        after::after_tool(&serde_json::to_vec(&event)?).map(drop)
    }

    /// Lets the hook know what the person typed.
    pub fn prompt(&self, text: &str) -> Result<(), Failure> {
        let event = Event { prompt: Some(text), ..self.event("UserPromptSubmit", None) };
        prompt::start(&serde_json::to_vec(&event)?).map(drop)
    }

    fn event<'a>(&'a self, name: &'a str, step: Option<&'a Step>) -> Event<'a> {
        Event {
            hook_event_name: name,
            session_id: &self.id,
            cwd: &self.cwd,
            agent_id: self.agent.as_deref(),
            agent_type: self.agent.as_ref().map(|_| "general-purpose"),
            tool_name: step.map(|step| step.tool.as_str()),
            tool_input: step.map(|step| step.input.as_ref()),
            tool_use_id: step.map(|step| step.id.as_str()),
            prompt: None,
            error: None,
            tool_response: None,
        }
    }
}

/// An event as the client writes it.
#[derive(Serialize)]
struct Event<'a> {
    hook_event_name: &'a str,
    session_id: &'a str,
    cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_input: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_response: Option<&'a str>,
}

/// An answer as the client reads it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Answered {
    hook_specific_output: Specific,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Specific {
    permission_decision: Option<String>,
    permission_decision_reason: String,
    updated_input: Option<serde_json::Value>,
    additional_context: String,
}

fn said(answered: Answered) -> Said {
    let Specific { permission_decision, permission_decision_reason, updated_input, additional_context } =
        answered.hook_specific_output;
    let (answer, reason) = match permission_decision.as_deref() {
        Some("deny") => (Course::Block, permission_decision_reason),
        Some(_) => (Course::Ask, permission_decision_reason),
        None if updated_input.is_some() => (Course::Modify, additional_context),
        None if !additional_context.is_empty() => (Course::Warn, additional_context),
        None => return Said::nothing(),
    };
    let rule = reason.strip_prefix("Plimsoll [").and_then(|rest| rest.split_once("]: "));
    match rule {
        Some((rule, reason)) => Said { answer, rule: rule.to_owned(), reason: reason.to_owned() },
        None => Said { answer, rule: String::new(), reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> (Course, String, String) {
        let said = said(serde_json::from_str(answer).unwrap());
        (said.answer, said.rule, said.reason)
    }

    #[test]
    fn an_answer_is_read_as_the_client_reads_it() {
        assert_eq!(read("{}").0, Course::Allow);
        assert_eq!(read(r#"{"systemMessage":"for the person alone"}"#).0, Course::Allow);
        let specific = |text: &str| {
            read(&format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{text}}}}}"#))
        };
        let denied =
            specific(r#""permissionDecision":"deny","permissionDecisionReason":"Plimsoll [some_rule]: why""#);
        assert_eq!(denied, (Course::Block, "some_rule".into(), "why".into()));
        let asked = specific(r#""permissionDecision":"ask","permissionDecisionReason":"Plimsoll is lost""#);
        assert_eq!(asked, (Course::Ask, String::new(), "Plimsoll is lost".into()));
        assert_eq!(specific(r#""updatedInput":{},"additionalContext":"x""#).0, Course::Modify);
        assert_eq!(specific(r#""additionalContext":"x""#).0, Course::Warn);
    }
}
