//! An event as the client sends it: bytes to one typed value. Unknown fields, tools, modes and events are tolerated.

use crate::pure::secret::{is_plain, redact};
use crate::pure::text::digest;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the event is not the JSON that Claude Code sends")]
    NotJson(#[source] serde_json::Error),
    #[error("the {event} event has no `{field}`")]
    Missing { event: String, field: &'static str },
}

/// One event with what all events share.
#[derive(Debug)]
pub struct Input<'a> {
    pub session_id: String,
    pub cwd: String,
    /// Absent before the first prompt.
    pub prompt_id: Option<String>,
    /// Only this proves a sub-agent; `agent_type` alone is a main thread started with `--agent`.
    pub agent_id: Option<String>,
    pub agent_type: Option<String>,
    /// Where the client keeps this session's lines.
    pub transcript: Option<String>,
    /// The event's own name, to be repeated in the answer.
    pub name: String,
    pub event: Event<'a>,
}

#[derive(Debug)]
pub enum Event<'a> {
    SessionStart {
        source: String,
    },
    UserPromptSubmit {
        prompt: String,
    },
    UserPromptExpansion {
        command: String,
        arguments: String,
    },
    PreToolUse(ToolCall<'a>),
    PostToolUse {
        call: ToolCall<'a>,
        response: Option<&'a RawValue>,
    },
    PostToolUseFailure {
        call: ToolCall<'a>,
        error: String,
        interrupted: bool,
    },
    PostToolBatch {
        calls: Vec<(ToolCall<'a>, Option<&'a RawValue>)>,
    },
    Stop {
        already_blocked: bool,
        last_message: String,
    },
    SubagentStop {
        last_message: String,
    },
    ConfigChange {
        source: String,
        file: Option<String>,
    },
    /// An event that we do not answer, or that did not exist when this was built; with its tool call, if it carries one.
    Other(Option<ToolCall<'a>>),
}

/// A tool call: the tool, its input as sent, and the id that ties before and after together.
#[derive(Debug, Clone)]
pub struct ToolCall<'a> {
    pub tool: String,
    pub input: &'a RawValue,
    pub id: String,
}

impl ToolCall<'_> {
    /// The same input with another command; whatever else it holds stays as it is.
    pub fn with_command(&self, change: impl FnOnce(&str) -> String) -> serde_json::Result<Box<RawValue>> {
        let mut input: serde_json::Map<String, serde_json::Value> = serde_json::from_str(self.input.get())?;
        if let Some(serde_json::Value::String(command)) = input.get_mut("command") {
            *command = change(command);
        }
        RawValue::from_string(serde_json::to_string(&input)?)
    }
}

/// An id names files and stands in them. One that could be a secret is cut down, and known by its hash.
fn id(text: String) -> String {
    if is_plain(&text) {
        return text;
    }
    let shown = redact(&text);
    if shown == text { text } else { format!("{shown}{}", digest(&text)) }
}

#[derive(Deserialize)]
struct Wire<'a> {
    hook_event_name: String,
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    cwd: String,
    prompt_id: Option<String>,
    agent_id: Option<String>,
    agent_type: Option<String>,
    transcript_path: Option<String>,
    tool_name: Option<String>,
    #[serde(borrow)]
    tool_input: Option<&'a RawValue>,
    tool_use_id: Option<String>,
    #[serde(borrow)]
    tool_response: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<Vec<WireCall<'a>>>,
    error: Option<String>,
    is_interrupt: Option<bool>,
    source: Option<String>,
    prompt: Option<String>,
    command_name: Option<String>,
    command_args: Option<String>,
    stop_hook_active: Option<bool>,
    last_assistant_message: Option<String>,
    file_path: Option<String>,
}

#[derive(Deserialize)]
struct WireCall<'a> {
    tool_name: String,
    #[serde(borrow)]
    tool_input: Option<&'a RawValue>,
    #[serde(default)]
    tool_use_id: String,
    #[serde(borrow)]
    tool_response: Option<&'a RawValue>,
}

impl<'a> Input<'a> {
    /// Strict: what is only nearly an event is `repaired` first.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut wire: Wire<'a> = serde_json::from_slice(bytes).map_err(Error::NotJson)?;
        let event = wire.take_event()?;
        Ok(Self {
            session_id: id(wire.session_id),
            cwd: wire.cwd,
            prompt_id: wire.prompt_id.map(id),
            agent_id: wire.agent_id.map(id),
            agent_type: wire.agent_type,
            transcript: wire.transcript_path,
            name: wire.hook_event_name,
            event,
        })
    }

    /// The call that is still to come. A name that nobody knows does not hide it.
    pub fn call(&self) -> Option<&ToolCall<'a>> {
        let (Event::PreToolUse(call) | Event::Other(Some(call))) = &self.event else { return None };
        Some(call)
    }
}

impl<'a> Wire<'a> {
    fn take_event(&mut self) -> Result<Event<'a>, Error> {
        Ok(match self.hook_event_name.as_str() {
            "SessionStart" => Event::SessionStart { source: self.source.take().unwrap_or_default() },
            "UserPromptSubmit" => {
                Event::UserPromptSubmit { prompt: self.prompt.take().ok_or(self.missing("prompt"))? }
            }
            "UserPromptExpansion" => Event::UserPromptExpansion {
                command: self.command_name.take().ok_or(self.missing("command_name"))?,
                arguments: self.command_args.take().unwrap_or_default(),
            },
            "PreToolUse" => Event::PreToolUse(self.take_call()?),
            "PostToolUse" => Event::PostToolUse { call: self.take_call()?, response: self.tool_response },
            "PostToolUseFailure" => Event::PostToolUseFailure {
                call: self.take_call()?,
                error: self.error.take().unwrap_or_default(),
                interrupted: self.is_interrupt.unwrap_or_default(),
            },
            "PostToolBatch" => Event::PostToolBatch {
                calls: self
                    .tool_calls
                    .take()
                    .ok_or(self.missing("tool_calls"))?
                    .into_iter()
                    .map(WireCall::split)
                    .collect(),
            },
            "Stop" => Event::Stop {
                already_blocked: self.stop_hook_active.unwrap_or_default(),
                last_message: self.last_assistant_message.take().unwrap_or_default(),
            },
            "SubagentStop" => {
                Event::SubagentStop { last_message: self.last_assistant_message.take().unwrap_or_default() }
            }
            "ConfigChange" => Event::ConfigChange {
                source: self.source.take().unwrap_or_default(),
                file: self.file_path.take(),
            },
            _ => Event::Other(self.take_call().ok()),
        })
    }

    fn take_call(&mut self) -> Result<ToolCall<'a>, Error> {
        Ok(ToolCall {
            tool: self.tool_name.take().ok_or(self.missing("tool_name"))?,
            input: self.tool_input.unwrap_or(RawValue::NULL),
            id: self.tool_use_id.take().map(id).unwrap_or_default(),
        })
    }

    fn missing(&self, field: &'static str) -> Error {
        Error::Missing { event: self.hook_event_name.clone(), field }
    }
}

impl<'a> WireCall<'a> {
    fn split(self) -> (ToolCall<'a>, Option<&'a RawValue>) {
        let call = ToolCall {
            tool: self.tool_name,
            input: self.tool_input.unwrap_or(RawValue::NULL),
            id: id(self.tool_use_id),
        };
        (call, self.tool_response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::client::{SlashCommand, Tool, is_machine_text};

    /// Events of the real client, one per line, for both versions that we support.
    fn captured() -> Vec<(String, String)> {
        #[derive(Deserialize)]
        struct Line<'a> {
            name: String,
            #[serde(borrow)]
            event: &'a RawValue,
        }
        [
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/events-2.1.197.jsonl")),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/events-2.1.325.jsonl")),
        ]
        .iter()
        .flat_map(|file| file.lines())
        .map(|line| serde_json::from_str::<Line>(line).unwrap())
        .map(|line| (line.name, line.event.get().to_string()))
        .collect()
    }

    #[test]
    fn every_event_of_both_clients_is_understood() {
        let captured = captured();
        assert!(captured.len() > 150);
        for (name, text) in &captured {
            if name == "statusLine" {
                continue; // not an event
            }
            let input = Input::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!input.session_id.is_empty() && !input.cwd.is_empty(), "{name}");
            let ours = [
                "SessionStart", "UserPrompt", "PreToolUse", "PostTool", "Stop", "SubagentStop",
                "ConfigChange",
            ];
            let expected =
                ours.iter().any(|prefix| name.starts_with(prefix)) && !name.starts_with("StopFailure");
            assert_eq!(!matches!(input.event, Event::Other(_)), expected, "{name}");
        }
    }

    #[test]
    fn every_captured_tool_call_has_its_tools_shape() {
        for (name, text) in captured().iter().filter(|(name, _)| name.starts_with("PreToolUse")) {
            let input = Input::parse(text.as_bytes()).unwrap();
            let Event::PreToolUse(call) = input.event else { panic!("{name}") };
            let tool = Tool::parse(&call).unwrap_or_else(|| panic!("{name}"));
            match (call.tool.as_str(), tool) {
                ("Bash", Tool::Bash { command }) => assert!(!command.is_empty()),
                ("Write" | "Edit" | "NotebookEdit", Tool::Write { path, text, .. }) => {
                    assert!(!path.is_empty() && !text.is_empty(), "{name}");
                }
                ("Read", Tool::Read { path }) => assert!(!path.is_empty()),
                ("Agent", Tool::Agent(agent)) => assert!(!agent.prompt.is_empty()),
                ("Skill", Tool::Skill { name, .. }) => assert!(!name.is_empty()),
                ("WebFetch", Tool::Fetch { url }) => assert!(!url.is_empty()),
                (tool, Tool::Other(call)) => assert!(tool.starts_with("mcp__demo") && call.server == "demo"),
                (tool, Tool::Passive) => assert!(tool.starts_with(|c: char| c.is_uppercase())),
                (_, other) => panic!("{name}: {other:?}"),
            }
        }
    }

    #[test]
    fn sub_agents_prompts_and_machine_text_are_told_apart() {
        for (name, text) in captured() {
            let input = match Input::parse(text.as_bytes()) {
                Ok(input) => input,
                Err(_) => continue,
            };
            match (name.as_str(), &input.event) {
                ("PreToolUse-Bash-in-subagent", _) => assert!(input.agent_id.is_some()),
                ("PreToolUse-Bash", _) => assert!(input.agent_id.is_none()),
                ("UserPromptSubmit-task-notification", Event::UserPromptSubmit { prompt }) => {
                    assert!(is_machine_text(prompt))
                }
                ("UserPromptSubmit-slash-command", Event::UserPromptSubmit { prompt }) => {
                    assert_eq!(SlashCommand::parse(prompt).unwrap().name, "review");
                }
                (
                    "UserPromptExpansion-projectSettings",
                    Event::UserPromptExpansion { command, arguments },
                ) => {
                    assert_eq!((command.as_str(), arguments.as_str()), ("review", "foo"));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_not_an_event_is_an_error_and_never_a_panic() {
        for bytes in [
            &b""[..],
            b"{",
            b"null",
            b"[]",
            b"\xff\xfe",
            b"{}",
            b"{\"hook_event_name\":\"PreToolUse\"}",
            b"{\"hook_event_name\":3}",
        ] {
            assert!(Input::parse(bytes).is_err());
        }
    }

    #[test]
    fn an_event_of_a_future_client_is_tolerated() {
        let text =
            br#"{"hook_event_name":"PostTeleport","session_id":"s","cwd":"/","brand_new":{"deep":[1]}}"#;
        assert!(matches!(Input::parse(text).unwrap().event, Event::Other(None)));
    }
}
