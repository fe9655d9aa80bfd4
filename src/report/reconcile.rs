//! What is to be mended, and where that is known from: data for the agent that mends it.

use super::printable;
use super::unified::plain;
use crate::review::{Finding, FindingId, Severity};
use serde::Serialize;

/// Where the work comes from, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconcileSource {
    /// Open findings of a reader.
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
            Self::None => "nothing to mend",
        }
    }
}

/// One thing to mend. `message`, `quote` and `fix` are words of others: data, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToMend {
    pub id: FindingId,
    #[serde(rename = "loop")]
    pub number: u8,
    pub severity: Severity,
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
    /// The content has changed since; some of it may be mended already.
    pub changed_since: bool,
    /// The most severe first.
    pub to_mend: Vec<ToMend>,
    pub more: usize,
    pub then: String,
}

/// The longest message that is handed on; a log has the rest.
const MESSAGE: usize = 600;

impl ToMend {
    pub fn new(number: u8, finding: &Finding, rounds: usize) -> Self {
        Self {
            id: finding.id(),
            number,
            severity: finding.severity,
            category: short(&finding.category),
            place: finding.place().map(|place| short(&place)),
            quote: finding.quote.as_deref().map(short),
            message: short(&finding.message),
            fix: finding.fix.as_deref().map(short),
            rounds,
        }
    }
}

/// Without anything that hides or turns text, and bounded.
fn short(text: &str) -> String {
    let lines: Vec<String> = plain(text).lines().map(printable).collect();
    let text = lines.join("\n");
    let mut kept: String = text.chars().take(MESSAGE).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

impl Reconcile {
    /// The first `limit` things to mend, the most severe first.
    #[must_use]
    pub fn limited(mut self, limit: usize) -> Self {
        self.to_mend.sort_by(|one, other| {
            (one.severity, one.number, &one.place).cmp(&(other.severity, other.number, &other.place))
        });
        self.more = self.to_mend.len().saturating_sub(limit);
        self.to_mend.truncate(limit);
        self
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("To mend: {}\n", self.source.words());
        if self.changed_since {
            text += "The content has changed since; some of it may be mended already.\n";
        }
        for item in &self.to_mend {
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
        text + &format!("Then: {}\n", self.then)
    }
}
