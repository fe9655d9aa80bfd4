//! A tool call by its content. An unknown tool is judged by its name and its whole input.

use super::argument::{Argument, arguments, lines};
use super::event::ToolCall;
use super::prompt::SlashCommand;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

#[derive(Debug)]
pub enum Tool {
    Bash {
        command: String,
    },
    /// Write, Edit, MultiEdit, NotebookEdit: one file and the text that would go into it.
    Write {
        path: String,
        text: String,
        /// The replaced text; `None` where the whole file is written.
        replaced: Option<String>,
    },
    Read {
        path: String,
    },
    /// Grep: shows lines of a file, or of the files below a directory.
    Search {
        path: Option<String>,
        glob: Option<String>,
        /// Whether it asks for the lines, not only for names or counts.
        shows_lines: bool,
    },
    Fetch {
        url: String,
    },
    WebSearch {
        query: String,
    },
    Agent(AgentCall),
    Skill {
        name: String,
        arguments: String,
    },
    /// A tool that hands text to a later prompt or to another session.
    Prompting(Vec<Argument>),
    /// Leaves a worktree and deletes it with its changes.
    DropWorktree,
    /// Reads or organises only the session, or has no input.
    Passive,
    /// A tool of an MCP server, or one that we do not know.
    Other(OtherCall),
}

/// A call that starts a sub-agent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AgentCall {
    pub description: String,
    pub prompt: String,
    pub subagent_type: String,
}

#[derive(Debug)]
pub struct OtherCall {
    /// Empty for a tool of the client's own.
    pub server: String,
    pub tool: String,
    pub arguments: Vec<Argument>,
}

#[derive(Deserialize)]
struct Bash {
    command: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    #[serde(alias = "notebook_path")]
    file_path: String,
    #[serde(alias = "new_string", alias = "new_source")]
    content: String,
    old_string: Option<String>,
    edits: Vec<Edit>,
}

#[derive(Deserialize)]
struct Edit {
    old_string: String,
    new_string: String,
}

#[derive(Deserialize)]
struct Search {
    path: Option<String>,
    glob: Option<String>,
    output_mode: Option<String>,
}

#[derive(Deserialize)]
struct Fetch {
    url: String,
}

#[derive(Deserialize)]
struct WebSearch {
    query: String,
}

#[derive(Deserialize)]
struct Skill {
    skill: String,
    #[serde(default)]
    args: String,
}

#[derive(Deserialize)]
struct Worktree {
    #[serde(default)]
    discard_changes: bool,
}

impl Tool {
    /// `None` where the input does not fit the tool: such a call is opaque.
    pub fn parse(call: &ToolCall<'_>) -> Option<Self> {
        let input = call.input.get();
        match call.tool.as_str() {
            _ if lacks_input(call) => Some(Self::Passive),
            "Bash" => read(input).map(|Bash { command }| Self::Bash { command }),
            "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => write(&call.tool, read(input)?),
            "Read" | "NotebookRead" => {
                read(input).filter(File::is_named).map(|file| Self::Read { path: file.file_path })
            }
            "Grep" => read(input).map(|Search { path, glob, output_mode }| Self::Search {
                path,
                glob,
                shows_lines: output_mode.as_deref() == Some("content"),
            }),
            "WebFetch" => read(input).map(|Fetch { url }| Self::Fetch { url }),
            "WebSearch" => read(input).map(|WebSearch { query }| Self::WebSearch { query }),
            "Agent" | "Task" => read(input).map(Self::Agent),
            "Skill" => read(input).map(|Skill { skill, args }| Self::Skill { name: skill, arguments: args }),
            "SlashCommand" => read(input).map(|Bash { command }| slash_command(&command)),
            "ExitWorktree" => read(input).map(|worktree: Worktree| match worktree.discard_changes {
                true => Self::DropWorktree,
                false => Self::Passive,
            }),
            "CronCreate" | "ScheduleWakeup" | "Monitor" | "SendMessage" | "RemoteTrigger" | "TeamCreate" => {
                arguments(input).map(Self::Prompting)
            }
            name if PASSIVE.contains(&name) => Some(Self::Passive),
            name => other(name, input),
        }
    }
}

impl Tool {
    /// The possible readings of a call whose input has an unexpected shape: an input wrapped into a text, an unknown tool, or
    /// any text in it as a command.
    pub fn readings(call: &ToolCall<'_>) -> impl Iterator<Item = Self> {
        const MOST: usize = 256;
        let input = call.input.get();
        let unwrapped = read::<String>(input).and_then(|text| RawValue::from_string(text).ok());
        let unwrapped = unwrapped.and_then(|input| Self::parse(&ToolCall { input: &input, ..call.clone() }));
        let commands = lines(input).into_iter().take(MOST).map(|command| Self::Bash { command });
        unwrapped.into_iter().chain(other(&call.tool, input)).chain(commands)
    }
}

/// Whether a tool that needs input has none; the client refuses such a call.
pub(crate) fn lacks_input(call: &ToolCall<'_>) -> bool {
    const NEED_INPUT: [&str; 7] = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit", "Read", "Skill"];
    let is_empty = || call.input.get().trim_start_matches(['{', ' ', '\n']).trim_start() == "}";
    NEED_INPUT.contains(&call.tool.as_str()) && is_empty()
}

const PASSIVE: [&str; 31] = [
    "AskUserQuestion", "BashOutput", "CronDelete", "CronList", "EnterPlanMode", "EnterWorktree",
    "ExitPlanMode", "Glob", "KillBash", "KillShell", "LS", "LSP", "ListMcpResources", "ListMcpResourcesTool",
    "PushNotification", "ReadMcpResource", "ReadMcpResourceTool", "SendUserMessage", "Sleep",
    "StructuredOutput", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate",
    "TeamDelete", "TodoRead", "TodoWrite", "ToolSearch", "WaitForMcpServers",
];

fn read<T: DeserializeOwned>(input: &str) -> Option<T> {
    serde_json::from_str(input).ok()
}

impl File {
    fn is_named(&self) -> bool {
        !self.file_path.is_empty()
    }
}

fn write(tool: &str, file: File) -> Option<Tool> {
    if !file.is_named() {
        return None;
    }
    let (mut text, mut old) = (file.content, file.old_string.unwrap_or_default());
    for edit in file.edits {
        text.extend([edit.new_string.as_str(), "\n"]);
        old.extend([edit.old_string.as_str(), "\n"]);
    }
    let replaced = (tool != "Write").then_some(old);
    Some(Tool::Write { path: file.file_path, text, replaced })
}

fn slash_command(text: &str) -> Tool {
    let text = text.trim_start();
    let command = SlashCommand::parse(text).unwrap_or_else(|| SlashCommand::new(text, ""));
    Tool::Skill { name: command.name, arguments: command.arguments }
}

/// `mcp__server__tool`, or a name that we do not know.
fn other(name: &str, input: &str) -> Option<Tool> {
    let parts = name.strip_prefix("mcp__").and_then(|rest| rest.rsplit_once("__"));
    let (server, tool) = parts.unwrap_or(("", name));
    let arguments = arguments(input)?;
    Some(Tool::Other(OtherCall { server: server.into(), tool: tool.into(), arguments }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(tool: &str, input: &str) -> Option<Tool> {
        let input = RawValue::from_string(input.into()).unwrap();
        Tool::parse(&ToolCall { tool: tool.into(), input: &input, id: String::new() })
    }

    #[test]
    fn an_edit_tells_what_goes_in_from_what_goes_out() {
        for (tool, input, expected) in [
            ("Write", r#"{"file_path":"a","content":"new"}"#, ("new", None)),
            ("Edit", r#"{"file_path":"a","old_string":"old","new_string":"new"}"#, ("new", Some("old"))),
            ("NotebookEdit", r#"{"notebook_path":"a","new_source":"new"}"#, ("new", Some(""))),
            (
                "MultiEdit",
                r#"{"file_path":"a","edits":[{"old_string":"b","new_string":"c"},{"old_string":"","new_string":"d"}]}"#,
                ("c\nd\n", Some("b\n\n")),
            ),
        ] {
            let Some(Tool::Write { path, text, replaced }) = parsed(tool, input) else { panic!("{tool}") };
            assert_eq!((path.as_str(), text.as_str(), replaced.as_deref()), ("a", expected.0, expected.1));
        }
    }

    #[test]
    fn a_call_that_carries_nothing_does_nothing_and_one_of_another_shape_is_not_understood() {
        assert!(matches!(parsed("Bash", "{}"), Some(Tool::Passive)));
        assert!(matches!(parsed("Bash", "{ }"), Some(Tool::Passive)));
        for (tool, input) in [
            ("Bash", r#"{"cmd":"ls"}"#),
            ("Bash", "null"),
            ("Bash", r#"{"command":["ls"]}"#),
            ("Write", r#"{"path":"a","content":"b"}"#),
            ("Edit", r#"{"file_path":"a","new_string":3}"#),
            ("MultiEdit", r#"{"file_path":"a","edits":[{"new_string":"b"}]}"#),
            ("Read", r#"{"path":"a"}"#),
            ("WebFetch", r#"{"prompt":"x"}"#),
            ("WebFetch", "{}"),
            ("Skill", "[]"),
        ] {
            assert!(parsed(tool, input).is_none(), "{tool} {input}");
        }
    }

    #[test]
    fn servers_tools_and_commands_are_told_by_name() {
        let Some(Tool::Other(call)) = parsed("mcp__plugin_x_y__do_it", r#"{"a":"b"}"#) else { panic!() };
        assert_eq!((call.server.as_str(), call.tool.as_str()), ("plugin_x_y", "do_it"));
        let Some(Tool::Other(call)) = parsed("BrandNew", "{}") else { panic!() };
        assert_eq!((call.server.as_str(), call.tool.as_str()), ("", "BrandNew"));
        let Some(Tool::Skill { name, arguments }) =
            parsed("SlashCommand", r#"{"command":"/plimsoll:ship --override x"}"#)
        else {
            panic!()
        };
        assert_eq!((name.as_str(), arguments.as_str()), ("ship", "--override x"));
        assert!(matches!(parsed("ExitWorktree", r#"{"action":"remove"}"#), Some(Tool::Passive)));
        let discards = r#"{"action":"remove","discard_changes":true}"#;
        assert!(matches!(parsed("ExitWorktree", discards), Some(Tool::DropWorktree)));
    }
}
