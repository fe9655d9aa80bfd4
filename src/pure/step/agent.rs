//! Plimsoll's own agents: the loop that each runs, and the prompt that each is started with.

use crate::pure::policy::LoopNumber;
use crate::pure::text::quoted_where_needed;

/// An agent that runs a loop of the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoopAgent {
    pub name: &'static str,
    pub number: LoopNumber,
    /// Shown in the preview of a review.
    pub does: &'static str,
}

const LOOP_AGENTS: [LoopAgent; 4] = [
    LoopAgent { name: "quality-checker", number: LoopNumber::One, does: "the project's own checks" },
    LoopAgent { name: "claude-reviewer", number: LoopNumber::Two, does: "a fresh reader of the change" },
    LoopAgent { name: "outside-reviewer", number: LoopNumber::Three, does: "a reviewer that is not Claude" },
    LoopAgent {
        name: "integration-checker",
        number: LoopNumber::Four,
        does: "integration tests and the pull request's feedback",
    },
];

/// The loop agent that a sub-agent type names, in either spelling.
pub(crate) fn loop_agent(subagent_type: &str) -> Option<LoopAgent> {
    let bare = subagent_type.strip_prefix("plimsoll:").unwrap_or(subagent_type);
    LOOP_AGENTS.into_iter().find(|agent| agent.name == bare)
}

/// The agent that runs a loop.
pub(crate) fn agent_of(number: LoopNumber) -> Option<LoopAgent> {
    LOOP_AGENTS.into_iter().find(|agent| agent.number == number)
}

/// An agent that takes part in the review of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskAgent {
    Reviewer,
    Parser,
}

impl TaskAgent {
    pub fn name(self) -> &'static str {
        match self {
            Self::Reviewer => "task-reviewer",
            Self::Parser => "review-parser",
        }
    }
}

/// The task agent that a sub-agent type names, in either spelling.
pub(crate) fn task_agent(subagent_type: &str) -> Option<TaskAgent> {
    let bare = subagent_type.strip_prefix("plimsoll:").unwrap_or(subagent_type);
    [TaskAgent::Reviewer, TaskAgent::Parser].into_iter().find(|agent| agent.name() == bare)
}

impl LoopAgent {
    /// The prompt that reaches the agent, whatever its caller wrote.
    pub fn prompt(&self, options: &[String]) -> String {
        format!(
            "Run this command once, in the foreground, and wait for it to end:\n\n    {}\n\n\
             Report what it printed, word for word, and its exit code. Change no file, run nothing else, draw no conclusion of \
             your own: the state that the command wrote is the result.",
            command_line(self.number, options)
        )
    }
}

/// The command that runs a loop with these options, as a shell would read it.
pub(crate) fn command_line(number: LoopNumber, options: &[String]) -> String {
    let options: String = options.iter().map(|option| format!(" {}", quoted_where_needed(option))).collect();
    format!("plimsoll review run --loop {number}{options}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_name_the_same_agent() {
        assert_eq!(loop_agent("quality-checker"), loop_agent("plimsoll:quality-checker"));
        assert_eq!(loop_agent("general-purpose"), None);
        assert_eq!(loop_agent("other:quality-checker"), None);
    }

    #[test]
    fn every_loop_has_its_agent() {
        for number in LoopNumber::ALL {
            let agent = agent_of(number).unwrap();
            assert_eq!(loop_agent(agent.name), Some(agent));
        }
    }

    #[test]
    fn options_cannot_smuggle_a_second_command_into_the_prompt() {
        let agent = loop_agent("quality-checker").unwrap();
        let prompt = agent.prompt(&["--leave-out".into(), "a; rm x 'y'".into()]);
        assert!(prompt.contains(r"--leave-out 'a; rm x '\''y'\'''"), "{prompt}");
    }
}
