//! Why the gate is shut, in words that a person can act on.

use super::facts::{Leak, Submodule};
use crate::review::GitPath;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Nothing has been reviewed yet.
    NoState,
    /// State exists but cannot be relied on.
    Unreliable {
        problem: String,
    },
    CouldNotCheck {
        what: String,
    },
    /// A required loop has never run.
    NotRun {
        number: u8,
    },
    /// A required loop ran on this content and did not pass.
    Failed {
        number: u8,
        blockers: Vec<String>,
    },
    Skipped {
        number: u8,
        why: String,
    },
    /// The content that a loop ran on is not the content that would leave.
    Stale {
        number: u8,
        tip: String,
        reviewed: String,
        current: String,
        files: Vec<GitPath>,
        /// Of these: reviewed, but not in what would leave.
        missing: Vec<GitPath>,
        /// Of these: untracked files that the review had not seen.
        stray: Vec<GitPath>,
    },
    /// The content is the same, but the policy that gave the evidence its meaning has changed.
    PolicyChanged {
        number: u8,
    },
    /// Changes that no reader has seen.
    Unread {
        number: u8,
        files: Vec<GitPath>,
    },
    Leaks {
        leaks: Vec<Leak>,
    },
    Submodule(Submodule),
}

impl Reason {
    /// The heading under which the hook reports it.
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
            | Self::Submodule(_) => "Ship gate: BLOCKED",
        }
    }

    /// What to do about it. `review` and `ship` are the commands as they are installed.
    pub fn remedy(&self, review: &str, ship: &str) -> String {
        match self {
            Self::NoState => format!("Run {review} before shipping"),
            Self::Unreliable { .. } => {
                format!("Run {review}: a fresh review starts new state and keeps the old files beside it")
            }
            Self::CouldNotCheck { .. } => {
                "Mend what could not be checked, then run `plimsoll gate why`".into()
            }
            Self::NotRun { number } => format!("Run {review} --loops {number}"),
            Self::Skipped { number, .. } => format!("Settle that, then run {review} --loops {number}"),
            Self::Failed { .. } => format!("Fix issues and run {review} again"),
            Self::Stale { files, stray, .. } if !stray.is_empty() && stray.len() == files.len() => {
                let options: Vec<String> = stray.iter().map(|path| format!("--leave-out {path}")).collect();
                format!("Run {ship} {} to ship without, or {review} to review with", options.join(" "))
            }
            Self::Stale { number: 1 | 4, missing, files, .. }
                if !missing.is_empty() && missing.len() == files.len() =>
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
            Self::Submodule(submodule) => format!("Push the submodule {} first", submodule.path),
        }
    }
}

impl fmt::Display for Reason {
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
                    write!(f, "Review state is for commit {reviewed}, current HEAD is {current}")?;
                }
                match (files.is_empty(), missing.len() == files.len()) {
                    (true, _) => write!(f, "; what it is based on has changed"),
                    (false, true) => write!(f, "; not in {tip}: {}", list(missing)),
                    (false, false) => write!(f, "; changed since: {}", list(files)),
                }
            }
            Self::PolicyChanged { number } => {
                write!(f, "Loop {number} ran under other settings than the ones that hold now")
            }
            Self::Unread { number, files } => write!(f, "Loop {number} has not read: {}", list(files)),
            Self::Leaks { leaks } => {
                let places: Vec<String> = leaks.iter().take(5).map(place).collect();
                write!(f, "Secrets would leave: {}", places.join(", "))
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

fn list(paths: &[GitPath]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = paths.len().saturating_sub(SHOWN);
    if more == 0 { shown.join(", ") } else { format!("{} +{more} more", shown.join(", ")) }
}
