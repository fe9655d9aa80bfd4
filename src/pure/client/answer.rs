//! The answer of a hook: exactly one JSON object, with the name of the event.

use serde::Serialize;
use serde_json::value::RawValue;

/// The client cuts context at 10,000 characters; this leaves room.
pub(crate) const CONTEXT_LIMIT: usize = 9_000;

/// There is no `Allow`: it would widen the user's own permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionDecision {
    Ask,
    Deny,
}

/// The whole answer of one hook.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    permission: Option<(PermissionDecision, String)>,
    block: Option<String>,
    context: Option<String>,
    notice: Option<String>,
    updated_input: Option<Box<RawValue>>,
    halt: Option<String>,
}

impl Answer {
    /// The empty answer: the client decides alone.
    pub fn silent() -> Self {
        Self::default()
    }

    pub fn deny(reason: impl Into<String>) -> Self {
        Self { permission: Some((PermissionDecision::Deny, reason.into())), ..Self::default() }
    }

    pub fn ask(reason: impl Into<String>) -> Self {
        Self { permission: Some((PermissionDecision::Ask, reason.into())), ..Self::default() }
    }

    /// Stops a prompt, a stop or a settings change.
    pub fn block(reason: impl Into<String>) -> Self {
        Self { block: Some(reason.into()), ..Self::default() }
    }

    /// A message to the model.
    pub fn context(text: impl Into<String>) -> Self {
        Self { context: Some(text.into()), ..Self::default() }
    }

    /// A message to the person.
    pub fn notice(text: impl Into<String>) -> Self {
        Self { notice: Some(text.into()), ..Self::default() }
    }

    pub fn with_notice(mut self, text: impl Into<String>) -> Self {
        self.notice = Some(text.into());
        self
    }

    /// Ends the turn, with the reason for the person.
    #[must_use]
    pub fn with_halt(mut self, why: impl Into<String>) -> Self {
        self.halt = Some(why.into());
        self
    }

    /// Adds another answer to the same event; the other decision wins where both have one.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            permission: other.permission.or(self.permission),
            block: other.block.or(self.block),
            context: join(self.context, other.context, "\n\n"),
            notice: join(self.notice, other.notice, "\n"),
            updated_input: other.updated_input.or(self.updated_input),
            halt: other.halt.or(self.halt),
        }
    }

    /// Turns the answer into a question.
    #[must_use]
    pub fn into_question(mut self, reason: impl Into<String>) -> Self {
        self.permission = Some((PermissionDecision::Ask, reason.into()));
        self
    }

    /// Replaces the tool's whole input.
    pub fn with_input(mut self, input: Box<RawValue>) -> Self {
        self.updated_input = Some(input);
        self
    }

    pub fn decision(&self) -> Option<PermissionDecision> {
        self.permission.as_ref().map(|(decision, _)| *decision)
    }

    pub fn reason(&self) -> Option<&str> {
        self.permission.as_ref().map(|(_, reason)| reason.as_str()).or(self.block.as_deref())
    }

    /// The text that the client shows or passes on.
    pub fn text(&self) -> &str {
        self.reason().or(self.context.as_deref()).or(self.notice.as_deref()).unwrap_or_default()
    }

    /// One line of JSON. `event`: the name of the answered event; the client ignores an answer with another name.
    pub fn encode(&self, event: &str) -> String {
        let specific = self.permission.is_some() || self.context.is_some() || self.updated_input.is_some();
        let wire = Wire {
            r#continue: self.halt.is_some().then_some(false),
            stop_reason: self.halt.as_deref(),
            decision: self.block.is_some().then_some("block"),
            reason: self.block.as_deref(),
            system_message: self.notice.as_deref(),
            hook_specific_output: specific.then(|| Specific {
                hook_event_name: event,
                permission_decision: self.decision().map(|decision| match decision {
                    PermissionDecision::Ask => "ask",
                    PermissionDecision::Deny => "deny",
                }),
                permission_decision_reason: self.permission.as_ref().map(|(_, reason)| reason.as_str()),
                updated_input: self.updated_input.as_deref(),
                additional_context: self.context.as_deref().map(bounded),
            }),
        };
        // Strings and raw JSON always serialise; the empty object is the neutral answer all the same.
        serde_json::to_string(&wire).unwrap_or_else(|_| "{}".into())
    }
}

fn join(one: Option<String>, two: Option<String>, separator: &str) -> Option<String> {
    match (one, two) {
        (Some(one), Some(two)) => Some(format!("{one}{separator}{two}")),
        (one, two) => one.or(two),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#continue: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
}

/// Cuts at a line where possible and adds the number of missing lines.
fn bounded(text: &str) -> String {
    if text.chars().count() <= CONTEXT_LIMIT {
        return text.to_string();
    }
    const ROOM_FOR_NOTE: usize = 60;
    let mut kept = String::new();
    let mut characters = 0;
    let mut lines = text.lines();
    let mut left_out = 0;
    for line in lines.by_ref() {
        let length = line.chars().count() + 1;
        if characters + length > CONTEXT_LIMIT - ROOM_FOR_NOTE {
            if characters == 0 {
                kept.extend(line.chars().take(CONTEXT_LIMIT - ROOM_FOR_NOTE));
                kept.push('\n');
            }
            left_out = 1;
            break;
        }
        characters += length;
        kept.push_str(line);
        kept.push('\n');
    }
    left_out += lines.count();
    kept + &format!("+{left_out} more lines")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_one_empty_object() {
        assert_eq!(Answer::silent().encode("PreToolUse"), "{}");
    }

    #[test]
    fn a_deny_carries_the_event_name_and_the_reason() {
        assert_eq!(
            Answer::deny("no").encode("PreToolUse"),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#
        );
    }

    #[test]
    fn two_answers_to_one_event_are_both_given() {
        let joined = Answer::context("one").with_notice("look").merge(Answer::deny("no").with_halt("over"));
        assert_eq!(
            joined.encode("PreToolUse"),
            r#"{"continue":false,"stopReason":"over","systemMessage":"look","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"one"}}"#
        );
        let joined = Answer::context("one").merge(Answer::context("two")).merge(Answer::context("three"));
        assert!(joined.encode("PostToolUse").contains(r#""additionalContext":"one\n\ntwo\n\nthree""#));
    }

    #[test]
    fn long_context_is_cut_below_the_limit_and_says_how_much_is_missing() {
        let text = "a line of words\n".repeat(2_000);
        let encoded = Answer::context(text).encode("UserPromptSubmit");
        assert!(encoded.len() < 10_000, "{}", encoded.len());
        assert!(encoded.contains("more lines"), "{encoded}");
        let one_line = Answer::context("x".repeat(50_000)).encode("SessionStart");
        assert!(one_line.len() < 10_000 && one_line.len() > 8_000, "{}", one_line.len());
    }

    #[test]
    fn whatever_the_reason_holds_the_answer_is_one_line_of_valid_json() {
        for nasty in ["\"quoted\"", "new\nline", "\u{0}\u{1b}[31m", "\u{2028}", "}{"] {
            let encoded = Answer::deny(nasty).with_notice(nasty).encode("PreToolUse");
            assert_eq!(encoded.lines().count(), 1, "{encoded}");
            serde_json::from_str::<serde_json::Value>(&encoded).unwrap();
        }
    }
}
