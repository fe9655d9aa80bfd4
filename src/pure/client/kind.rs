//! The hooks, and the answer of a hook that fails.

use super::answer::Answer;

/// The hook binaries, one per file in `src/bin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hook {
    SessionStart,
    UserPromptStart,
    UserPromptReview,
    UserPromptShip,
    PreToolUse,
    PostToolUse,
    Stop,
    ConfigChange,
}

impl Hook {
    /// The answer of a hook that failed: a guard asks or blocks, the others only notify the person.
    pub fn safe_answer(self, why: &str) -> Answer {
        match self {
            Self::PreToolUse => Answer::ask(format!(
                "Plimsoll could not review this call: {why}. Approve it only if you know what it does."
            )),
            Self::ConfigChange => {
                Answer::block(format!("Plimsoll could not check this settings change: {why}"))
            }
            Self::UserPromptShip => Answer::notice(format!(
                "Plimsoll could not check the ship gate: {why}. Nothing counts as approved; `plimsoll gate why --worktree` says more."
            )),
            Self::SessionStart
            | Self::UserPromptStart
            | Self::UserPromptReview
            | Self::PostToolUse
            | Self::Stop => Answer::notice(format!("Plimsoll could not handle this event: {why}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Hook; 8] = [
        Hook::SessionStart,
        Hook::UserPromptStart,
        Hook::UserPromptReview,
        Hook::UserPromptShip,
        Hook::PreToolUse,
        Hook::PostToolUse,
        Hook::Stop,
        Hook::ConfigChange,
    ];

    #[test]
    fn every_broken_hook_still_speaks_and_none_allows() {
        for hook in ALL {
            let text = hook.safe_answer("it broke").encode("PreToolUse");
            assert!(text.contains("it broke"), "{hook:?}: {text}");
            assert!(!text.contains("allow"), "{hook:?}: {text}");
        }
    }

    #[test]
    fn a_broken_guard_asks_and_a_broken_settings_guard_blocks() {
        assert!(
            Hook::PreToolUse.safe_answer("x").encode("PreToolUse").contains(r#""permissionDecision":"ask""#)
        );
        assert!(Hook::ConfigChange.safe_answer("x").encode("ConfigChange").contains(r#""decision":"block""#));
    }
}
