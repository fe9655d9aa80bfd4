//! Content between the base and the tip of a push that the tip does not have: which of it no review saw.

use crate::app::failure::Failure;
use crate::edge::repo::{Git, LeavingTip, blobs_between, drafts};
use crate::pure::gate::witnesses;
use crate::pure::policy::Settings;
use crate::pure::review::{Draft, Evidence};

/// Older reviews are not asked; each costs a process.
const REVIEWS: usize = 64;

/// Versions of files that leave with this tip, although neither it nor its base has them.
pub(crate) fn tip_drafts(git: &Git, tip: &LeavingTip) -> Result<Vec<Draft>, Failure> {
    let ends: Vec<&str> =
        tip.base_tree.iter().map(|tree| tree.0.as_str()).chain([tip.commit.as_str()]).collect();
    Ok(drafts(git, &tip.introduced, &ends, &tip.pairs)?)
}

/// Those that a required loop has neither seen in a change nor in the history that it was given.
pub(crate) fn unseen(
    git: &Git,
    drafts: Vec<Draft>,
    evidence: &Evidence,
    settings: &Settings,
) -> Result<Vec<Draft>, Failure> {
    let mut left = Vec::new();
    for number in witnesses(&settings.blocking) {
        let mut open: Vec<&Draft> =
            drafts.iter().filter(|draft| !evidence.has_seen(number, &draft.id)).collect();
        for (base, head) in evidence.histories(number).into_iter().take(REVIEWS) {
            if open.is_empty() {
                break;
            }
            let given = blobs_between(git, base, head)?;
            open.retain(|draft| !given.contains(&draft.id));
        }
        left.extend(open);
    }
    Ok(drafts.iter().filter(|draft| left.contains(draft)).cloned().collect())
}
