//! Adds our hooks to the text of Claude Code's settings, and removes them.
//!
//! Everything that is not ours keeps its bytes and its order. A group of ours is always written whole, so that
//! adding twice changes nothing and a matcher somebody put on it does not narrow what is guarded.

use super::{
    Form,
    container::Container,
    entry::{EVENTS, RegisteredEvent, group, our_hook},
    layout::JsonLayout,
    status_line::remove_status_line,
};
use serde_json::{Value, json};

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    #[error("line {line}, column {column}: not JSON: {what}")]
    Invalid { line: usize, column: usize, what: String },
    #[error("`{place}` is not {expected}")]
    Shape { place: String, expected: &'static str },
}

/// The settings text with our hooks in it, complete and each once.
pub fn add(text: &str, form: &Form) -> Result<String, Error> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let layout = JsonLayout::of(text);
    let settings = object(text, "settings")?;
    let hooks = settings.get("hooks").unwrap_or("{}");
    let served = |name: &str| EVENTS.iter().any(|event| event.name == name);
    let mut edited = without_our_hooks(hooks, |name| !served(name), &Value::Null)?;
    for event in EVENTS {
        edited = with_event(&edited, event, form, &layout)?;
    }
    Ok(match settings.position("hooks") {
        Some(index) => settings.replaced(index, &edited),
        None => settings.appended(Some("hooks"), &edited, &layout, 0),
    })
}

/// The settings text without our hooks and status line, and without the containers that became empty, unless `before` had them.
pub fn remove(text: &str, before: Option<&str>) -> Result<String, Error> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let before: Value = before.and_then(|before| serde_json::from_str(before).ok()).unwrap_or_default();
    let text = remove_status_line(text, &before)?;
    let settings = object(&text, "settings")?;
    let Some(index) = settings.position("hooks") else { return Ok(text) };
    let hooks = settings.get("hooks").unwrap_or("{}");
    let had = before.get("hooks");
    let edited = without_our_hooks(hooks, |_| true, had.unwrap_or(&Value::Null))?;
    let emptied = edited != hooks && is_empty(&edited) && had.is_none();
    Ok(if emptied { settings.removed(index) } else { settings.replaced(index, &edited) })
}

/// Removes our entries from the chosen events; an empty event goes too, unless `had` has it.
fn without_our_hooks(hooks: &str, chosen: impl Fn(&str) -> bool, had: &Value) -> Result<String, Error> {
    let mut edited = hooks.to_owned();
    let names: Vec<String> = object(hooks, "hooks")?.keys().filter(|name| chosen(name)).collect();
    for name in names {
        let container = object(&edited, "hooks")?;
        let (Some(index), Some(groups)) = (container.position(&name), container.get(&name)) else { continue };
        // An oddly shaped value cannot hold an entry of ours.
        let Ok(cleaned) = without_ours(groups, &name, None) else { continue };
        let emptied = cleaned != groups && is_empty(&cleaned) && had.get(&name).is_none();
        edited = if emptied { container.removed(index) } else { container.replaced(index, &cleaned) };
    }
    Ok(edited)
}

fn with_event(
    hooks: &str,
    event: &RegisteredEvent,
    form: &Form,
    layout: &JsonLayout,
) -> Result<String, Error> {
    let container = object(hooks, "hooks")?;
    let wanted = group(event, form);
    let (Some(index), Some(groups)) = (container.position(event.name), container.get(event.name)) else {
        let value = layout.print(&json!([wanted]), 2);
        return Ok(container.appended(Some(event.name), &value, layout, 1));
    };
    let kept = list(groups, event.name)?.values().position(wholly_ours);
    let cleaned = without_ours(groups, event.name, kept)?;
    let place = list(&cleaned, event.name)?;
    let printed = layout.print(&wanted, 3);
    let present = kept.and_then(|kept| place.values().nth(kept)).and_then(value);
    let edited = match kept {
        Some(_) if present.as_ref() == Some(&wanted) => cleaned,
        Some(kept) => place.replaced(kept, &printed),
        None => place.appended(None, &printed, layout, 2),
    };
    Ok(container.replaced(index, &edited))
}

/// Removes our entries from every group but the kept one, and groups that contain only our entries.
fn without_ours(groups: &str, event: &str, kept: Option<usize>) -> Result<String, Error> {
    let mut edited = groups.to_owned();
    for index in (0..list(groups, event)?.values().count()).rev().filter(|index| Some(*index) != kept) {
        let container = list(&edited, event)?;
        let Some(group) = container.values().nth(index) else { continue };
        edited = if wholly_ours(group) {
            container.removed(index)
        } else {
            container.replaced(index, &without_our_entries(group, &format!("hooks.{event}[{index}]"))?)
        };
    }
    Ok(edited)
}

fn without_our_entries(group: &str, place: &str) -> Result<String, Error> {
    let container = object(group, place)?;
    let Some(index) = container.position("hooks") else { return Ok(group.to_owned()) };
    let place = format!("{place}.hooks");
    let mut entries = container.get("hooks").unwrap_or("[]").to_owned();
    for position in (0..list_at(&entries, &place)?.values().count()).rev() {
        let list = list_at(&entries, &place)?;
        if list.values().nth(position).and_then(value).is_some_and(|entry| our_hook(&entry).is_some()) {
            entries = list.removed(position);
        }
    }
    Ok(container.replaced(index, &entries))
}

fn wholly_ours(group: &str) -> bool {
    let group = value(group).unwrap_or_default();
    let entries = group.get("hooks").and_then(Value::as_array);
    entries
        .is_some_and(|entries| !entries.is_empty() && entries.iter().all(|entry| our_hook(entry).is_some()))
}

pub(super) fn value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

pub(super) fn is_empty(container: &str) -> bool {
    matches!(value(container), Some(empty) if empty == json!([]) || empty == json!({}))
}

pub(super) fn object<'a>(text: &'a str, place: &str) -> Result<Container<'a>, Error> {
    Container::object(text).map_err(|error| refusal(text, &error, place, "an object"))
}

fn list<'a>(text: &'a str, event: &str) -> Result<Container<'a>, Error> {
    list_at(text, &format!("hooks.{event}"))
}

pub(super) fn list_at<'a>(text: &'a str, place: &str) -> Result<Container<'a>, Error> {
    Container::list(text).map_err(|error| refusal(text, &error, place, "a list"))
}

fn refusal(text: &str, error: &serde_json::Error, place: &str, expected: &'static str) -> Error {
    if error.is_data() {
        return Error::Shape { place: place.to_owned(), expected };
    }
    let (line, column) = (error.line(), error.column());
    let written = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().as_bytes();
    let comment = [column.saturating_sub(1), column].iter().any(|at| written.get(*at) == Some(&b'/'));
    let told = error.to_string();
    let what =
        if comment { "comments are not allowed" } else { told.split(" at line ").next().unwrap_or(&told) };
    Error::Invalid { line, column, what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOREIGN: &str = r#"{
    "model": "opus",   "big": 123456789012345678901234567890.10,
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine/plimsoll-like"}]}
        ],
        "Notification": [ ]
    },
    "permissions": {"allow": ["Bash(ls:*)"], "deny": []}
}
"#;

    fn form() -> Form {
        Form::Binaries("/home/a b/.local/share/plimsoll/hooks".into())
    }

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_is_not_ours_keeps_its_bytes_and_its_order() {
        let added = add(FOREIGN, &form()).unwrap();
        let (before, _) = FOREIGN.split_once("\n        ],\n        \"Notification\"").unwrap();
        assert!(added.starts_with(before), "{added}");
        let (_, after) = FOREIGN
            .split_once(
                "
    },
",
            )
            .unwrap();
        assert!(
            added.ends_with(&format!(
                "
    }},
{after}"
            )),
            "{added}"
        );
        assert!(
            added.contains("\n        ],\n        \"Notification\": [ ],\n        \"SessionStart\": ["),
            "{added}"
        );
        assert_eq!(parsed(&added)["hooks"]["PreToolUse"][1]["hooks"][0]["onFailure"], "block");
    }

    #[test]
    fn adding_twice_changes_nothing_and_removing_gives_the_first_text_back() {
        for before in [FOREIGN, "{}", "{\n\t\"a\": 1\n}\n", "{\"a\":1}", "{\r\n  \"hooks\": {}\r\n}\r\n"] {
            let once = add(before, &form()).unwrap();
            assert_eq!(add(&once, &form()).unwrap(), once);
            assert_eq!(
                remove(&once, Some(before)).unwrap().replace(['\n', '\r', ' '], ""),
                before.replace(['\n', '\r', ' '], "")
            );
            assert_eq!(parsed(&remove(&once, Some(before)).unwrap()), parsed(before));
        }
    }

    #[test]
    fn another_form_replaces_ours_where_it_stands() {
        let once = add("{}", &form()).unwrap();
        let followed = once.replacen("\n      }\n    ],", "\n      },\n      {\"hooks\": []}\n    ],", 1);
        assert_ne!(once, followed);
        let moved = add(&followed, &Form::ProjectLauncher).unwrap();
        let starts = &parsed(&moved)["hooks"]["SessionStart"];
        let line = r#"exec sh "${CLAUDE_PROJECT_DIR}/.claude/plimsoll/launch" session-start"#;
        assert_eq!(starts[0]["hooks"][0]["command"], line);
        // A registration of an earlier version with arguments is replaced too.
        let with_arguments =
            r#""sh", "args": ["${CLAUDE_PROJECT_DIR}/.claude/plimsoll/launch", "session-start"]"#;
        let earlier = moved.replace(&json!(line).to_string(), with_arguments);
        assert_ne!(earlier, moved);
        assert_eq!(parsed(&add(&earlier, &Form::ProjectLauncher).unwrap()), parsed(&moved));
        assert_eq!(starts[1], json!({"hooks": []}));
        assert!(!moved.contains("/home/a b"), "{moved}");
    }

    #[test]
    fn copies_mixtures_matchers_and_events_we_left_are_put_right() {
        let entry = r#"{"type":"command","command":"/old/plimsoll/hooks/pre-tool-use","args":[]}"#;
        let text = format!(
            r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{{"command":"x"}},{entry}]}},{{"matcher":"Bash","hooks":[{entry}]}},
            {{"hooks":[{entry}]}}],"Notification":[{{"hooks":[{entry}]}}]}}}}"#
        );
        let added = parsed(&add(&text, &form()).unwrap());
        let groups = added["hooks"]["PreToolUse"].as_array().unwrap();
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0], json!({"hooks": [{"command": "x"}]}));
        assert_eq!(
            groups[1],
            group(EVENTS.iter().find(|event| event.name == "PreToolUse").unwrap(), &form())
        );
        assert!(added["hooks"].get("Notification").is_none());
    }

    #[test]
    fn a_hook_added_after_ours_survives_removal() {
        let added = add(FOREIGN, &form()).unwrap();
        let edited = added.replace("\"model\": \"opus\"", "\"model\": \"sonnet\"");
        let removed = remove(&edited, Some(FOREIGN)).unwrap();
        assert_eq!(removed, FOREIGN.replace("opus", "sonnet"));
    }

    #[test]
    fn invalid_json_is_refused_with_its_place() {
        for (text, told) in [
            ("{\n  \"a\": 1,\n  \"b\" 2\n}", "line 3, column 7: not JSON: expected `:`"),
            ("{\n  // why\n  \"a\": 1\n}", "line 2, column 3: not JSON: comments are not allowed"),
            ("{\"a\": 1 /* why */}", "line 1, column 9: not JSON: comments are not allowed"),
            ("{\"a\": 1,}", "line 1, column 9: not JSON: trailing comma"),
            ("{\"a\": [1", "line 1, column 8: not JSON: EOF while parsing a list"),
        ] {
            assert_eq!(add(text, &form()).unwrap_err().to_string(), told, "{text}");
            assert_eq!(remove(text, None).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn odd_shapes_are_refused_by_name() {
        for (text, told) in [
            ("[]", "`settings` is not an object"),
            (r#"{"hooks": []}"#, "`hooks` is not an object"),
            (r#"{"hooks": {"Stop": {}}}"#, "`hooks.Stop` is not a list"),
            (r#"{"hooks": {"Stop": [3]}}"#, "`hooks.Stop[0]` is not an object"),
            (r#"{"hooks": {"Stop": [{"hooks": "x"}]}}"#, "`hooks.Stop[0].hooks` is not a list"),
        ] {
            assert_eq!(add(text, &form()).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn a_deeply_nested_foreign_value_is_carried_along() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(5000), "]".repeat(5000));
        assert!(add(&deep, &form()).unwrap().starts_with(deep.trim_end_matches('}')));
    }
}
