//! The controller: whether an issue gets an intervention now, and which.

use super::history::{Delivered, InterventionHistory, JUDGED_AFTER_CALLS};
use super::kind::InterventionKind;
use super::strategy::{WantedIntervention, wanted};
use crate::pure::monitor::patterns::{Issue, IssueSeverity};
use crate::pure::policy::{Interventions, RollbackMode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InterventionChoice {
    Leave(LeaveReason),
    Act { kind: InterventionKind, escalated: bool },
}

/// Why there is no intervention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaveReason {
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
pub(crate) fn choose(
    issue: &Issue,
    history: &InterventionHistory,
    policy: &Interventions,
    now: u64,
    calls: u64,
) -> InterventionChoice {
    match reason_to_wait(issue, history, policy, now, calls) {
        Some(left) => InterventionChoice::Leave(left),
        None => choice_from(wanted(issue, history, policy, now), issue, history, policy),
    }
}

/// Why the issue gets no intervention now, whatever the strategy is. Checked before a handler starts.
pub(crate) fn reason_to_wait(
    issue: &Issue,
    history: &InterventionHistory,
    policy: &Interventions,
    now: u64,
    calls: u64,
) -> Option<LeaveReason> {
    if !policy.enabled {
        return Some(LeaveReason::Off);
    }
    if issue.severity == IssueSeverity::Note {
        return Some(LeaveReason::Noted);
    }
    // A cause that has become worse gets an intervention at once.
    let no_worse = || history.about(issue.cause).filter(|one| one.severity >= issue.severity);
    let cooldown = policy.intervention_cooldown_seconds.saturating_mul(1000);
    let cooling = |one: &Delivered| now.checked_sub(one.time).is_some_and(|age| age < cooldown);
    let soon = |one: &Delivered| calls.saturating_sub(one.calls) < JUDGED_AFTER_CALLS;
    if no_worse().any(cooling) {
        return Some(LeaveReason::Cooling);
    }
    no_worse().any(soon).then_some(LeaveReason::TooSoon)
}

/// The intervention that the settings leave of the wanted one: attempts, disabled kinds, and the maximum per prompt.
pub(crate) fn choice_from(
    wanted: WantedIntervention,
    issue: &Issue,
    history: &InterventionHistory,
    policy: &Interventions,
) -> InterventionChoice {
    let WantedIntervention { mut kind, mut escalated } = wanted;
    let delivered = |kind| history.about(issue.cause).filter(|one| one.kind == kind).count();
    let used_up = |kind, most: u32| delivered(kind) >= most as usize;
    if kind == InterventionKind::SoftCorrection && used_up(kind, policy.soft_correction.max_attempts) {
        (kind, escalated) = (kind.harder(), true);
    }
    if kind == InterventionKind::CheckpointRollback
        && used_up(kind, policy.checkpoint_rollback.max_rollback_depth)
    {
        (kind, escalated) = (kind.harder(), true);
    }
    let Some(kind) = kind.or_enabled(policy) else {
        return InterventionChoice::Leave(LeaveReason::NoneEnabled);
    };
    let is_over = history.since_prompt >= u64::from(policy.max_interventions_per_execution);
    if is_over && kind != InterventionKind::EmergencyStop {
        return InterventionChoice::Leave(LeaveReason::UsedUp);
    }
    InterventionChoice::Act { kind, escalated }
}

/// Whether the files are restored without asking.
pub(crate) fn restores_by_itself(kind: InterventionKind, policy: &Interventions) -> bool {
    kind == InterventionKind::CheckpointRollback && policy.checkpoint_rollback.mode == RollbackMode::Automatic
}

#[cfg(test)]
mod tests;
