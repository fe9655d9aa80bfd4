//! The one function through which a task moves. Every edge has one owner and a way back.

use super::event::What;
use super::review::{Issue, Record, Shortfall, Verdict};
use super::state::{State, Worker};
use super::status::Status;
use crate::review::TreeId;

/// What the settings say about reviews of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub enabled: bool,
    pub max_revisions: u32,
}

/// Who may make a move: commands are the worker's, results the reviewer's alone, and what was blocked a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    Worker,
    Reviewer,
    Person,
}

/// The name of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    Start,
    Release,
    Submit,
    Withdraw,
    BeginReview,
    GiveReview,
    Conclude,
    Block,
    Reopen,
}

/// One move with everything it needs to know.
#[derive(Debug, Clone)]
pub enum Action {
    Start {
        worker: Worker,
        /// Also if another session is at it.
        take_over: bool,
    },
    Release,
    /// Without content there is nothing that could be reviewed.
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

/// What a review came to, and what the content is at that moment.
#[derive(Debug, Clone)]
pub struct Conclusion {
    pub review: String,
    pub result: Verdict,
    pub issues: Vec<Issue>,
    pub summary: String,
    pub blocking: bool,
    pub raw: Option<String>,
    /// Why the words could not be read.
    pub malformed: Option<String>,
    /// Which files are other than those that were reviewed.
    pub changed: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("it is {}", .0.word())]
    Status(Status),
    #[error("another session works on it; `--take-over` if that one is over")]
    Worked,
    #[error(
        "the content is the one that the last review found wanting; mend what it named, then hand it in again"
    )]
    Unchanged,
    #[error("there is no git repository here, and a review belongs to content that git can name")]
    NoContent,
    #[error("the reviewer has spoken and its words wait to be read: `/parse-review` reads them")]
    Given,
    #[error(
        "it is worked on in another worktree; hand it in there, or `--take-over` it with `task start` here"
    )]
    WorkedElsewhere,
    #[error("it was handed in from another worktree; review it there")]
    Elsewhere,
    #[error("the content is another one than was handed in; hand it in again")]
    Moved,
    #[error("this review is not the one that is under way")]
    OtherReview,
}

/// A move as the table has it: from where to where, by whom, and by which move it is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub by: Move,
    pub from: &'static [Status],
    pub to: &'static [Status],
    pub owner: Owner,
    pub inverse: &'static [Move],
}

use Status::{AwaitingReview, Blocked, Complete, InProgress, NeedsRevision, Pending};

/// Every move there is. The exploration holds `transition` against this table.
pub const EDGES: [Edge; 9] = [
    Edge {
        by: Move::Start,
        from: &[Pending, InProgress, NeedsRevision],
        to: &[InProgress],
        owner: Owner::Worker,
        inverse: &[Move::Release],
    },
    Edge {
        by: Move::Release,
        from: &[InProgress, NeedsRevision],
        to: &[Pending],
        owner: Owner::Worker,
        inverse: &[Move::Start],
    },
    Edge {
        by: Move::Submit,
        from: &[InProgress, NeedsRevision, AwaitingReview],
        to: &[AwaitingReview, Complete],
        owner: Owner::Worker,
        inverse: &[Move::Withdraw, Move::Reopen],
    },
    Edge {
        by: Move::Withdraw,
        from: &[AwaitingReview],
        to: &[InProgress],
        owner: Owner::Worker,
        inverse: &[Move::Submit],
    },
    Edge {
        by: Move::BeginReview,
        from: &[AwaitingReview],
        to: &[AwaitingReview],
        owner: Owner::Reviewer,
        inverse: &[Move::Conclude, Move::Withdraw],
    },
    Edge {
        by: Move::GiveReview,
        from: &[AwaitingReview],
        to: &[AwaitingReview],
        owner: Owner::Reviewer,
        inverse: &[Move::Conclude],
    },
    Edge {
        by: Move::Conclude,
        from: &[AwaitingReview],
        to: &[Complete, NeedsRevision, InProgress, Blocked],
        owner: Owner::Reviewer,
        inverse: &[Move::Submit, Move::Reopen],
    },
    Edge {
        by: Move::Block,
        from: &[Pending, InProgress, NeedsRevision, AwaitingReview],
        to: &[Blocked],
        owner: Owner::Worker,
        inverse: &[Move::Reopen],
    },
    Edge {
        by: Move::Reopen,
        from: &[InProgress, NeedsRevision, AwaitingReview, Complete, Blocked],
        to: &[Pending],
        owner: Owner::Person,
        inverse: &[Move::Start],
    },
];

impl Action {
    pub fn name(&self) -> Move {
        match self {
            Self::Start { .. } => Move::Start,
            Self::Release => Move::Release,
            Self::Submit { .. } => Move::Submit,
            Self::Withdraw => Move::Withdraw,
            Self::BeginReview { .. } => Move::BeginReview,
            Self::GiveReview { .. } => Move::GiveReview,
            Self::Conclude(_) => Move::Conclude,
            Self::Block { .. } => Move::Block,
            Self::Reopen { .. } => Move::Reopen,
        }
    }
}

/// What happens if this is done to a task that stands so, or why nothing does.
pub fn transition(state: &State, action: Action, rules: Rules) -> Result<What, Refusal> {
    let allowed = EDGES.iter().find(|edge| edge.by == action.name());
    if !allowed.is_some_and(|edge| edge.from.contains(&state.status)) {
        return Err(Refusal::Status(state.status));
    }
    let given = state.review.as_ref().is_some_and(|review| review.given.is_some());
    match action {
        Action::Start { worker, take_over } => start(state, worker, take_over),
        Action::Release => Ok(What::Released),
        Action::Submit { .. } if !rules.enabled => Ok(What::Completed),
        // Who has heard the reviewer does not get another one for the asking.
        Action::Submit { .. } | Action::Withdraw | Action::BeginReview { .. } if given => Err(Refusal::Given),
        Action::Submit { tree, worktree } => submit(state, tree, worktree),
        Action::Withdraw => Ok(What::Withdrawn),
        Action::BeginReview { review, tree, worktree, command, model } => {
            submitted(state, &tree, &worktree)?;
            Ok(What::ReviewStarted { review, attempt: state.attempt(), tree, command, model })
        }
        Action::GiveReview { review, raw, digest } => match &state.review {
            Some(active) if active.id == review && active.given.is_none() => {
                Ok(What::ReviewGiven { review, raw, digest })
            }
            _ => Err(Refusal::OtherReview),
        },
        Action::Conclude(conclusion) => conclude(state, *conclusion, rules),
        Action::Block { reason } => Ok(What::Blocked { reason }),
        Action::Reopen { reason } => Ok(What::Reopened { reason }),
    }
}

fn start(state: &State, worker: Worker, take_over: bool) -> Result<What, Refusal> {
    let other = state.worker.as_ref().is_some_and(|at_it| *at_it != worker);
    if other && !take_over { Err(Refusal::Worked) } else { Ok(What::Started(worker)) }
}

fn submit(state: &State, tree: Option<TreeId>, worktree: String) -> Result<What, Refusal> {
    let tree = tree.ok_or(Refusal::NoContent)?;
    if state.worker.as_ref().is_some_and(|worker| worker.worktree != worktree) {
        return Err(Refusal::WorkedElsewhere);
    }
    if state.wanting.as_ref() == Some(&tree) {
        return Err(Refusal::Unchanged);
    }
    Ok(What::Submitted { tree, worktree })
}

/// A review is of what was handed in, where it was handed in.
fn submitted(state: &State, tree: &TreeId, worktree: &str) -> Result<(), Refusal> {
    match &state.submitted {
        Some((_, place)) if place != worktree => Err(Refusal::Elsewhere),
        Some((handed_in, _)) if handed_in == tree => Ok(()),
        _ => Err(Refusal::Moved),
    }
}

fn conclude(state: &State, conclusion: Conclusion, rules: Rules) -> Result<What, Refusal> {
    let Some(review) = state.review.as_ref().filter(|review| review.id == conclusion.review) else {
        return Err(Refusal::OtherReview);
    };
    let Conclusion { issues, summary, blocking, raw, malformed, changed, .. } = conclusion;
    let result = match &malformed {
        Some(_) => Verdict::NeedsRevision,
        None => conclusion.result.recomputed(&issues, blocking),
    };
    let shortfall = match (malformed, changed, result) {
        (Some(why), _, _) => Some(Shortfall::Malformed(why)),
        // Words about content that is gone are still worth hearing, but approve nothing.
        (None, Some(files), Verdict::Approved) => Some(Shortfall::Changed(files)),
        (None, _, _) => None,
    };
    let then = match (result, &shortfall) {
        (Verdict::Approved, None) => Status::Complete,
        (Verdict::Approved, Some(_)) => Status::InProgress,
        (Verdict::Rejected, _) => Status::Blocked,
        (Verdict::NeedsRevision, _) if blocking || review.attempt >= rules.max_revisions => Status::Blocked,
        (Verdict::NeedsRevision, _) => Status::NeedsRevision,
    };
    Ok(What::Reviewed(Box::new(Record {
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
