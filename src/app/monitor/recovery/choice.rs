//! The ways to go on after an emergency stop.

use crate::edge::state::{LockMode, Locked};
use crate::pure::monitor::interventions::Recovery;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryChoice {
    ResumeWithLimits,
    RollbackAndRetry,
    ManualIntervention,
    Abort,
    /// Back to normal, after one of the others.
    End,
}

impl RecoveryChoice {
    pub const ALL: [Self; 5] =
        [Self::ResumeWithLimits, Self::RollbackAndRetry, Self::ManualIntervention, Self::Abort, Self::End];

    /// As it is typed behind `recover`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ResumeWithLimits => Recovery::ResumeWithLimits.name(),
            Self::RollbackAndRetry => Recovery::RollbackAndRetry.name(),
            Self::ManualIntervention => Recovery::ManualIntervention.name(),
            Self::Abort => Recovery::Abort.name(),
            Self::End => "--end",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let text = if text == "end" { "--end" } else { text };
        Self::ALL.into_iter().find(|choice| choice.name() == text)
    }

    /// The command that the agent runs after a typed request.
    pub fn command(self) -> String {
        format!("plimsoll recover {}", self.name())
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Self::ResumeWithLimits => "go on with half the limits; risky steps ask you",
            Self::RollbackAndRetry => "restore the files of the last safe checkpoint (undoable), then go on",
            Self::ManualIntervention => "you approve every write, deletion and command; reads pass",
            Self::Abort => "stay locked, and list what is to be cleaned up",
            Self::End => "back to normal, after one of the others",
        }
    }

    /// Why it cannot be chosen now.
    pub fn unfit(self, locked: &Locked) -> Option<String> {
        match (self, locked) {
            (_, Locked::Free) => {
                Some("this project is not stopped, so there is nothing to recover from".into())
            }
            (_, Locked::Unreadable(error @ crate::edge::state::Error::Newer { .. })) => {
                Some(error.to_string())
            }
            (Self::End, Locked::Unreadable(_)) => Some(Self::decide_first()),
            (Self::End, Locked::Held(lock)) if lock.mode == LockMode::Stopped => Some(Self::decide_first()),
            (_, Locked::Held(_) | Locked::Unreadable(_)) => None,
        }
    }

    fn decide_first() -> String {
        let names: Vec<&str> =
            Self::ALL.iter().filter(|one| **one != Self::End).map(|one| one.name()).collect();
        format!("this project is stopped; choose one of {} first", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::state::ProjectLock;

    #[test]
    fn every_choice_is_found_by_its_name() {
        assert!(
            RecoveryChoice::ALL.iter().all(|choice| RecoveryChoice::parse(choice.name()) == Some(*choice))
        );
        assert_eq!(RecoveryChoice::parse("end"), Some(RecoveryChoice::End));
        assert_eq!(RecoveryChoice::parse("resume"), None);
    }

    #[test]
    fn nothing_ends_a_stop_but_one_of_the_four() {
        let held = |mode| Locked::Held(ProjectLock { mode, ..ProjectLock::stopped("x", 1) });
        assert!(RecoveryChoice::End.unfit(&held(LockMode::Stopped)).is_some());
        for mode in [LockMode::Limited, LockMode::Manual, LockMode::Aborted] {
            assert_eq!(RecoveryChoice::End.unfit(&held(mode)), None, "{mode:?}");
        }
        for choice in RecoveryChoice::ALL {
            assert!(choice.unfit(&Locked::Free).is_some());
            assert_eq!(choice.unfit(&held(LockMode::Stopped)).is_some(), choice == RecoveryChoice::End);
        }
    }
}
