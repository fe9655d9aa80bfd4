//! The one function that changes the state of a task. The tests list who may take which action, and how it is undone.

use super::event::TaskChange;
use super::review::{FinishedReview, Shortfall, TaskIssue, TaskVerdict};
use super::state::{State, Worker};
use super::status::TaskStatus;
use crate::pure::review::TreeId;

/// The settings for task reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TaskRules {
    pub enabled: bool,
    pub max_revisions: u32,
}

/// An action on a task, with its arguments.
#[derive(Debug, Clone)]
pub(crate) enum TaskAction {
    Start {
        worker: Worker,
        /// Start even if another session works on the task.
        take_over: bool,
    },
    Release,
    /// `tree`: `None` outside a repository.
    Submit {
        tree: Option<TreeId>,
        worktree: String,
    },
    Withdraw,
    BeginReview {
        review: String,
        tree: TreeId,
        worktree: String,
        command: String,
        model: String,
    },
    GiveReview {
        review: String,
        raw: String,
        digest: String,
    },
    Conclude(Box<Conclusion>),
    Block {
        reason: String,
    },
    Reopen {
        reason: String,
    },
}

/// The result of a review, and the content at that moment.
#[derive(Debug, Clone)]
pub(crate) struct Conclusion {
    pub review: String,
    pub result: TaskVerdict,
    pub issues: Vec<TaskIssue>,
    pub summary: String,
    pub blocking: bool,
    pub raw: Option<String>,
    /// Why the answer could not be parsed.
    pub malformed: Option<String>,
    /// Files that changed since the review started.
    pub changed: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskRefusal {
    #[error("the task is {}", .0.word())]
    Status(TaskStatus),
    #[error("another session works on the task; use `--take-over` if that session has ended")]
    Worked,
    #[error(
        "the content is the same that failed the last review; fix the named issues, then hand the task in again"
    )]
    Unchanged,
    #[error("there is no git repository here, and a review needs one; run `git init`")]
    NoContent,
    #[error("the reviewer has answered, but the answer is not parsed yet; run `/parse-review ID`")]
    Given,
    #[error(
        "another worktree works on the task; hand it in there, or run `plimsoll task start --take-over ID` here"
    )]
    WorkedElsewhere,
    #[error("the task was handed in from another worktree; review it there")]
    Elsewhere,
    #[error("the content changed after the task was handed in; hand it in again")]
    Moved,
    #[error("another review of the task is running")]
    OtherReview,
}

impl TaskAction {
    /// The states in which a task accepts the action.
    fn accepted_in(&self) -> &'static [TaskStatus] {
        use TaskStatus::{AwaitingReview, Blocked, Complete, InProgress, NeedsRevision, Pending};
        match self {
            Self::Start { .. } => &[Pending, InProgress, NeedsRevision],
            Self::Release => &[InProgress, NeedsRevision],
            Self::Submit { .. } => &[InProgress, NeedsRevision, AwaitingReview],
            Self::Withdraw | Self::BeginReview { .. } | Self::GiveReview { .. } | Self::Conclude(_) => {
                &[AwaitingReview]
            }
            Self::Block { .. } => &[Pending, InProgress, NeedsRevision, AwaitingReview],
            Self::Reopen { .. } => &[InProgress, NeedsRevision, AwaitingReview, Complete, Blocked],
        }
    }
}

/// The change that an action makes to a task in this state, or why the task refuses it.
pub(crate) fn transition(
    state: &State,
    action: TaskAction,
    rules: TaskRules,
) -> Result<TaskChange, TaskRefusal> {
    if !action.accepted_in().contains(&state.status) {
        return Err(TaskRefusal::Status(state.status));
    }
    let given = state.review.as_ref().is_some_and(|review| review.given.is_some());
    match action {
        TaskAction::Start { worker, take_over } => start(state, worker, take_over),
        TaskAction::Release => Ok(TaskChange::Released),
        TaskAction::Submit { .. } if !rules.enabled => Ok(TaskChange::Completed),
        // A worker that knows the review gets no second reviewer for the same content.
        TaskAction::Submit { .. } | TaskAction::Withdraw | TaskAction::BeginReview { .. } if given => {
            Err(TaskRefusal::Given)
        }
        TaskAction::Submit { tree, worktree } => submit(state, tree, worktree),
        TaskAction::Withdraw => Ok(TaskChange::Withdrawn),
        TaskAction::BeginReview { review, tree, worktree, command, model } => {
            submitted(state, &tree, &worktree)?;
            Ok(TaskChange::ReviewStarted { review, attempt: state.attempt(), tree, command, model })
        }
        TaskAction::GiveReview { review, raw, digest } => match &state.review {
            Some(active) if active.id == review && active.given.is_none() => {
                Ok(TaskChange::ReviewGiven { review, raw, digest })
            }
            _ => Err(TaskRefusal::OtherReview),
        },
        TaskAction::Conclude(conclusion) => conclude(state, *conclusion, rules),
        TaskAction::Block { reason } => Ok(TaskChange::Blocked { reason }),
        TaskAction::Reopen { reason } => Ok(TaskChange::Reopened { reason }),
    }
}

fn start(state: &State, worker: Worker, take_over: bool) -> Result<TaskChange, TaskRefusal> {
    let other = state.worker.as_ref().is_some_and(|at_it| *at_it != worker);
    if other && !take_over { Err(TaskRefusal::Worked) } else { Ok(TaskChange::Started(worker)) }
}

fn submit(state: &State, tree: Option<TreeId>, worktree: String) -> Result<TaskChange, TaskRefusal> {
    let tree = tree.ok_or(TaskRefusal::NoContent)?;
    if state.worker.as_ref().is_some_and(|worker| worker.worktree != worktree) {
        return Err(TaskRefusal::WorkedElsewhere);
    }
    if state.failed_tree.as_ref() == Some(&tree) {
        return Err(TaskRefusal::Unchanged);
    }
    Ok(TaskChange::Submitted { tree, worktree })
}

/// A review needs the content and the worktree that were handed in.
fn submitted(state: &State, tree: &TreeId, worktree: &str) -> Result<(), TaskRefusal> {
    match &state.submitted {
        Some((_, place)) if place != worktree => Err(TaskRefusal::Elsewhere),
        Some((handed_in, _)) if handed_in == tree => Ok(()),
        _ => Err(TaskRefusal::Moved),
    }
}

fn conclude(state: &State, conclusion: Conclusion, rules: TaskRules) -> Result<TaskChange, TaskRefusal> {
    let Some(review) = state.review.as_ref().filter(|review| review.id == conclusion.review) else {
        return Err(TaskRefusal::OtherReview);
    };
    let Conclusion { issues, summary, blocking, raw, malformed, changed, .. } = conclusion;
    let result = match &malformed {
        Some(_) => TaskVerdict::NeedsRevision,
        None => conclusion.result.recomputed(&issues, blocking),
    };
    let shortfall = match (malformed, changed, result) {
        (Some(why), _, _) => Some(Shortfall::Malformed(why)),
        // A review of changed content may ask for a revision, but approves nothing.
        (None, Some(files), TaskVerdict::Approved) => Some(Shortfall::Changed(files)),
        (None, _, _) => None,
    };
    let then = match (result, &shortfall) {
        (TaskVerdict::Approved, None) => TaskStatus::Complete,
        (TaskVerdict::Approved, Some(_)) => TaskStatus::InProgress,
        (TaskVerdict::Rejected, _) => TaskStatus::Blocked,
        (TaskVerdict::NeedsRevision, _) if blocking || review.attempt >= rules.max_revisions => {
            TaskStatus::Blocked
        }
        (TaskVerdict::NeedsRevision, _) => TaskStatus::NeedsRevision,
    };
    Ok(TaskChange::Reviewed(Box::new(FinishedReview {
        review: review.id.clone(),
        attempt: review.attempt,
        result,
        issues,
        summary,
        blocking,
        command: review.command.clone(),
        model: review.model.clone(),
        tree: review.tree.clone(),
        raw,
        shortfall,
        then,
    })))
}
