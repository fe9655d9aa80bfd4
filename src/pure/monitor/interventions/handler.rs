//! A custom strategy: the input of its command, and the answers that it may give.

use super::history::InterventionHistory;
use super::kind::InterventionKind;
use super::quotation::quoted;
use super::score::severity_score;
use super::situation::Situation;
use crate::pure::monitor::patterns::Issue;
use serde_json::{Value, json};

/// More than any answer needs.
const ANSWER_LIMIT: usize = 64 * 1024;
/// How long a handler may take.
pub(crate) const HANDLER_SECONDS: u64 = 5;

/// The command's answer: an intervention or none, and its own message for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HandlerAnswer {
    pub intervention: Option<InterventionKind>,
    pub message: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HandlerError {
    #[error("the handler's answer is longer than {ANSWER_LIMIT} bytes")]
    TooLong,
    #[error("the handler's answer is not a JSON object: {0}")]
    NotJson(String),
    #[error("the handler's answer has no `intervention`; it must be one of {known}, or null", known = names())]
    NoIntervention,
    #[error("the handler answered `{0}`; an intervention is one of {known}, or null", known = names())]
    UnknownIntervention(String),
    #[error("the handler's `message` is not text")]
    BadMessage,
    #[error("the handler's answer has the unknown key `{0}`; there are `intervention` and `message`")]
    UnknownKey(String),
}

fn names() -> String {
    InterventionKind::ALL.map(InterventionKind::name).join(", ")
}

pub(crate) fn parse_handler_answer(bytes: &[u8]) -> Result<HandlerAnswer, HandlerError> {
    if bytes.len() > ANSWER_LIMIT {
        return Err(HandlerError::TooLong);
    }
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| HandlerError::NotJson(quoted(&error.to_string(), 120)))?;
    let Value::Object(fields) = value else {
        return Err(HandlerError::NotJson("it is another kind of value".into()));
    };
    if let Some(unknown) = fields.keys().find(|key| !matches!(key.as_str(), "intervention" | "message")) {
        return Err(HandlerError::UnknownKey(quoted(unknown, 40)));
    }
    let intervention = match fields.get("intervention") {
        None => return Err(HandlerError::NoIntervention),
        Some(Value::Null) => None,
        Some(Value::String(name)) => {
            let kind = InterventionKind::named(name);
            Some(kind.ok_or_else(|| HandlerError::UnknownIntervention(quoted(name, 40)))?)
        }
        Some(other) => return Err(HandlerError::UnknownIntervention(quoted(&other.to_string(), 40))),
    };
    let message = match fields.get("message") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(quoted(text, 2_000)).filter(|text| !text.is_empty()),
        Some(_) => return Err(HandlerError::BadMessage),
    };
    Ok(HandlerAnswer { intervention, message })
}

/// The standard input of the command; free of secrets.
pub(crate) fn handler_input(
    issue: &Issue,
    situation: &Situation<'_>,
    history: &InterventionHistory,
    suggested: Option<InterventionKind>,
) -> Value {
    let details = &issue.details;
    let optional = |text: &Option<String>| text.as_deref().map(|text| quoted(text, 300));
    let earlier: Vec<Value> = history
        .about(issue.cause)
        .map(|one| json!({"intervention": one.kind, "severity": one.severity, "time": one.time, "effect": one.effect}))
        .collect();
    json!({
        "version": 1,
        "issue": {
            "type": issue.pattern,
            "sign": issue.sign,
            "severity": issue.severity,
            "confidence": issue.confidence,
            "impact_factor": issue.impact,
            "score": severity_score(issue),
            "description": quoted(&issue.description, 400),
            "events": issue.events,
            "began": issue.began,
            "details": {
                "tool": quoted(&details.tool, 80),
                "what": quoted(&details.what, 300),
                "file_path": optional(&details.file_path),
                "out_of_scope_path": optional(&details.out_of_scope_path),
                "error": optional(&details.error),
                "count": details.count,
                "claim": optional(&details.claim),
                "evidence": optional(&details.evidence),
                "growth": details.growth,
            },
        },
        "context": {
            "original_prompt": quoted(situation.original_prompt, 2_000),
            "expected_paths": situation.expected_paths,
            "forbidden_paths": situation.forbidden_paths,
            "plan": {
                "done": situation.plan.done.iter().map(|point| quoted(point, 200)).collect::<Vec<_>>(),
                "open": situation.plan.open.iter().map(|point| quoted(point, 200)).collect::<Vec<_>>(),
            },
            "usage": situation.usage,
            "limits": situation.limits,
        },
        "earlier": earlier,
        "suggested": suggested,
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::{issue, situation};
    use super::*;
    use crate::pure::monitor::patterns::{IssueSeverity, Pattern};

    #[test]
    fn a_handler_names_an_intervention_or_none_and_may_have_words_of_its_own() {
        let parsed = |text: &str| parse_handler_answer(text.as_bytes());
        assert_eq!(
            parsed(r#"{"intervention": "checkpoint_rollback", "message": " try\nless "}"#),
            Ok(HandlerAnswer {
                intervention: Some(InterventionKind::CheckpointRollback),
                message: Some("try less".into())
            })
        );
        assert_eq!(
            parsed(r#"{"intervention": null}"#),
            Ok(HandlerAnswer { intervention: None, message: None })
        );
    }

    #[test]
    fn whatever_else_it_says_is_an_error_that_names_the_mistake() {
        for (text, part) in [
            ("", "not a JSON object"),
            ("[]", "not a JSON object"),
            ("soft_correction", "not a JSON object"),
            ("{}", "no `intervention`"),
            (r#"{"intervention": "halt"}"#, "`halt`"),
            (r#"{"intervention": 4}"#, "`4`"),
            (r#"{"intervention": null, "message": 4}"#, "not text"),
            (r#"{"intervention": null, "allow": true}"#, "`allow`"),
        ] {
            let error = parse_handler_answer(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(parse_handler_answer(&[b' '; ANSWER_LIMIT + 1]), Err(HandlerError::TooLong));
    }

    #[test]
    fn it_is_told_the_issue_the_situation_and_what_was_tried() {
        let issue = issue(Pattern::RepetitiveErrors, IssueSeverity::High);
        let mut history = InterventionHistory::default();
        history.record(&issue, InterventionKind::SoftCorrection, false, "", 5, 1);
        let input = handler_input(&issue, &situation(), &history, Some(InterventionKind::CheckpointRollback));
        assert_eq!(input["issue"]["type"], "repetitive_errors");
        assert_eq!(input["issue"]["details"]["file_path"], "/test/file.ex");
        assert_eq!(input["context"]["original_prompt"], "fix the failing parser test");
        assert_eq!(input["earlier"][0]["intervention"], "soft_correction");
        assert_eq!(input["suggested"], "checkpoint_rollback");
    }
}
