//! The four recovery options after a stop. Only a person chooses one.

use super::Incident;
use crate::pure::monitor::interventions::limits::SessionLimits;
use crate::pure::monitor::interventions::situation::CheckpointSummary;
use crate::pure::text::and_more;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Recovery {
    ResumeWithLimits,
    RollbackAndRetry,
    ManualIntervention,
    Abort,
}

impl Recovery {
    pub const ALL: [Self; 4] =
        [Self::ResumeWithLimits, Self::RollbackAndRetry, Self::ManualIntervention, Self::Abort];

    pub fn name(self) -> &'static str {
        match self {
            Self::ResumeWithLimits => "resume_with_limits",
            Self::RollbackAndRetry => "rollback_and_retry",
            Self::ManualIntervention => "manual_intervention",
            Self::Abort => "abort",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Self::ResumeWithLimits => "Resume with stricter limits; risky calls need your approval",
            Self::RollbackAndRetry => "Restore the files of the last safe checkpoint, then try again",
            Self::ManualIntervention => {
                "Resume with your approval of every write, deletion and command; reads are allowed"
            }
            Self::Abort => "Stop here: the project stays locked, and the cleanup tasks are listed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RecoveryOption {
    pub option: Recovery,
    pub description: &'static str,
    /// To be typed in the session.
    pub command: String,
    /// To be typed in a terminal.
    pub terminal_command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<LimitedChanges>,
    /// Of `rollback_and_retry`; without one it cannot be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_config: Option<ApprovalConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleanup_required: Vec<String>,
    /// Why it would not work now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct LimitedChanges {
    pub resource_limits: SessionLimits,
    /// The tools that pass without a question.
    pub allowed_tools: Vec<&'static str>,
    pub monitoring_level: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ApprovalConfig {
    pub require_approval_for: Vec<&'static str>,
    pub auto_approve: Vec<&'static str>,
}

/// All four, each with what it would do here.
pub(crate) fn recovery_options(incident: &Incident) -> Vec<RecoveryOption> {
    let state = &incident.state_snapshot;
    let plain = |option: Recovery| RecoveryOption {
        option,
        description: option.description(),
        command: format!("{} {}", incident.context.recover, option.name()),
        terminal_command: format!("plimsoll recover {}", option.name()),
        changes: None,
        checkpoint: None,
        approval_config: None,
        cleanup_required: Vec::new(),
        unavailable: None,
    };
    let detailed = |option: Recovery| match option {
        Recovery::ResumeWithLimits => RecoveryOption {
            changes: Some(LimitedChanges {
                resource_limits: state.limits.strict(),
                allowed_tools: vec!["file_read", "file_creation", "file_modification", "system_command"],
                monitoring_level: "strict",
            }),
            ..plain(option)
        },
        Recovery::RollbackAndRetry => RecoveryOption {
            checkpoint: state.checkpoint.clone(),
            unavailable: state
                .checkpoint
                .is_none()
                .then_some("there is no safe checkpoint from before the issue began"),
            ..plain(option)
        },
        Recovery::ManualIntervention => RecoveryOption {
            approval_config: Some(ApprovalConfig {
                require_approval_for: vec!["file_write", "file_delete", "system_command"],
                auto_approve: vec!["file_read"],
            }),
            ..plain(option)
        },
        Recovery::Abort => RecoveryOption { cleanup_required: cleanup(incident), ..plain(option) },
    };
    Recovery::ALL.map(detailed).into()
}

fn cleanup(incident: &Incident) -> Vec<String> {
    let changes = &incident.changes;
    let mut tasks = Vec::new();
    if changes.files_total > 0 {
        let named: Vec<&str> = changes.files.iter().take(10).map(String::as_str).collect();
        let more = usize::try_from(changes.files_total).unwrap_or(usize::MAX).saturating_sub(named.len());
        tasks.push(and_more(format!("check the changed files: {}", named.join(", ")), more));
    }
    if let (Some(command), true) = (&incident.state_snapshot.restore_command, changes.files_total > 0) {
        tasks.push(format!("or revert the changes: {command}"));
    }
    tasks.extend(changes.cleanup.iter().cloned());
    tasks.push("end background processes that the session left running".into());
    tasks
}
