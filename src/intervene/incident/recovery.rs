//! The four ways on after a stop. Only a person chooses one.

use super::Incident;
use crate::intervene::limits::Limits;
use crate::intervene::situation::CheckpointTold;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
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

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name() == name)
    }

    pub fn description(self) -> &'static str {
        match self {
            Self::ResumeWithLimits => "Go on with stricter limits; what is risky is asked first",
            Self::RollbackAndRetry => "Restore the files of the last safe checkpoint, then try again",
            Self::ManualIntervention => {
                "Go on, with your approval of every write, deletion and command; reads pass"
            }
            Self::Abort => "End it here: the project stays locked, and what is to be cleaned up is listed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecoveryOption {
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
    pub checkpoint: Option<CheckpointTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_config: Option<ApprovalConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleanup_required: Vec<String>,
    /// Why it would not work now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitedChanges {
    pub resource_limits: Limits,
    /// What passes without a question.
    pub allowed_tools: Vec<&'static str>,
    pub monitoring_level: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApprovalConfig {
    pub require_approval_for: Vec<&'static str>,
    pub auto_approve: Vec<&'static str>,
}

/// All four, each with what it would do here.
pub fn recovery_options(incident: &Incident) -> Vec<RecoveryOption> {
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
                .then_some("there is no safe checkpoint from before the trouble began"),
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
        let more = changes.files_total.saturating_sub(named.len() as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        tasks.push(format!("look through the changed files: {}{more}", named.join(", ")));
    }
    if let (Some(command), true) = (&incident.state_snapshot.restore_command, changes.files_total > 0) {
        tasks.push(format!("or take the changes back: {command}"));
    }
    tasks.extend(changes.cleanup.iter().cloned());
    tasks.push("end what the session may have left running in the background".into());
    tasks
}
