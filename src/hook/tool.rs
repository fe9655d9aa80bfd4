//! The tools whose input we understand. Everything else is judged by its raw input.

use super::event::Call;
use serde::Deserialize;

/// A tool call by what it carries.
#[derive(Debug)]
pub enum Tool {
    Bash {
        command: String,
    },
    /// Write, Edit, NotebookEdit: one file and the text that would go into it.
    Write {
        path: String,
        text: String,
    },
    Read {
        path: String,
    },
    Agent(AgentCall),
    Skill {
        name: String,
        arguments: String,
    },
    /// A tool that hands text to a later prompt or to another agent.
    Prompting,
    Other,
}

/// A call that starts a sub-agent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AgentCall {
    pub description: String,
    pub prompt: String,
    pub subagent_type: String,
}

#[derive(Deserialize)]
struct Bash {
    command: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    file_path: String,
    notebook_path: String,
    content: String,
    new_string: String,
    new_source: String,
}

#[derive(Deserialize)]
struct Skill {
    skill: String,
    #[serde(default)]
    args: String,
}

impl Tool {
    /// `None` where the input does not have the tool's own shape: such a call is opaque.
    pub fn parse(call: &Call<'_>) -> Option<Self> {
        let input = call.input.get();
        Some(match call.tool.as_str() {
            "Bash" => Self::Bash { command: serde_json::from_str::<Bash>(input).ok()?.command },
            "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => {
                let file: File = serde_json::from_str(input).ok()?;
                let path = if file.file_path.is_empty() { file.notebook_path } else { file.file_path };
                Self::Write { path, text: file.content + &file.new_string + &file.new_source }
            }
            "Read" => Self::Read { path: serde_json::from_str::<File>(input).ok()?.file_path },
            "Agent" | "Task" => Self::Agent(serde_json::from_str(input).ok()?),
            "Skill" => {
                let skill: Skill = serde_json::from_str(input).ok()?;
                Self::Skill { name: skill.skill, arguments: skill.args }
            }
            "CronCreate" | "ScheduleWakeup" | "Monitor" | "SendMessage" | "RemoteTrigger" | "TeamCreate" => {
                Self::Prompting
            }
            _ => Self::Other,
        })
    }
}
