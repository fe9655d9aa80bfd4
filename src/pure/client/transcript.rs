//! One line of a client's transcript.

use serde::Deserialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The events in a line; most lines have none.
#[derive(Debug)]
pub(crate) struct TranscriptLine<'a> {
    pub session_id: Option<String>,
    pub cwd: Option<String>,
    /// Set inside a sub-agent.
    pub agent: Option<String>,
    /// The same where a resumed session copies the line.
    pub uuid: Option<String>,
    /// Milliseconds since 1970.
    pub time: Option<u64>,
    /// The model's message; calls of one message run in parallel.
    pub message: Option<String>,
    pub events: Vec<TranscriptEvent<'a>>,
}

#[derive(Debug)]
pub(crate) enum TranscriptEvent<'a> {
    /// A person typed this.
    Prompt(String),
    /// A person interrupted the turn.
    Interrupted,
    /// The agent said this.
    Said(String),
    Call {
        tool: String,
        input: &'a RawValue,
        id: String,
    },
    Result {
        id: String,
        failed: bool,
        text: String,
        /// As the hooks get it, where the line keeps it.
        response: Option<&'a RawValue>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(default)]
    r#type: String,
    session_id: Option<String>,
    cwd: Option<String>,
    agent_id: Option<String>,
    uuid: Option<String>,
    timestamp: Option<String>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: Option<String>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    name: String,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(default)]
    tool_use_id: String,
    is_error: Option<bool>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(default)]
    text: String,
}

/// The author of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Person,
    Agent,
    /// The client itself, or the agent that started this one.
    Nobody,
}

impl<'a> TranscriptLine<'a> {
    pub fn parse(bytes: &'a [u8]) -> serde_json::Result<Self> {
        let line: Line<'a> = serde_json::from_slice(bytes)?;
        let agent = line.agent_id.or_else(|| line.is_sidechain.then(|| "sidechain".to_owned()));
        let by_client = line.is_meta || line.is_compact_summary;
        let speaker = match line.r#type.as_str() {
            "user" if agent.is_none() && !by_client => Speaker::Person,
            "assistant" => Speaker::Agent,
            _ => Speaker::Nobody,
        };
        let (mut message_id, mut events) = (None, Vec::new());
        if let (Some(message), "user" | "assistant") = (line.message, line.r#type.as_str()) {
            let message: Message<'a> = serde_json::from_str(message.get())?;
            message_id = message.id;
            if let Some(content) = message.content {
                events = events_of(content, speaker)?;
            }
        }
        if let [TranscriptEvent::Result { failed: false, response, .. }] = events.as_mut_slice() {
            *response = line.tool_use_result.filter(|kept| kept.get().starts_with(['{', '[']));
        }
        Ok(Self {
            session_id: line.session_id,
            cwd: line.cwd,
            agent,
            uuid: line.uuid,
            time: line.timestamp.and_then(|text| milliseconds(&text)),
            message: message_id,
            events,
        })
    }
}

fn milliseconds(timestamp: &str) -> Option<u64> {
    let time = OffsetDateTime::parse(timestamp, &Rfc3339).ok()?;
    u64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}

fn events_of(content: &RawValue, speaker: Speaker) -> serde_json::Result<Vec<TranscriptEvent<'_>>> {
    if content.get().starts_with('"') {
        return Ok(spoken(serde_json::from_str(content.get())?, speaker).into_iter().collect());
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(content.get())?;
    Ok(blocks.into_iter().filter_map(|block| event(block, speaker)).collect())
}

fn event(block: Block<'_>, speaker: Speaker) -> Option<TranscriptEvent<'_>> {
    match (block.r#type.as_str(), block.input) {
        ("tool_use", Some(input)) => Some(TranscriptEvent::Call { tool: block.name, input, id: block.id }),
        ("tool_result", _) => Some(TranscriptEvent::Result {
            id: block.tool_use_id,
            failed: block.is_error == Some(true),
            text: block.content.map(text).unwrap_or_default(),
            response: None,
        }),
        ("text", _) => spoken(block.text, speaker),
        _ => None,
    }
}

/// The beginnings of texts that the client writes into a person's lines; they are not prompts.
const CLIENT: [&str; 7] = [
    "<command-name>",
    "<local-command-",
    "<bash-",
    "Caveat: ",
    "Operation stopped by hook",
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
];
const INTERRUPTED: &str = "[Request interrupted by user";

fn spoken<'a>(text: String, speaker: Speaker) -> Option<TranscriptEvent<'a>> {
    match speaker {
        Speaker::Nobody => None,
        Speaker::Agent => Some(TranscriptEvent::Said(text)),
        Speaker::Person if text.starts_with(INTERRUPTED) => Some(TranscriptEvent::Interrupted),
        Speaker::Person if CLIENT.iter().any(|start| text.starts_with(start)) => None,
        Speaker::Person => Some(TranscriptEvent::Prompt(as_typed(&text).unwrap_or(text))),
    }
}

/// The slash command as typed; the transcript stores it with tags around name and arguments.
fn as_typed(text: &str) -> Option<String> {
    let between = |start: &str, end: &str| Some(text.split_once(start)?.1.split_once(end)?.0.trim());
    text.strip_prefix("<command-message>")?;
    let name = between("<command-name>", "</command-name>")?;
    let arguments = between("<command-args>", "</command-args>").unwrap_or_default();
    Some(format!("{name} {arguments}").trim_end().to_owned())
}

/// A result is a text, or a list of blocks of which some are text.
fn text(content: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return text;
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(content.get()).unwrap_or_default();
    blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let line = TranscriptLine::parse(line.as_bytes()).unwrap();
        let event = |event: &TranscriptEvent<'_>| match event {
            TranscriptEvent::Prompt(text) => format!("prompt {text}"),
            TranscriptEvent::Interrupted => "interrupted".into(),
            TranscriptEvent::Said(text) => format!("said {text}"),
            TranscriptEvent::Call { tool, input, id } => format!("{id} {tool} {input}"),
            TranscriptEvent::Result { id, failed, text, response } => {
                let response = response.map_or_else(String::new, |response| format!(" {response}"));
                format!("{id} failed={failed} {text}{response}")
            }
        };
        line.events.iter().map(event).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn calls_results_texts_and_prompts_are_found_and_nothing_else() {
        for (line, expected) in [
            (r#"{"type":"user","cwd":"/p","message":{"role":"user","content":"Fix it"}}"#, "prompt Fix it"),
            (r#"{"type":"user","message":{"content":[{"type":"text","text":"Fix it"}]}}"#, "prompt Fix it"),
            (r#"{"type":"user","isMeta":true,"message":{"content":"not typed"}}"#, ""),
            (r#"{"type":"user","isCompactSummary":true,"message":{"content":"so far"}}"#, ""),
            (r#"{"type":"user","isSidechain":true,"message":{"content":"by the main agent"}}"#, ""),
            (
                r#"{"type":"assistant","message":{"content":[{"type":"text","text":"I will"}]}}"#,
                "said I will",
            ),
            (r#"{"type":"summary","summary":"x","message":7}"#, ""),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
        let block = |kind: &str, block: &str| {
            told(&format!(r#"{{"type":"{kind}","message":{{"content":[{block}]}}}}"#))
        };
        assert_eq!(
            block("assistant", r#"{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}"#),
            r#"t1 Bash {"command":"ls"}"#
        );
        let failed = r#"{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"no"}]}"#;
        assert_eq!(block("user", failed), "t1 failed=true no");
        let went_well = r#"{"type":"tool_result","tool_use_id":"t1","content":"yes"}"#;
        assert_eq!(block("user", went_well), "t1 failed=false yes");
    }

    #[test]
    fn what_the_client_writes_for_the_person_is_no_prompt_and_a_command_is_as_typed() {
        let typed = |text: &str| {
            let message = serde_json::json!({"type": "user", "message": {"content": text}});
            told(&message.to_string())
        };
        for text in [
            "<command-name>/exit</command-name>\n<command-message>exit</command-message>",
            "<local-command-stdout>Bye!</local-command-stdout>",
            "<bash-input>ls</bash-input>",
            "This session is being continued from a previous conversation that ran out of context.",
        ] {
            assert_eq!(typed(text), "", "{text}");
        }
        assert_eq!(typed("[Request interrupted by user for tool use]"), "interrupted");
        let command = "<command-message>ship</command-message>\n<command-name>/ship</command-name>\n<command-args>--now</command-args>";
        assert_eq!(typed(command), "prompt /ship --now");
        assert_eq!(
            typed("<command-message>x</command-message>\n<command-name>/x</command-name>"),
            "prompt /x"
        );
    }

    #[test]
    fn a_line_knows_its_time_its_message_and_the_whole_response() {
        let line = r#"{"type":"user","timestamp":"2026-01-01T00:00:01.250Z","uuid":"u","toolUseResult":{"stdout":"yes"},
            "message":{"id":"m","content":[{"type":"tool_result","tool_use_id":"t1","content":"yes"}]}}"#;
        assert_eq!(told(line), r#"t1 failed=false yes {"stdout":"yes"}"#);
        let line = TranscriptLine::parse(line.as_bytes()).unwrap();
        assert_eq!((line.time, line.message.as_deref()), (Some(1_767_225_601_250), Some("m")));
        let line = TranscriptLine::parse(br#"{"type":"user","timestamp":"yesterday"}"#).unwrap();
        assert_eq!(line.time, None);
    }

    #[test]
    fn what_is_no_transcript_is_an_error() {
        for line in ["", "7", "{", r#"{"type":"user","message":7}"#, "\u{feff}{}"] {
            assert!(TranscriptLine::parse(line.as_bytes()).is_err(), "{line}");
        }
    }
}
