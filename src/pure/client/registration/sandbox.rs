//! Adds our rules to the `sandbox` part of Claude Code's settings, and removes them. What the user wrote stays.

use super::container::Container;
use super::edit::{Error, is_empty, list_at, object, value};
use super::layout::JsonLayout;
use serde_json::{Value, json};

/// Switches, with the value that keeps every command inside.
const SWITCHES: [(&str, bool); 3] =
    [("enabled", true), ("failIfUnavailable", true), ("allowUnsandboxedCommands", false)];
const SANDBOX: &str = "sandbox";
const FILES: &str = "filesystem";
const OUTSIDE: &str = "excludedCommands";

/// Our entries, spelled as the client's settings spell them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxEntries {
    pub deny_read: Vec<String>,
    pub deny_write: Vec<String>,
    /// Commands that run outside.
    pub excluded: Vec<String>,
}

impl SandboxEntries {
    fn of_files(&self) -> [(&'static str, &[String]); 2] {
        [("denyRead", &self.deny_read), ("denyWrite", &self.deny_write)]
    }
}

/// The settings text with the sandbox switched on and our entries in it, each once.
pub fn add_sandbox(text: &str, entries: &SandboxEntries) -> Result<String, Error> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let layout = &JsonLayout::of(text);
    with_member(text, "settings", SANDBOX, layout, 0, |sandbox| {
        let mut sandbox = sandbox.unwrap_or("{}").to_owned();
        for (switch, wanted) in SWITCHES {
            sandbox = with_member(&sandbox, SANDBOX, switch, layout, 1, |_| Ok(wanted.to_string()))?;
        }
        sandbox = with_member(&sandbox, SANDBOX, OUTSIDE, layout, 1, |list| {
            with_entries(list, "sandbox.excludedCommands", &entries.excluded, layout, 2)
        })?;
        with_member(&sandbox, SANDBOX, FILES, layout, 1, |files| {
            let mut files = files.unwrap_or("{}").to_owned();
            for (key, wanted) in entries.of_files() {
                let place = format!("sandbox.filesystem.{key}");
                files = with_member(&files, "sandbox.filesystem", key, layout, 2, |list| {
                    with_entries(list, &place, wanted, layout, 3)
                })?;
            }
            Ok(files)
        })
    })
}

/// The settings text without our entries, with the switches as `before` had them.
pub fn remove_sandbox(text: &str, before: Option<&str>, entries: &SandboxEntries) -> Result<String, Error> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let settings = object(text, "settings")?;
    let (Some(index), Some(sandbox)) = (settings.position(SANDBOX), settings.get(SANDBOX)) else {
        return Ok(text.to_owned());
    };
    let before: Value = before.and_then(value).unwrap_or_default();
    let had = before.get(SANDBOX).unwrap_or(&Value::Null);
    let mut edited = sandbox.to_owned();
    for (switch, ours) in SWITCHES {
        edited = without_switch(&edited, switch, ours, had)?;
    }
    edited = without_list(&edited, SANDBOX, OUTSIDE, &entries.excluded, had)?;
    let container = object(&edited, SANDBOX)?;
    if let (Some(place), Some(files)) = (container.position(FILES), container.get(FILES)) {
        let had = had.get(FILES);
        let mut files = files.to_owned();
        for (key, ours) in entries.of_files() {
            files = without_list(&files, "sandbox.filesystem", key, ours, had.unwrap_or(&Value::Null))?;
        }
        edited = match is_empty(&files) && had.is_none() {
            true => container.removed(place),
            false => container.replaced(place, &files),
        };
    }
    let emptied = is_empty(&edited) && had.is_null();
    Ok(if emptied { settings.removed(index) } else { settings.replaced(index, &edited) })
}

fn with_member(
    text: &str,
    place: &str,
    key: &str,
    layout: &JsonLayout,
    depth: usize,
    edit: impl FnOnce(Option<&str>) -> Result<String, Error>,
) -> Result<String, Error> {
    let container = object(text, place)?;
    let edited = edit(container.get(key))?;
    Ok(match container.position(key) {
        Some(index) => container.replaced(index, &edited),
        None => container.appended(Some(key), &edited, layout, depth),
    })
}

/// The list with each entry that it lacks.
fn with_entries(
    list: Option<&str>,
    place: &str,
    entries: &[String],
    layout: &JsonLayout,
    depth: usize,
) -> Result<String, Error> {
    let mut edited = list.unwrap_or("[]").to_owned();
    for entry in entries {
        let container = list_at(&edited, place)?;
        if position_of(&container, entry).is_none() {
            edited = container.appended(None, &json!(entry).to_string(), layout, depth);
        }
    }
    Ok(edited)
}

fn position_of(list: &Container<'_>, entry: &str) -> Option<usize> {
    list.values().position(|text| value(text).is_some_and(|value| value == *entry))
}

fn without_switch(sandbox: &str, switch: &str, ours: bool, had: &Value) -> Result<String, Error> {
    let container = object(sandbox, SANDBOX)?;
    let (Some(index), Some(text)) = (container.position(switch), container.get(switch)) else {
        return Ok(sandbox.to_owned());
    };
    let changed_since = value(text) != Some(json!(ours));
    Ok(match had.get(switch) {
        _ if changed_since => sandbox.to_owned(),
        Some(previous) => container.replaced(index, &previous.to_string()),
        None => container.removed(index),
    })
}

fn without_list(
    object_text: &str,
    place: &str,
    key: &str,
    ours: &[String],
    had: &Value,
) -> Result<String, Error> {
    let container = object(object_text, place)?;
    let (Some(index), Some(list)) = (container.position(key), container.get(key)) else {
        return Ok(object_text.to_owned());
    };
    let place = format!("{place}.{key}");
    let previous = had.get(key);
    let was_there = |entry: &String| {
        previous.and_then(Value::as_array).is_some_and(|list| list.iter().any(|value| value == entry))
    };
    let mut edited = list.to_owned();
    for entry in ours.iter().filter(|entry| !was_there(entry)) {
        let container = list_at(&edited, &place)?;
        if let Some(position) = position_of(&container, entry) {
            edited = container.removed(position);
        }
    }
    Ok(match is_empty(&edited) && previous.is_none() {
        true => container.removed(index),
        false => container.replaced(index, &edited),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> SandboxEntries {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        SandboxEntries {
            deny_read: texts(&["~/.ssh", "~/.local/share/plimsoll/seal.key"]),
            deny_write: texts(&["~/.local/share/plimsoll", ".git/hooks"]),
            excluded: texts(&["plimsoll push:*"]),
        }
    }

    const USERS: &str = r#"{
    "model": "opus",
    "sandbox": {"enabled": false, "network": {"allowedDomains": ["github.com"]},
        "excludedCommands": ["docker"],
        "filesystem": {"denyRead": ["~/.ssh", "~/private"]}}
}
"#;

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn adding_keeps_what_the_user_wrote_and_repeats_nothing() {
        let once = add_sandbox(USERS, &entries()).unwrap();
        assert_eq!(add_sandbox(&once, &entries()).unwrap(), once);
        let sandbox = &parsed(&once)["sandbox"];
        assert_eq!(sandbox["enabled"], true);
        assert_eq!(sandbox["allowUnsandboxedCommands"], false);
        assert_eq!(sandbox["network"], json!({"allowedDomains": ["github.com"]}));
        assert_eq!(sandbox["excludedCommands"], json!(["docker", "plimsoll push:*"]));
        assert_eq!(
            sandbox["filesystem"]["denyRead"],
            json!(["~/.ssh", "~/private", "~/.local/share/plimsoll/seal.key"])
        );
        assert!(once.starts_with("{\n    \"model\": \"opus\",\n"), "{once}");
    }

    #[test]
    fn removing_gives_back_what_was_there_even_after_an_edit_of_the_user() {
        for before in [USERS, "{}\n", "{\"sandbox\": {}}", "{\"a\": 1}"] {
            let added = add_sandbox(before, &entries()).unwrap();
            assert_eq!(
                parsed(&remove_sandbox(&added, Some(before), &entries()).unwrap()),
                parsed(before),
                "{before}"
            );
        }
        let added = add_sandbox(USERS, &entries()).unwrap().replace("docker", "podman");
        let removed = parsed(&remove_sandbox(&added, Some(USERS), &entries()).unwrap());
        assert_eq!(removed["sandbox"]["excludedCommands"], json!(["podman"]));
        assert_eq!(removed["sandbox"]["enabled"], false);
    }

    #[test]
    fn settings_of_another_shape_are_refused() {
        for text in [
            r#"{"sandbox": 7}"#,
            r#"{"sandbox": {"filesystem": []}}"#,
            r#"{"sandbox": {"excludedCommands": {}}}"#,
        ] {
            assert!(matches!(add_sandbox(text, &entries()), Err(Error::Shape { .. })), "{text}");
        }
    }
}
