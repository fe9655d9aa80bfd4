//! The hooks' own lines, called without a client: what would they answer to this step of a session?

use super::serve::{Failure, Reply, chain};
use super::{after, prompt, session, step};
use crate::hook::Hook;
use crate::report::{Said, Told, Way};
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

/// How a step came out, as a transcript keeps it.
#[derive(Debug, Clone)]
pub enum Ended {
    Well { text: String, response: Option<Box<RawValue>> },
    Badly { error: String, interrupted: bool },
}

impl Ended {
    /// What the model saw of it.
    pub fn text(&self) -> &str {
        match self {
            Self::Well { text, .. } => text,
            Self::Badly { error, .. } => error,
        }
    }
}

/// What a hook said before a step.
pub struct Heard {
    pub said: Said,
    pub told: Vec<Told>,
}

impl Session {
    /// What the hook says before the step.
    pub fn before(&self, step: &Step) -> Result<Said, Failure> {
        Ok(self.hear_before(step)?.said)
    }

    /// The same, with the interventions in it.
    pub fn hear_before(&self, step: &Step) -> Result<Heard, Failure> {
        let event = self.event("PreToolUse", Some(step));
        let reply = step::before_tool(&serde_json::to_vec(&event)?);
        let answer = match &reply {
            Ok(Reply { answer, .. }) => answer.encode("PreToolUse"),
            // As the hook itself does: a guard that breaks asks.
            Err(failure) => Hook::PreToolUse.safe_answer(&chain(failure.as_ref())).encode("PreToolUse"),
        };
        let answered: Answered = serde_json::from_str(&answer)?;
        Ok(Heard { told: told(&answered), said: said(answered) })
    }

    /// Lets the hook know how the step ended.
    pub fn after(&self, step: &Step, ended: &Ended) -> Result<Vec<Told>, Failure> {
        let event = match ended {
            Ended::Well { text, response } => Event {
                tool_response: Some(response.as_deref().map_or(Response::Text(text), Response::Whole)),
                ..self.event("PostToolUse", Some(step))
            },
            Ended::Badly { error, interrupted } => Event {
                error: Some(error),
                is_interrupt: Some(*interrupted),
                ..self.event("PostToolUseFailure", Some(step))
            },
        };
        heard(after::after_tool(&serde_json::to_vec(&event)?)?)
    }

    /// Lets the hook know that all calls of a message are over, with what the model saw of each.
    pub fn batch(&self, calls: &[(&Step, &str)]) -> Result<Vec<Told>, Failure> {
        let calls = calls.iter().map(|(step, text)| BatchCall {
            tool_name: &step.tool,
            tool_input: &step.input,
            tool_use_id: &step.id,
            tool_response: text,
        });
        let event = Event { tool_calls: Some(calls.collect()), ..self.event("PostToolBatch", None) };
        heard(after::after_tool(&serde_json::to_vec(&event)?)?)
    }

    /// Lets the hook know what the person typed.
    pub fn prompt(&self, text: &str) -> Result<Vec<Told>, Failure> {
        let event = Event { prompt: Some(text), ..self.event("UserPromptSubmit", None) };
        heard(prompt::start(&serde_json::to_vec(&event)?)?)
    }

    /// Lets the hook know that the agent wants to end its turn with these words.
    pub fn stop(&self, message: &str) -> Result<Vec<Told>, Failure> {
        let name = if self.agent.is_some() { "SubagentStop" } else { "Stop" };
        let event = Event {
            last_assistant_message: Some(message),
            stop_hook_active: Some(false),
            ..self.event(name, None)
        };
        heard(session::stop(&serde_json::to_vec(&event)?)?)
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
            ..Event::default()
        }
    }
}

/// An event as the client writes it.
#[derive(Default, Serialize)]
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
    is_interrupt: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_response: Option<Response<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<BatchCall<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_hook_active: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Response<'a> {
    Whole(&'a RawValue),
    Text(&'a str),
}

#[derive(Serialize)]
struct BatchCall<'a> {
    tool_name: &'a str,
    tool_input: &'a RawValue,
    tool_use_id: &'a str,
    tool_response: &'a str,
}

/// An answer as the client reads it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Answered {
    /// Set where a turn may not end.
    reason: String,
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

/// The interventions in an answer that is given while nothing waits for a yes.
fn heard(reply: Reply) -> Result<Vec<Told>, Failure> {
    Ok(told(&serde_json::from_str(&reply.answer.encode(&reply.event))?))
}

fn told(answered: &Answered) -> Vec<Told> {
    let Specific { permission_decision, permission_decision_reason, additional_context, .. } =
        &answered.hook_specific_output;
    let way = if permission_decision.as_deref() == Some("deny") { Way::Deny } else { Way::Ask };
    [
        Told::all_in(permission_decision_reason, way),
        Told::all_in(additional_context, Way::Context),
        Told::all_in(&answered.reason, Way::Block),
    ]
    .concat()
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

    #[test]
    fn interventions_are_read_wherever_they_stand() {
        let read = |answer: &str| {
            let told = told(&serde_json::from_str(answer).unwrap());
            told.into_iter().map(|told| (told.way, told.name())).collect::<Vec<_>>()
        };
        let text = "Plimsoll [soft_correction/repetitive_errors/no_progress]: x";
        let name = "soft_correction/repetitive_errors/no_progress".to_owned();
        let specific =
            |fields: &str| format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{fields}}}}}"#);
        for (answer, way) in [
            (specific(&format!(r#""additionalContext":"{text}""#)), Way::Context),
            (
                specific(&format!(r#""permissionDecision":"deny","permissionDecisionReason":"{text}""#)),
                Way::Deny,
            ),
            (
                specific(&format!(r#""permissionDecision":"ask","permissionDecisionReason":"{text}""#)),
                Way::Ask,
            ),
            (format!(r#"{{"decision":"block","reason":"{text}"}}"#), Way::Block),
        ] {
            assert_eq!(read(&answer), [(way, name.clone())], "{answer}");
        }
        assert_eq!(read(r#"{"systemMessage":"Plimsoll [soft_correction/a/b]: for the person"}"#), []);
    }
}
