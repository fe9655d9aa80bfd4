//! The state of a task, computed from its events.

use super::event::TaskChange;
use super::review::{Shortfall, TaskIssue, TaskVerdict};
use super::status::TaskStatus;
use crate::pure::review::TreeId;
use serde::{Deserialize, Serialize};

/// The session and worktree that work on a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Worker {
    /// The client's session, if one is known.
    #[serde(default)]
    pub session: Option<String>,
    pub worktree: String,
}

/// A running review.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PendingReview {
    pub id: String,
    pub attempt: u32,
    pub tree: TreeId,
    pub command: String,
    pub model: String,
    /// The file with the reviewer's answer and its digest, once there is one.
    pub given: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub status: TaskStatus,
    pub worker: Option<Worker>,
    /// The number of failed reviews since the task was added or reopened.
    pub revisions: u32,
    /// The content that awaits a review or was reviewed last, and its worktree.
    pub submitted: Option<(TreeId, String)>,
    pub review: Option<PendingReview>,
    /// The content that failed the last review; the task is not handed in with the same content again.
    pub failed_tree: Option<TreeId>,
    /// Issues of the last review, as text.
    pub open_issues: Vec<String>,
    /// Why the task is blocked.
    pub reason: Option<String>,
}

impl State {
    pub fn of<'a>(history: impl Iterator<Item = &'a TaskChange>) -> Self {
        history.fold(Self::new(), |state, what| state.after(what))
    }

    pub(super) fn new() -> Self {
        Self {
            status: TaskStatus::Pending,
            worker: None,
            revisions: 0,
            submitted: None,
            review: None,
            failed_tree: None,
            open_issues: Vec::new(),
            reason: None,
        }
    }

    /// The number of the next review.
    pub fn attempt(&self) -> u32 {
        self.revisions + 1
    }

    pub(super) fn after(mut self, what: &TaskChange) -> Self {
        match what {
            TaskChange::Added | TaskChange::Redefined => {}
            TaskChange::Started(worker) => {
                self.status = TaskStatus::InProgress;
                self.worker = Some(worker.clone());
            }
            TaskChange::Released => {
                self.status = TaskStatus::Pending;
                self.worker = None;
            }
            TaskChange::Submitted { tree, worktree } => {
                self.status = TaskStatus::AwaitingReview;
                self.submitted = Some((tree.clone(), worktree.clone()));
                self.review = None;
            }
            TaskChange::Withdrawn => {
                self.status = TaskStatus::InProgress;
                self.review = None;
            }
            TaskChange::Completed => {
                self.status = TaskStatus::Complete;
                self.review = None;
            }
            TaskChange::ReviewStarted { review, attempt, tree, command, model } => {
                self.review = Some(PendingReview {
                    id: review.clone(),
                    attempt: *attempt,
                    tree: tree.clone(),
                    command: command.clone(),
                    model: model.clone(),
                    given: None,
                });
            }
            TaskChange::ReviewGiven { raw, digest, .. } => {
                if let Some(review) = &mut self.review {
                    review.given = Some((raw.clone(), digest.clone()));
                }
            }
            TaskChange::Reviewed(record) => {
                self.status = record.then;
                self.review = None;
                self.open_issues = record.issues.iter().map(TaskIssue::text).collect();
                match &record.shortfall {
                    Some(Shortfall::Changed(_)) => self.open_issues.clear(),
                    Some(Shortfall::Malformed(why)) => {
                        self.revisions += 1;
                        self.open_issues.push(format!("the review could not be read: {why}"));
                    }
                    None if record.result == TaskVerdict::Approved => self.revisions = 0,
                    None => {
                        self.revisions += 1;
                        self.failed_tree = Some(record.tree.clone());
                    }
                }
                self.reason = (record.then == TaskStatus::Blocked).then(|| blocked_by(record));
            }
            TaskChange::Blocked { reason } => {
                self.status = TaskStatus::Blocked;
                self.review = None;
                self.reason = Some(reason.clone());
            }
            TaskChange::Reopened { .. } => {
                self = Self { open_issues: self.open_issues, ..Self::new() };
            }
        }
        self
    }
}

fn blocked_by(record: &super::FinishedReview) -> String {
    match (record.result, record.blocking) {
        (TaskVerdict::Rejected, _) => format!("the review rejected it: {}", record.summary),
        (_, true) => format!("the review asks for a person: {}", record.summary),
        _ => format!("{} reviews failed, the limit of review.max_revisions", record.attempt),
    }
}
