//! The controller: whether an issue gets an intervention now, and which.

use super::history::{Delivered, History, JUDGED_AFTER_CALLS};
use super::kind::Kind;
use super::strategy::{Wanted, wanted};
use crate::pattern::{Issue, Severity};
use crate::policy::{Interventions, RollbackMode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Leave(Left),
    Act { kind: Kind, escalated: bool },
}

/// Why nothing is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Interventions are switched off.
    Off,
    /// Only worth recording.
    Noted,
    /// The last one about it was less than `intervention_cooldown_seconds` ago.
    Cooling,
    /// It was less than five calls ago.
    TooSoon,
    /// `max_interventions_per_execution` of this prompt are used up.
    UsedUp,
    /// Every kind that would do is switched off.
    NoneEnabled,
}

/// Whether the issue gets an intervention now, and which.
pub fn choose(issue: &Issue, history: &History, policy: &Interventions, now: u64, calls: u64) -> Choice {
    match waits(issue, history, policy, now, calls) {
        Some(left) => Choice::Leave(left),
        None => settle(wanted(issue, history, policy, now), issue, history, policy),
    }
}

/// Why the issue gets nothing now, whatever a strategy would say: asked before a handler is started.
pub fn waits(issue: &Issue, history: &History, policy: &Interventions, now: u64, calls: u64) -> Option<Left> {
    if !policy.enabled {
        return Some(Left::Off);
    }
    if issue.severity == Severity::Note {
        return Some(Left::Noted);
    }
    // A cause that has become worse is spoken about at once.
    let no_worse = || history.about(issue.cause).filter(|one| one.severity >= issue.severity);
    let cooldown = policy.intervention_cooldown_seconds.saturating_mul(1000);
    let cooling = |one: &Delivered| now.checked_sub(one.time).is_some_and(|age| age < cooldown);
    let soon = |one: &Delivered| calls.saturating_sub(one.calls) < JUDGED_AFTER_CALLS;
    if no_worse().any(cooling) {
        return Some(Left::Cooling);
    }
    no_worse().any(soon).then_some(Left::TooSoon)
}

/// What becomes of a wish: attempts used up, kinds switched off, and how many there may be.
pub fn settle(wish: Wanted, issue: &Issue, history: &History, policy: &Interventions) -> Choice {
    let Wanted { mut kind, mut escalated } = wish;
    let delivered = |kind| history.about(issue.cause).filter(|one| one.kind == kind).count();
    let used_up = |kind, most: u32| delivered(kind) >= most as usize;
    if kind == Kind::SoftCorrection && used_up(kind, policy.soft_correction.max_attempts) {
        (kind, escalated) = (kind.harder(), true);
    }
    if kind == Kind::CheckpointRollback && used_up(kind, policy.checkpoint_rollback.max_rollback_depth) {
        (kind, escalated) = (kind.harder(), true);
    }
    let Some(kind) = kind.or_enabled(policy) else { return Choice::Leave(Left::NoneEnabled) };
    let is_over = history.since_prompt >= u64::from(policy.max_interventions_per_execution);
    if is_over && kind != Kind::EmergencyStop {
        return Choice::Leave(Left::UsedUp);
    }
    Choice::Act { kind, escalated }
}

/// Whether the files are restored without asking.
pub fn restores_by_itself(kind: Kind, policy: &Interventions) -> bool {
    kind == Kind::CheckpointRollback && policy.checkpoint_rollback.mode == RollbackMode::Automatic
}

#[cfg(test)]
mod tests;
