//! The five interventions, the gentlest first.

use crate::pure::policy::Interventions;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionKind {
    SoftCorrection,
    ContextReinforcement,
    ResourceThrottling,
    CheckpointRollback,
    EmergencyStop,
}

impl InterventionKind {
    pub const ALL: [Self; 5] = [
        Self::SoftCorrection,
        Self::ContextReinforcement,
        Self::ResourceThrottling,
        Self::CheckpointRollback,
        Self::EmergencyStop,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::SoftCorrection => "soft_correction",
            Self::ContextReinforcement => "context_reinforcement",
            Self::ResourceThrottling => "resource_throttling",
            Self::CheckpointRollback => "checkpoint_rollback",
            Self::EmergencyStop => "emergency_stop",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// One step harder; a stop stays one.
    #[must_use]
    pub fn harder(self) -> Self {
        Self::ALL.into_iter().find(|kind| *kind > self).unwrap_or(self)
    }

    /// One step gentler; a soft correction stays one.
    #[must_use]
    pub fn gentler(self) -> Self {
        Self::ALL.into_iter().rev().find(|kind| *kind < self).unwrap_or(self)
    }

    pub fn is_enabled(self, policy: &Interventions) -> bool {
        match self {
            Self::SoftCorrection => policy.soft_correction.enabled,
            Self::ContextReinforcement => policy.context_reinforcement.enabled,
            Self::ResourceThrottling => policy.resource_throttling.enabled,
            Self::CheckpointRollback => policy.checkpoint_rollback.enabled,
            Self::EmergencyStop => policy.emergency_stop.enabled,
        }
    }

    /// Itself if it is switched on; otherwise the next harder one below a stop, or else the hardest gentler one.
    pub fn or_enabled(self, policy: &Interventions) -> Option<Self> {
        let below_stop = |kind: &Self| *kind < Self::EmergencyStop && kind.is_enabled(policy);
        if self.is_enabled(policy) {
            return Some(self);
        }
        let harder = Self::ALL.into_iter().find(|kind| *kind > self && below_stop(kind));
        harder.or_else(|| Self::ALL.into_iter().rev().find(|kind| *kind < self && below_stop(kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_is_switched_off_is_replaced_but_never_by_a_stop() {
        let without = |off: &[InterventionKind]| {
            let mut policy = Interventions::default();
            policy.soft_correction.enabled = !off.contains(&InterventionKind::SoftCorrection);
            policy.context_reinforcement.enabled = !off.contains(&InterventionKind::ContextReinforcement);
            policy.resource_throttling.enabled = !off.contains(&InterventionKind::ResourceThrottling);
            policy.checkpoint_rollback.enabled = !off.contains(&InterventionKind::CheckpointRollback);
            policy.emergency_stop.enabled = !off.contains(&InterventionKind::EmergencyStop);
            policy
        };
        use InterventionKind::*;
        for (wanted, off, given) in [
            (SoftCorrection, &[][..], Some(SoftCorrection)),
            (SoftCorrection, &[SoftCorrection], Some(ContextReinforcement)),
            (SoftCorrection, &[SoftCorrection, ContextReinforcement], Some(ResourceThrottling)),
            (ResourceThrottling, &[ResourceThrottling], Some(CheckpointRollback)),
            (CheckpointRollback, &[CheckpointRollback], Some(ResourceThrottling)),
            (EmergencyStop, &[EmergencyStop], Some(CheckpointRollback)),
            (EmergencyStop, &[EmergencyStop, CheckpointRollback], Some(ResourceThrottling)),
            (
                SoftCorrection,
                &[SoftCorrection, ContextReinforcement, ResourceThrottling, CheckpointRollback],
                None,
            ),
        ] {
            assert_eq!(wanted.or_enabled(&without(off)), given, "{wanted:?} without {off:?}");
        }
    }

    #[test]
    fn steps_end_at_both_ends() {
        assert_eq!(InterventionKind::SoftCorrection.gentler(), InterventionKind::SoftCorrection);
        assert_eq!(InterventionKind::EmergencyStop.harder(), InterventionKind::EmergencyStop);
        for kind in InterventionKind::ALL {
            assert_eq!(InterventionKind::named(kind.name()), Some(kind));
        }
    }
}
