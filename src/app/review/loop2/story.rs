//! The history of a change, as far as it leaves: messages of commits and tags, and versions that the diff does not show.

use super::material::withheld;
use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::edge::repo::{between, drafts, messages, tags};
use crate::pure::review::ObjectId;
use crate::pure::secret::{redact, redact_code};

/// Messages of more commits are not shown.
const COMMITS: usize = 200;

/// Redacted, each entry on its own.
#[derive(Default)]
pub(crate) struct Story {
    /// All new commits, and as many older ones as the settings ask for.
    pub commits: Vec<String>,
    pub tags: Vec<String>,
    /// `path in commit: line`
    pub drafts: Vec<String>,
}

impl Story {
    pub fn of(change: &Change) -> Result<Self, Failure> {
        let Some(head) = &change.head else { return Ok(Self::default()) };
        let wanted = usize::try_from(change.settings.loop2.include_commits).unwrap_or(COMMITS);
        let base = change.base.commit.as_ref();
        let redacted = |texts: Vec<String>| texts.iter().map(|text| redact(text)).collect();
        let tags = redacted(tags(&change.git, base, head)?);
        let (new, lines) = match base {
            Some(base) if base != head => new_versions(change, base, head)?,
            Some(_) | None => (0, Vec::new()),
        };
        let commits = redacted(messages(&change.git, head, wanted.max(new.min(COMMITS)))?);
        Ok(Self { commits, tags, drafts: lines })
    }
}

/// The number of new messages, and the lines of versions between the base and the content under review.
fn new_versions(change: &Change, base: &ObjectId, head: &ObjectId) -> Result<(usize, Vec<String>), Failure> {
    let tip = between(&change.git, base, head)?;
    let git = change.snapshot.git();
    let ends = [base.as_str(), head.as_str(), change.snapshot.tree.0.as_str()];
    let mut lines = Vec::new();
    for draft in drafts(git, &tip.introduced, &ends, &change.pairs)? {
        let place = format!("{} in {}", draft.path, draft.commit.short());
        match withheld(&draft.path) {
            Some(why) => lines.push(format!("{place}: {why}")),
            None => {
                let text = redact_code(&draft.lines.join("\n"));
                lines.extend(text.lines().map(|line| format!("{place}: {line}")));
            }
        }
    }
    Ok((tip.messages.len(), lines))
}
