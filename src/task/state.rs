//! Where a task stands, folded from what happened to it.

use super::event::What;
use super::review::{Issue, Shortfall, Verdict};
use super::status::Status;
use crate::review::TreeId;
use serde::{Deserialize, Serialize};

/// Who works on a task, and where.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Worker {
    /// The client's session, if one is known.
    #[serde(default)]
    pub session: Option<String>,
    pub worktree: String,
}

/// A review that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Review {
    pub id: String,
    pub attempt: u32,
    pub tree: TreeId,
    pub command: String,
    pub model: String,
    /// The file with the reviewer's words, and their digest, once it has spoken.
    pub given: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub status: Status,
    pub worker: Option<Worker>,
    /// Reviews that failed since the task was added or reopened.
    pub revisions: u32,
    /// The content that awaits a review, or was reviewed last, and where it lies.
    pub submitted: Option<(TreeId, String)>,
    pub review: Option<Review>,
    /// Content that a review found wanting: it need not be handed in again.
    pub wanting: Option<TreeId>,
    /// What is to be mended, in words.
    pub open: Vec<String>,
    /// Why it is blocked.
    pub reason: Option<String>,
}

impl State {
    pub fn of<'a>(history: impl Iterator<Item = &'a What>) -> Self {
        history.fold(Self::new(), |state, what| state.after(what))
    }

    pub(super) fn new() -> Self {
        Self {
            status: Status::Pending,
            worker: None,
            revisions: 0,
            submitted: None,
            review: None,
            wanting: None,
            open: Vec::new(),
            reason: None,
        }
    }

    /// The number of the next review.
    pub fn attempt(&self) -> u32 {
        self.revisions + 1
    }

    pub(super) fn after(mut self, what: &What) -> Self {
        match what {
            What::Added | What::Redefined => {}
            What::Started(worker) => {
                self.status = Status::InProgress;
                self.worker = Some(worker.clone());
            }
            What::Released => {
                self.status = Status::Pending;
                self.worker = None;
            }
            What::Submitted { tree, worktree } => {
                self.status = Status::AwaitingReview;
                self.submitted = Some((tree.clone(), worktree.clone()));
                self.review = None;
            }
            What::Withdrawn => {
                self.status = Status::InProgress;
                self.review = None;
            }
            What::Completed => {
                self.status = Status::Complete;
                self.review = None;
            }
            What::ReviewStarted { review, attempt, tree, command, model } => {
                self.review = Some(Review {
                    id: review.clone(),
                    attempt: *attempt,
                    tree: tree.clone(),
                    command: command.clone(),
                    model: model.clone(),
                    given: None,
                });
            }
            What::ReviewGiven { raw, digest, .. } => {
                if let Some(review) = &mut self.review {
                    review.given = Some((raw.clone(), digest.clone()));
                }
            }
            What::Reviewed(record) => {
                self.status = record.then;
                self.review = None;
                self.open = record.issues.iter().map(Issue::text).collect();
                match &record.shortfall {
                    Some(Shortfall::Changed(_)) => self.open.clear(),
                    Some(Shortfall::Malformed(why)) => {
                        self.revisions += 1;
                        self.open.push(format!("the review could not be read: {why}"));
                    }
                    None if record.result == Verdict::Approved => self.revisions = 0,
                    None => {
                        self.revisions += 1;
                        self.wanting = Some(record.tree.clone());
                    }
                }
                self.reason = (record.then == Status::Blocked).then(|| blocked_by(record));
            }
            What::Blocked { reason } => {
                self.status = Status::Blocked;
                self.review = None;
                self.reason = Some(reason.clone());
            }
            What::Reopened { .. } => {
                self = Self { open: self.open, ..Self::new() };
            }
        }
        self
    }
}

fn blocked_by(record: &super::Record) -> String {
    match (record.result, record.blocking) {
        (Verdict::Rejected, _) => format!("the review rejected it: {}", record.summary),
        (_, true) => format!("the review asks for a person: {}", record.summary),
        _ => format!("{} reviews failed, which is as many as review.max_revisions allows", record.attempt),
    }
}
