//! Repairs events that are almost valid JSON, so that half an emoji or a number as ID stops no hook.

use memchr::{arch::all::memchr::One, memmem};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The text fields of an event, without its name: an event whose name is a number is invalid.
const TEXTS: [&str; 16] = [
    "session_id", "cwd", "prompt_id", "permission_mode", "agent_id", "agent_type", "transcript_path",
    "tool_name", "tool_use_id", "error", "source", "prompt", "command_name", "command_args",
    "last_assistant_message", "file_path",
];
const NAME: &str = "hook_event_name";
/// Only for more bytes than this is it worth asking the processor what it can do, as `memmem` and `memchr` do first: on a
/// virtual machine that takes longer than everything else here.
const LONG: usize = 4096;

/// The text with U+FFFD for every half of a character: JavaScript writes halves, and JSON parsers refuse them.
pub(crate) fn whole_characters(text: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Cow::Borrowed(text);
    if text.len() > LONG && memmem::find(text, b"\\ud").is_none() && memmem::find(text, b"\\uD").is_none() {
        return whole;
    }
    let mut next = 0;
    for start in One::new(b'\\').iter(text) {
        if start < next {
            continue;
        }
        next = match (half(text, start), half(text, start + 6)) {
            (Some(Half::First), Some(Half::Second)) => start + 12,
            (Some(_), _) => {
                if let Some(digits) = whole.to_mut().get_mut(start + 2..start + 6) {
                    digits.copy_from_slice(b"fffd");
                }
                start + 6
            }
            (None, _) => start + 2,
        };
    }
    whole
}

enum Half {
    First,
    Second,
}

/// The surrogate half that is escaped at `at`.
fn half(text: &[u8], at: usize) -> Option<Half> {
    let digits = text.get(at..at.checked_add(6)?)?.strip_prefix(b"\\u")?;
    match u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()? {
        0xd800..0xdc00 => Some(Half::First),
        0xdc00..0xe000 => Some(Half::Second),
        _ => None,
    }
}

/// The same event in strict JSON, where that can be had without guessing: bytes that are no text, a byte order mark,
/// fields said twice (the last one counts, as in the client), empty ones, and numbers for text.
pub(crate) fn repair(event: &[u8]) -> Option<Vec<u8>> {
    serde_json::to_vec(&readable(event)?).ok()
}

/// The event with only its tool call and valid basic fields.
pub(crate) fn tool_call_only(event: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut event = readable(event)?;
    let kept = [NAME, "session_id", "cwd", "agent_type", "tool_name", "tool_use_id"];
    event.retain(|name, value| name == "tool_input" || (kept.contains(&name.as_str()) && value.is_string()));
    event.entry(NAME).or_insert_with(|| name.into());
    if event.contains_key("tool_input") {
        event.entry("tool_name").or_insert_with(|| "".into());
    }
    serde_json::to_vec(&event).ok()
}

fn readable(event: &[u8]) -> Option<Map<String, Value>> {
    let text = String::from_utf8_lossy(event);
    let text = whole_characters(text.trim_start_matches('\u{feff}').as_bytes()).into_owned();
    let mut event: Map<String, Value> = serde_json::from_slice(&text).ok()?;
    event.retain(|_, value| !value.is_null());
    for (name, value) in &mut event {
        if TEXTS.contains(&name.as_str()) && (value.is_number() || value.is_boolean()) {
            *value = value.to_string().into();
        }
    }
    Some(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::client::Input;

    fn whole(text: &str) -> String {
        String::from_utf8(whole_characters(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn a_half_of_a_character_is_replaced_and_nothing_else_is_touched() {
        for (given, expected) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00 x""#, r#""\ufffd x""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#),
            (r#""\ud7ff\ue000\n""#, r#""\ud7ff\ue000\n""#),
            (r#""\ud8"#, r#""\ud8"#),
            ("plain", "plain"),
        ] {
            assert_eq!(whole(given), expected, "{given}");
        }
    }

    #[test]
    fn an_event_that_is_nearly_json_is_read() {
        let event = |extra: &[u8]| {
            [b"{\"hook_event_name\":\"Stop\",\"session_id\":\"s\",\"cwd\":\"/p\",", extra, b"}\n"].concat()
        };
        for extra in [
            &b"\"prompt\":\"\xff\xfe\""[..],
            b"\"prompt\":\"\\ud83d\"",
            b"\"prompt\":\"\\u0000\"",
            b"\"cwd\":\"/q\",\"cwd\":\"/p\"",
            b"\"prompt_id\":7",
            b"\"session_id\":7",
            b"\"session_id\":null",
            b"\"stop_hook_active\":null,\"agent_id\":null,\"last_assistant_message\":null",
        ] {
            for front in [&b""[..], b"\xef\xbb\xbf", b"\n"] {
                let bytes = [front, &event(extra)].concat();
                let repaired = repair(&bytes).unwrap();
                let input = Input::parse(&repaired).unwrap();
                assert_eq!((input.name.as_str(), input.cwd.as_str()), ("Stop", "/p"));
            }
        }
        for bytes in [&b""[..], b"{", b"[]", b"null", b"\xff\xfe"] {
            assert_eq!(repair(bytes), None);
        }
    }

    #[test]
    fn a_call_is_found_among_fields_of_any_type() {
        let bytes = br#"{"hook_event_name":[1],"session_id":{},"cwd":3,"is_interrupt":"x","tool_calls":1,
            "tool_name":"Bash","tool_input":{"command":"ls"}}"#;
        let alone = tool_call_only(bytes, "PreToolUse").unwrap();
        let input = Input::parse(&alone).unwrap();
        assert_eq!((input.name.as_str(), input.call().unwrap().tool.as_str()), ("PreToolUse", "Bash"));
    }
}
