//! The findings to fix, and their source: data for the agent that fixes them.

use super::unified::plain;
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Finding, FindingId, FindingSeverity};
use crate::pure::text::{cut, printable};
use serde::Serialize;

/// Where the work comes from, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconcileSource {
    /// Open findings of a reviewer.
    Claude,
    /// Checks that failed here.
    Local,
    /// Feedback on the pull request.
    Pr,
    None,
}

impl ReconcileSource {
    fn words(self) -> &'static str {
        match self {
            Self::Claude => "open findings of the reviewers",
            Self::Local => "checks that failed",
            Self::Pr => "feedback on the pull request",
            Self::None => "nothing to fix",
        }
    }
}

/// One finding to fix. `message`, `quote` and `fix` are text of others: data, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FindingToFix {
    pub id: FindingId,
    #[serde(rename = "loop")]
    pub number: LoopNumber,
    pub severity: FindingSeverity,
    pub category: String,
    pub place: Option<String>,
    pub quote: Option<String>,
    pub message: String,
    pub fix: Option<String>,
    /// In how many rounds it was found.
    pub rounds: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconcile {
    pub source: ReconcileSource,
    /// The content has changed since; some findings may be fixed already.
    pub changed_since: bool,
    /// The most severe first.
    pub to_fix: Vec<FindingToFix>,
    pub more: usize,
    pub then: String,
    /// Why GitHub was asked for the pull request and did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
}

/// The longest message that is handed on; a log has the rest.
const MESSAGE: usize = 600;

impl FindingToFix {
    pub fn new(number: LoopNumber, finding: &Finding, rounds: usize) -> Self {
        Self {
            id: finding.id(),
            number,
            severity: finding.severity,
            category: plain_text(&finding.category),
            place: finding.place().map(|place| plain_text(&place)),
            quote: finding.quote.as_deref().map(plain_text),
            message: plain_text(&finding.message),
            fix: finding.fix.as_deref().map(plain_text),
            rounds,
        }
    }
}

/// Printable and bounded.
fn plain_text(text: &str) -> String {
    let lines: Vec<String> = plain(text).lines().map(printable).collect();
    cut(&lines.join("\n"), MESSAGE)
}

impl Reconcile {
    /// The first `limit` findings, the most severe first.
    #[must_use]
    pub fn limited(mut self, limit: usize) -> Self {
        self.to_fix.sort_by(|one, other| {
            (one.severity, one.number, &one.place).cmp(&(other.severity, other.number, &other.place))
        });
        self.more = self.to_fix.len().saturating_sub(limit);
        self.to_fix.truncate(limit);
        self
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut text = match self.source {
            ReconcileSource::None => "Nothing to fix\n".to_owned(),
            source => format!("To fix: {}\n", source.words()),
        };
        if let Some(reason) = &self.pull_request {
            text += &format!("GitHub was not asked about the pull request: {}\n", printable(reason));
        }
        if self.changed_since {
            text += "The content has changed since; some findings may be fixed already.\n";
        }
        for item in &self.to_fix {
            let place = item.place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
            text += &format!(
                "  {} loop {} {} {}{place}\n",
                item.id,
                item.number,
                item.severity.word(),
                item.category.replace('\n', " ")
            );
            text += &item.message.lines().map(|line| format!("    | {line}\n")).collect::<String>();
            let fix = item.fix.iter().flat_map(|fix| fix.lines());
            text += &fix.map(|line| format!("    fix | {line}\n")).collect::<String>();
        }
        if self.more > 0 {
            text += &format!("  +{} more\n", self.more);
        }
        text + &format!("next: {}\n", self.then)
    }
}
