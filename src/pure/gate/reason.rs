//! The reasons why the gate is closed, each with its remedy.

use super::facts::{Leak, Submodule};
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Draft, GitPath, ObjectId};
use crate::pure::text::{list, quoted_where_needed};
use std::collections::BTreeSet;
use std::fmt;

/// Names in a reason; the others are counted.
const SHOWN: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateReason {
    /// Nothing has been reviewed yet.
    NoState,
    /// The state exists, but is not reliable.
    Unreliable {
        problem: String,
    },
    CouldNotCheck {
        what: String,
    },
    /// A required loop has never run.
    NotRun {
        number: LoopNumber,
    },
    /// A required loop ran on this content and did not pass.
    Failed {
        number: LoopNumber,
        blockers: Vec<String>,
    },
    Skipped {
        number: LoopNumber,
        why: String,
    },
    /// The content that a loop ran on is not the content that would leave.
    Stale {
        number: LoopNumber,
        tip: String,
        /// The commit that HEAD was at, and the one that it is at now.
        reviewed: Option<ObjectId>,
        current: Option<ObjectId>,
        files: Vec<GitPath>,
        /// Reviewed files that would not leave.
        missing: Vec<GitPath>,
        /// Untracked files that were not reviewed.
        stray: Vec<GitPath>,
    },
    /// The content is the same, but the settings of the loop have changed.
    PolicyChanged {
        number: LoopNumber,
    },
    /// Files that no reviewer has read.
    Unread {
        number: LoopNumber,
        files: Vec<GitPath>,
    },
    Leaks {
        leaks: Vec<Leak>,
    },
    /// Commits made after the review hold content that no review saw.
    History {
        drafts: Vec<Draft>,
    },
    Submodule(Submodule),
}

impl GateReason {
    /// The heading of the hook's report.
    pub fn heading(&self) -> &'static str {
        match self {
            Self::NoState => "Ship gate: No review state",
            Self::Stale { .. } | Self::PolicyChanged { .. } => "Ship gate: Stale review",
            Self::Unreliable { .. }
            | Self::CouldNotCheck { .. }
            | Self::NotRun { .. }
            | Self::Failed { .. }
            | Self::Skipped { .. }
            | Self::Unread { .. }
            | Self::Leaks { .. }
            | Self::History { .. }
            | Self::Submodule(_) => "Ship gate: BLOCKED",
        }
    }

    /// The next action for all reasons: one review of their loops where that is all they need, or else the action for the
    /// first.
    pub(super) fn next_step(reasons: &[Self], review: &str, ship: &str) -> Option<String> {
        let loops: Option<BTreeSet<LoopNumber>> = reasons.iter().map(Self::loop_to_run).collect();
        match loops {
            Some(loops) if loops.len() > 1 => {
                let numbers: Vec<String> = loops.iter().map(ToString::to_string).collect();
                Some(format!("Run {review} --loops {}", numbers.join(",")))
            }
            Some(_) | None => reasons.first().map(|first| first.remedy(review, ship)),
        }
    }

    /// The loop whose run settles this reason.
    fn loop_to_run(&self) -> Option<LoopNumber> {
        match self {
            Self::NotRun { number } | Self::PolicyChanged { number } | Self::Unread { number, .. } => {
                Some(*number)
            }
            // Where stray or missing files alone differ, a person may leave out or commit these instead.
            Self::Stale { number, files, missing, stray, .. } => {
                let only = |some: &[GitPath]| !some.is_empty() && some.len() == files.len();
                (!only(stray) && (number.has_reviewer() || !only(missing))).then_some(*number)
            }
            Self::NoState
            | Self::Unreliable { .. }
            | Self::CouldNotCheck { .. }
            | Self::Failed { .. }
            | Self::Skipped { .. }
            | Self::Leaks { .. }
            | Self::History { .. }
            | Self::Submodule(_) => None,
        }
    }

    /// The next action. `review` and `ship`: the installed names of the commands.
    pub fn remedy(&self, review: &str, ship: &str) -> String {
        match self {
            Self::NoState => format!("Run {review} before shipping"),
            Self::Unreliable { .. } => {
                format!("Run {review}: a fresh review starts new state and keeps the old files beside it")
            }
            Self::CouldNotCheck { .. } => "Fix the cause, then try again".into(),
            Self::NotRun { number } => format!("Run {review} --loops {number}"),
            Self::Skipped { number, .. } => format!("Settle that, then run {review} --loops {number}"),
            Self::Failed { .. } => format!("Fix issues and run {review} again"),
            Self::Stale { files, stray, .. } if !stray.is_empty() && stray.len() == files.len() => {
                let options: Vec<String> = stray
                    .iter()
                    .map(|path| format!("--leave-out {}", quoted_where_needed(&path.to_string())))
                    .collect();
                format!("Run {ship} {} to ship without it, or {review} to review it", options.join(" "))
            }
            Self::Stale { number, missing, files, .. }
                if !number.has_reviewer() && !missing.is_empty() && missing.len() == files.len() =>
            {
                format!("Commit the missing files too, or run {review} on what is left")
            }
            Self::Stale { number, .. } | Self::PolicyChanged { number } => {
                format!("Run {review} again ({review} --loops {number} is enough)")
            }
            Self::Unread { number, .. } => format!("Run {review} --loops {number}"),
            Self::Leaks { leaks } if leaks.iter().all(|leak| leak.commit.is_some()) => {
                "Rotate the secret, then rewrite the commits without it (git rebase -i, squash)".into()
            }
            Self::Leaks { .. } => "Remove the secret (and rotate it if it was ever real)".into(),
            Self::History { .. } => {
                "Squash the commits since the review, so that only reviewed content leaves (git reset --soft, git commit)".into()
            }
            Self::Submodule(submodule) => format!("Push the submodule {} first", submodule.path),
        }
    }
}

impl fmt::Display for GateReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoState => f.write_str("No review state found"),
            Self::Unreliable { problem } => write!(f, "Cannot read review state: {problem}"),
            Self::CouldNotCheck { what } => write!(f, "Could not check: {what}"),
            Self::NotRun { number } => write!(f, "Loop {number} not run"),
            Self::Failed { number, blockers } => write!(f, "Loop {number} failed: {}", blockers.join("; ")),
            Self::Skipped { number, why } => write!(f, "Loop {number} was skipped: {why}"),
            Self::Stale { number, tip, reviewed, current, files, missing, .. } => {
                if reviewed == current {
                    write!(f, "Loop {number} ran on other content than {tip}")?;
                } else {
                    let name = |id: &Option<ObjectId>| {
                        id.as_ref().map_or("(none)".into(), |id| id.short().to_owned())
                    };
                    let (reviewed, current) = (name(reviewed), name(current));
                    write!(f, "Review state is for commit {reviewed}, current HEAD is {current}")?;
                }
                match (files.is_empty(), missing.len() == files.len()) {
                    (true, _) => write!(f, "; its base has changed"),
                    (false, true) => write!(f, "; not in {tip}: {}", list(missing, SHOWN)),
                    (false, false) => write!(f, "; changed since: {}", list(files, SHOWN)),
                }
            }
            Self::PolicyChanged { number } => {
                write!(f, "Loop {number} ran under other settings than the current ones")
            }
            Self::Unread { number, files } => write!(f, "Loop {number} has not read: {}", list(files, SHOWN)),
            Self::Leaks { leaks } => {
                let places: Vec<String> = leaks.iter().take(5).map(place).collect();
                write!(f, "Secrets would leave: {}", places.join(", "))
            }
            Self::History { drafts } => {
                let mut places: Vec<String> = drafts
                    .iter()
                    .map(|draft| format!("{} in commit {}", draft.path, draft.commit.short()))
                    .collect();
                places.dedup();
                write!(f, "Content that no review saw would leave with the history: {}", list(&places, SHOWN))
            }
            Self::Submodule(submodule) => {
                let state = if submodule.published.is_some() {
                    "is not on its remote"
                } else {
                    "could not be checked"
                };
                write!(f, "Submodule {} moves to {}, which {state}", submodule.path, submodule.commit.short())
            }
        }
    }
}

fn place(leak: &Leak) -> String {
    let commit =
        leak.commit.as_ref().map(|commit| format!(" in commit {}", commit.short())).unwrap_or_default();
    format!("{} at {}:{}{commit}", leak.rule, leak.path, leak.line)
}
