//! The hooks' own lines, called without a client: what would they answer to this step of a session?

use crate::app::failure::{Failure, chain};
use crate::app::hooks::{post_tool_use, pre_tool_use, stop, user_prompt_start};
use crate::app::step::other_sessions;
use crate::pure::client::{Answer, Hook, Input};
use crate::pure::report::{DeliveredText, DeliveryRoute, HookAnswer};
use crate::pure::step::Decision;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A session in which steps are tried out.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub id: String,
    pub cwd: String,
    /// Set inside a sub-agent.
    pub agent: Option<String>,
}

/// A tool call as the agent makes it.
#[derive(Debug, Clone)]
pub(crate) struct RehearsedCall {
    pub tool: String,
    pub input: Box<RawValue>,
    pub id: String,
}

impl RehearsedCall {
    pub fn shell(command: &str) -> Result<Self, Failure> {
        let input = serde_json::value::to_raw_value(&serde_json::json!({ "command": command }))?;
        Ok(Self { tool: "Bash".into(), input, id: String::new() })
    }
}

/// How a step came out, as a transcript keeps it.
#[derive(Debug, Clone)]
pub(crate) enum RehearsedResult {
    Succeeded { text: String, response: Option<Box<RawValue>> },
    Failed { error: String, interrupted: bool },
}

impl RehearsedResult {
    /// The text that the model saw.
    pub fn text(&self) -> &str {
        match self {
            Self::Succeeded { text, .. } => text,
            Self::Failed { error, .. } => error,
        }
    }
}

/// The answer of a hook before a tool call.
pub(crate) struct HookReply {
    pub said: HookAnswer,
    pub told: Vec<DeliveredText>,
}

impl Session {
    /// The answer of the hook before the tool call.
    pub fn before(&self, step: &RehearsedCall) -> Result<HookAnswer, Failure> {
        Ok(self.hear_before(step)?.said)
    }

    /// The same, with the interventions in it.
    pub fn hear_before(&self, step: &RehearsedCall) -> Result<HookReply, Failure> {
        let answered = answered(&self.event("PreToolUse", Some(step)), |input| {
            // As the hook itself does: a guard that breaks asks.
            Ok(pre_tool_use::answer(input)
                .unwrap_or_else(|failure| Hook::PreToolUse.safe_answer(&chain(failure.as_ref()))))
        })?;
        // Sessions are tried out one after the other.
        other_sessions::end(&self.cwd, &self.id)?;
        Ok(HookReply { told: delivered_texts(&answered), said: hook_answer(answered) })
    }

    /// Lets the hook know how the step ended.
    pub fn after(
        &self,
        step: &RehearsedCall,
        ended: &RehearsedResult,
    ) -> Result<Vec<DeliveredText>, Failure> {
        let event = match ended {
            RehearsedResult::Succeeded { text, response } => Event {
                tool_response: Some(response.as_deref().map_or(Response::Text(text), Response::Whole)),
                ..self.event("PostToolUse", Some(step))
            },
            RehearsedResult::Failed { error, interrupted } => Event {
                error: Some(error),
                is_interrupt: Some(*interrupted),
                ..self.event("PostToolUseFailure", Some(step))
            },
        };
        Ok(delivered_texts(&answered(&event, post_tool_use::answer)?))
    }

    /// Tells the hook that all calls of a message have ended, with what the model saw of each.
    pub fn batch(&self, calls: &[(&RehearsedCall, &str)]) -> Result<Vec<DeliveredText>, Failure> {
        let calls = calls.iter().map(|(step, text)| BatchCall {
            tool_name: &step.tool,
            tool_input: &step.input,
            tool_use_id: &step.id,
            tool_response: text,
        });
        let event = Event { tool_calls: Some(calls.collect()), ..self.event("PostToolBatch", None) };
        Ok(delivered_texts(&answered(&event, post_tool_use::answer)?))
    }

    /// Lets the hook know what the person typed.
    pub fn prompt(&self, text: &str) -> Result<Vec<DeliveredText>, Failure> {
        let event = Event { prompt: Some(text), ..self.event("UserPromptSubmit", None) };
        Ok(delivered_texts(&answered(&event, user_prompt_start::answer)?))
    }

    /// Lets the hook know that the agent wants to end its turn with these words.
    pub fn stop(&self, message: &str) -> Result<Vec<DeliveredText>, Failure> {
        let name = if self.agent.is_some() { "SubagentStop" } else { "Stop" };
        let event = Event {
            last_assistant_message: Some(message),
            stop_hook_active: Some(false),
            ..self.event(name, None)
        };
        Ok(delivered_texts(&answered(&event, stop::answer)?))
    }

    fn event<'a>(&'a self, name: &'a str, step: Option<&'a RehearsedCall>) -> Event<'a> {
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

/// An event as the client writes it, with `null` for what it leaves out.
#[derive(Default, Serialize)]
struct Event<'a> {
    hook_event_name: &'a str,
    session_id: &'a str,
    cwd: &'a str,
    agent_id: Option<&'a str>,
    agent_type: Option<&'a str>,
    tool_name: Option<&'a str>,
    tool_input: Option<&'a RawValue>,
    tool_use_id: Option<&'a str>,
    prompt: Option<&'a str>,
    error: Option<&'a str>,
    is_interrupt: Option<bool>,
    tool_response: Option<Response<'a>>,
    tool_calls: Option<Vec<BatchCall<'a>>>,
    stop_hook_active: Option<bool>,
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

/// Sends an event through a hook, and reads the answer as the client does.
fn answered(
    event: &Event<'_>,
    hook: impl FnOnce(&Input<'_>) -> Result<Answer, Failure>,
) -> Result<Answered, Failure> {
    let bytes = serde_json::to_vec(event)?;
    let input = Input::parse(&bytes)?;
    Ok(serde_json::from_str(&hook(&input)?.encode(&input.name))?)
}

fn delivered_texts(answered: &Answered) -> Vec<DeliveredText> {
    let Specific { permission_decision, permission_decision_reason, additional_context, .. } =
        &answered.hook_specific_output;
    let way =
        if permission_decision.as_deref() == Some("deny") { DeliveryRoute::Deny } else { DeliveryRoute::Ask };
    [
        DeliveredText::all_in(permission_decision_reason, way),
        DeliveredText::all_in(additional_context, DeliveryRoute::Context),
        DeliveredText::all_in(&answered.reason, DeliveryRoute::Block),
    ]
    .concat()
}

fn hook_answer(answered: Answered) -> HookAnswer {
    let Specific { permission_decision, permission_decision_reason, updated_input, additional_context } =
        answered.hook_specific_output;
    let (answer, reason) = match permission_decision.as_deref() {
        Some("deny") => (Decision::Deny, permission_decision_reason),
        Some(_) => (Decision::Ask, permission_decision_reason),
        None if updated_input.is_some() => (Decision::Rewrite, additional_context),
        None if !additional_context.is_empty() => (Decision::Warn, additional_context),
        None => return HookAnswer::silent(),
    };
    let rule = reason.strip_prefix("Plimsoll [").and_then(|rest| rest.split_once("]: "));
    match rule {
        Some((rule, reason)) => HookAnswer { answer, rule: rule.to_owned(), reason: reason.to_owned() },
        None => HookAnswer { answer, rule: String::new(), reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str) -> (Decision, String, String) {
        let said = hook_answer(serde_json::from_str(answer).unwrap());
        (said.answer, said.rule, said.reason)
    }

    #[test]
    fn an_answer_is_read_as_the_client_reads_it() {
        assert_eq!(read("{}").0, Decision::Silent);
        assert_eq!(read(r#"{"systemMessage":"for the person alone"}"#).0, Decision::Silent);
        let specific = |text: &str| {
            read(&format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{text}}}}}"#))
        };
        let denied =
            specific(r#""permissionDecision":"deny","permissionDecisionReason":"Plimsoll [some_rule]: why""#);
        assert_eq!(denied, (Decision::Deny, "some_rule".into(), "why".into()));
        let asked = specific(r#""permissionDecision":"ask","permissionDecisionReason":"Plimsoll is lost""#);
        assert_eq!(asked, (Decision::Ask, String::new(), "Plimsoll is lost".into()));
        assert_eq!(specific(r#""updatedInput":{},"additionalContext":"x""#).0, Decision::Rewrite);
        assert_eq!(specific(r#""additionalContext":"x""#).0, Decision::Warn);
    }

    #[test]
    fn interventions_are_read_wherever_they_stand() {
        let read = |answer: &str| {
            let told = delivered_texts(&serde_json::from_str(answer).unwrap());
            told.into_iter().map(|told| (told.way, told.name())).collect::<Vec<_>>()
        };
        let text = "Plimsoll [soft_correction/repetitive_errors/no_progress]: x";
        let name = "soft_correction/repetitive_errors/no_progress".to_owned();
        let specific =
            |fields: &str| format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{fields}}}}}"#);
        for (answer, way) in [
            (specific(&format!(r#""additionalContext":"{text}""#)), DeliveryRoute::Context),
            (
                specific(&format!(r#""permissionDecision":"deny","permissionDecisionReason":"{text}""#)),
                DeliveryRoute::Deny,
            ),
            (
                specific(&format!(r#""permissionDecision":"ask","permissionDecisionReason":"{text}""#)),
                DeliveryRoute::Ask,
            ),
            (format!(r#"{{"decision":"block","reason":"{text}"}}"#), DeliveryRoute::Block),
        ] {
            assert_eq!(read(&answer), [(way, name.clone())], "{answer}");
        }
        assert_eq!(read(r#"{"systemMessage":"Plimsoll [soft_correction/a/b]: for the person"}"#), []);
    }
}
