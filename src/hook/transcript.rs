//! One line of a transcript, as the client keeps it of every session.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What a line says about the session's steps; most lines say nothing.
#[derive(Debug)]
pub struct TranscriptLine<'a> {
    pub session_id: Option<String>,
    pub cwd: Option<String>,
    /// Set inside a sub-agent.
    pub agent: Option<String>,
    pub events: Vec<TranscriptEvent<'a>>,
}

#[derive(Debug)]
pub enum TranscriptEvent<'a> {
    /// A person typed this.
    Prompt(String),
    Call {
        tool: String,
        input: &'a RawValue,
        id: String,
    },
    Result {
        id: String,
        failed: bool,
        text: String,
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
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message<'a> {
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

impl<'a> TranscriptLine<'a> {
    pub fn parse(bytes: &'a [u8]) -> serde_json::Result<Self> {
        let line: Line<'a> = serde_json::from_slice(bytes)?;
        let agent = line.agent_id.or_else(|| line.is_sidechain.then(|| "sidechain".to_owned()));
        let by_person = line.r#type == "user" && agent.is_none() && !line.is_meta;
        let events = match (line.message, line.r#type.as_str()) {
            (Some(message), "user" | "assistant") => {
                let message: Message<'a> = serde_json::from_str(message.get())?;
                message.content.map_or_else(|| Ok(Vec::new()), |content| events(content, by_person))?
            }
            _ => Vec::new(),
        };
        Ok(Self { session_id: line.session_id, cwd: line.cwd, agent, events })
    }
}

fn events(content: &RawValue, by_person: bool) -> serde_json::Result<Vec<TranscriptEvent<'_>>> {
    if content.get().starts_with('"') {
        let prompt = by_person.then(|| serde_json::from_str(content.get())).transpose()?;
        return Ok(prompt.map(TranscriptEvent::Prompt).into_iter().collect());
    }
    let blocks: Vec<Block<'_>> = serde_json::from_str(content.get())?;
    Ok(blocks.into_iter().filter_map(|block| event(block, by_person)).collect())
}

fn event(block: Block<'_>, by_person: bool) -> Option<TranscriptEvent<'_>> {
    match (block.r#type.as_str(), block.input) {
        ("tool_use", Some(input)) => Some(TranscriptEvent::Call { tool: block.name, input, id: block.id }),
        ("tool_result", _) => Some(TranscriptEvent::Result {
            id: block.tool_use_id,
            failed: block.is_error == Some(true),
            text: block.content.map(text).unwrap_or_default(),
        }),
        ("text", _) if by_person => Some(TranscriptEvent::Prompt(block.text)),
        _ => None,
    }
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
            TranscriptEvent::Call { tool, input, id } => format!("{id} {tool} {input}"),
            TranscriptEvent::Result { id, failed, text } => format!("{id} failed={failed} {text}"),
        };
        line.events.iter().map(event).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn calls_results_and_prompts_are_found_and_nothing_else() {
        for (line, expected) in [
            (r#"{"type":"user","cwd":"/p","message":{"role":"user","content":"Mend it"}}"#, "prompt Mend it"),
            (r#"{"type":"user","message":{"content":[{"type":"text","text":"Mend it"}]}}"#, "prompt Mend it"),
            (r#"{"type":"user","isMeta":true,"message":{"content":"not typed"}}"#, ""),
            (r#"{"type":"user","isSidechain":true,"message":{"content":"by the main agent"}}"#, ""),
            (r#"{"type":"assistant","message":{"content":[{"type":"text","text":"I will"}]}}"#, ""),
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
    fn what_is_no_transcript_is_an_error() {
        for line in ["", "7", "{", r#"{"type":"user","message":7}"#, "\u{feff}{}"] {
            assert!(TranscriptLine::parse(line.as_bytes()).is_err(), "{line}");
        }
    }
}
