//! Reviews of the same work that each find something new, with changes in between: they do not converge.

use super::call::CallMarks;
use super::found_pattern::FoundPattern;
use super::issue::{IssueSeverity, Sign};
use super::text::start;
use super::tools;
use super::trace::{AgentTrace, CallOutcome, TraceEvidence, push_bounded};
use crate::pure::policy::Patterns;
use crate::pure::step::fingerprint;
use serde::{Deserialize, Serialize};

const MOST_IDS: usize = 12;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Rounds {
    count: u32,
    ids: Vec<String>,
    began: u64,
    /// Changes of the session when the last round ended.
    changes: u32,
}

/// Records the newest call of the thread; `edits` is the number of changes to code so far.
pub(super) fn detect(
    thread: &mut AgentTrace,
    tool: &str,
    call: &CallMarks,
    said: &str,
    edits: u32,
    patterns: &Patterns,
) -> Option<FoundPattern> {
    let step = thread.steps.last().filter(|step| step.ended == CallOutcome::Succeeded)?;
    if !is_review(tool, call) {
        return None;
    }
    if !has_findings(said) {
        thread.reviews = Rounds::default();
        return None;
    }
    let rounds = &mut thread.reviews;
    if rounds.count == 0 {
        rounds.began = step.time;
    } else if rounds.changes == edits {
        return None;
    }
    rounds.count += 1;
    rounds.changes = edits;
    push_bounded(&mut rounds.ids, step.id.clone(), MOST_IDS);
    let severity = match rounds.count {
        count if count >= patterns.review_rounds.saturating_mul(2) => IssueSeverity::Medium,
        count if count >= patterns.review_rounds => IssueSeverity::Low,
        _ => return None,
    };
    let evidence = TraceEvidence::counted(rounds.count, rounds.began);
    let mut found =
        FoundPattern::new(Sign::ReviewRatchet, severity, fingerprint(b"review ratchet"), &evidence);
    found.events.clone_from(&rounds.ids);
    Some(found.with_description(format!(
        "{} reviews in a row each found something new after the last findings were fixed.",
        rounds.count
    )))
}

fn is_review(tool: &str, call: &CallMarks) -> bool {
    let name = match tool {
        "Skill" => call.says(&["skill"]),
        _ if tools::starts_agent(tool) => call.says(&["subagent_type", "agent", "description"]),
        _ => None,
    };
    let begins = || {
        call.says(&["description", "prompt"])
            .is_some_and(|text| start(text, 60).to_lowercase().contains("review"))
    };
    name.is_some_and(|name| name.to_lowercase().contains("review")) || (tools::starts_agent(tool) && begins())
}

fn has_findings(said: &str) -> bool {
    const CLEAN: [&str; 12] = [
        "no findings", "no issues", "no problems", "0 findings", "0 issues", "lgtm", "looks good",
        "no blocking", "no bugs", "nothing to fix", "no concerns", "approve",
    ];
    const FINDS: [&str; 16] = [
        "finding", "issue", "bug", "problem", "must fix", "should fix", "blocking", "critical", "severity",
        "bypass", "needs_revision", "needs revision", "vulnerab", "incorrect", "missing", "regression",
    ];
    let lower = start(said, 16 * 1024).to_lowercase();
    FINDS.iter().any(|word| lower.contains(word)) && !CLEAN.iter().any(|word| lower.contains(word))
}
