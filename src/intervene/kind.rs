//! The five interventions, the gentlest first.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    SoftCorrection,
    ContextReinforcement,
    ResourceThrottling,
    CheckpointRollback,
    EmergencyStop,
}

impl Kind {
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
}
