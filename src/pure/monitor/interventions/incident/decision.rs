//! A person's decision about an incident.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IncidentDecision {
    /// `resume_with_limits`, `rollback_and_retry`, `manual_intervention`, `abort` or `--end`.
    pub choice: String,
    /// `terminal` or `dialog`.
    pub by: String,
    pub time: String,
}

impl IncidentDecision {
    /// How the project stands since the decision.
    pub fn meaning(&self) -> &'static str {
        match self.choice.as_str() {
            "resume_with_limits" => {
                "Work goes on with stricter limits. `plimsoll recover --end` removes the limits."
            }
            "rollback_and_retry" => {
                "The files of the last safe checkpoint were restored, and the project is unlocked. `plimsoll undo` undoes the restore."
            }
            "manual_intervention" => {
                "A person approves every write, deletion and command. `plimsoll recover --end` ends that."
            }
            "abort" => "The work was aborted. The project stays locked until `plimsoll recover --end`.",
            _ => "The project is unlocked.",
        }
    }
}
