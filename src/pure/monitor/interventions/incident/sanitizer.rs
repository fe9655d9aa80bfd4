//! Values of the session for the record: without secrets, bounded, and readable again.

use crate::pure::monitor::interventions::quotation::plain as line;
use crate::pure::monitor::interventions::situation::CheckpointSummary;
use crate::pure::monitor::patterns::{AgentPlan, Details, Growth, Issue, RecentCall, RecentResult};
use crate::pure::secret::redact_code;
use std::collections::BTreeSet;

/// Bytes of the difference that are kept.
const DIFF_LIMIT: usize = 64 * 1024;
/// Names of changed files that are kept.
const FILES_LIMIT: usize = 200;

pub(super) fn lines(texts: &[String], most: usize, longest: usize) -> Vec<String> {
    texts.iter().take(most).map(|text| line(text, longest)).collect()
}

/// Several lines, without what steers a terminal.
pub(super) fn block(text: &str) -> String {
    let whole = text.get(..text.floor_char_boundary(DIFF_LIMIT)).unwrap_or(text);
    let is_cut = whole.len() < text.len();
    // The last line may end in the middle of a secret, which then is none to the scanner.
    let whole = if is_cut { whole.rsplit_once('\n').map_or("", |(lines, _)| lines) } else { whole };
    let safe: String =
        redact_code(whole).chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
    if is_cut { safe + "\n… cut here" } else { safe }
}

pub(super) fn issue(issue: &Issue) -> Issue {
    let Details { tool, what, file_path, out_of_scope_path, error, count, claim, evidence, growth } =
        &issue.details;
    let optional = |text: &Option<String>| text.as_deref().map(|text| line(text, 300));
    Issue {
        confidence: finite(issue.confidence, 0.0),
        impact: finite(issue.impact, 0.0),
        description: line(&issue.description, 400),
        details: Details {
            tool: line(tool, 80),
            what: line(what, 300),
            file_path: optional(file_path),
            out_of_scope_path: optional(out_of_scope_path),
            error: optional(error),
            count: *count,
            claim: optional(claim),
            evidence: optional(evidence),
            growth: Growth {
                file_operations: finite(growth.file_operations, 1.0),
                memory: finite(growth.memory, 1.0),
                tokens: finite(growth.tokens, 1.0),
                time: finite(growth.time, 1.0),
            },
        },
        events: lines(&issue.events, 50, 80),
        ..issue.clone()
    }
}

/// JSON knows no other numbers.
fn finite(value: f64, otherwise: f64) -> f64 {
    if value.is_finite() { value } else { otherwise }
}

pub(super) fn plan(plan: &AgentPlan) -> AgentPlan {
    AgentPlan { done: lines(&plan.done, 50, 200), open: lines(&plan.open, 50, 200) }
}

pub(super) fn checkpoint(checkpoint: &CheckpointSummary) -> CheckpointSummary {
    CheckpointSummary {
        id: line(&checkpoint.id, 80),
        when: line(&checkpoint.when, 60),
        files: checkpoint.files,
    }
}

pub(super) fn recent(action: &RecentCall) -> RecentCall {
    RecentCall {
        id: line(&action.id, 80),
        agent: line(&action.agent, 80),
        tool: line(&action.tool, 80).into(),
        what: line(&action.what, 300).into(),
        error: action.error.as_deref().map(|error| line(error, 300).into()),
        ..action.clone()
    }
}

/// The changed files; where none are known, those that the last calls wrote.
pub(super) fn files(told: &[String], recent: &[RecentCall]) -> Vec<String> {
    if !told.is_empty() {
        return lines(told, FILES_LIMIT, 300);
    }
    let writes = |action: &&RecentCall| {
        matches!(action.tool.as_str(), "Write" | "Edit" | "NotebookEdit")
            && action.outcome == RecentResult::Succeeded
    };
    let written: BTreeSet<String> =
        recent.iter().filter(writes).map(|action| line(&action.what, 300)).collect();
    written.into_iter().take(FILES_LIMIT).collect()
}
