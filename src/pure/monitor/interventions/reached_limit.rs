//! A reached limit: the calls that it concerns, and its message.

use crate::pure::step::Nature;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    FileOperations,
    Commands,
    Tokens,
    Seconds,
    Memory,
    BatchSize,
}

/// A limit that usage has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedLimit {
    pub resource: Resource,
    pub used: u64,
    pub limit: u64,
    pub per_session: bool,
}

/// Tools that use nothing worth limiting: they talk to the person or keep the plan.
const FREE: [&str; 9] = [
    "AskUserQuestion", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskStop",
    "KillShell", "ExitPlanMode",
];

impl Resource {
    pub fn plural(self) -> &'static str {
        match self {
            Self::FileOperations => "file operations",
            Self::Commands => "commands",
            Self::Tokens => "tokens",
            Self::Seconds => "seconds",
            Self::Memory => "MB of memory",
            Self::BatchSize => "calls in one batch",
        }
    }

    /// One way to use less of it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::FileOperations => {
                "change each file once, with everything it needs, instead of in small edits"
            }
            Self::Commands => {
                "put commands that belong together into one call, and leave out those whose result is known"
            }
            Self::Tokens => "read the lines that matter instead of whole files, and filter long output",
            Self::Seconds => "run the narrowest test that answers the question instead of the whole suite",
            Self::Memory => {
                "process the data in parts instead of loading everything at once, and end what still runs in the background"
            }
            Self::BatchSize => "make fewer calls at a time, and look at their results before the next ones",
        }
    }
}

impl ReachedLimit {
    /// Whether a call uses more of what has run out.
    pub fn concerns(&self, tool: &str, nature: Nature) -> bool {
        if FREE.contains(&tool) {
            return false;
        }
        match self.resource {
            Resource::FileOperations => nature.touches_files(),
            Resource::Commands => tool == "Bash",
            Resource::Memory => matches!(tool, "Bash" | "Agent" | "Task"),
            Resource::Tokens | Resource::Seconds | Resource::BatchSize => true,
        }
    }

    /// The limit after a person's yes: a quarter more, counted from what is used already.
    pub fn extended(&self) -> u64 {
        self.used.max(self.limit).saturating_add((self.limit / 4).max(1))
    }

    /// For the person who decides, and for the model if nobody is there.
    pub fn message(&self) -> String {
        let Self { resource, used, limit, per_session } = self;
        let span = match (resource, per_session) {
            (Resource::BatchSize, _) => "at a time",
            (Resource::Memory, _) => "in use",
            (_, true) => "in this session",
            (_, false) => "since your last message",
        };
        format!(
            "Plimsoll [resource_throttling/resource_spiral/limit_reached]: {used} {} {span}, and the limit is {limit}. \
             Continuing is the person's decision; a yes raises the limit to {}. To use less: {}.",
            resource.plural(),
            self.extended(),
            resource.advice()
        )
    }
}
