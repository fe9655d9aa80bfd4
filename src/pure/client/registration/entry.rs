//! The registered events with their hooks, their command lines, and how to recognise our entries.

use serde_json::{Value, json};

/// How a hook is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// By the path of its binary in this directory, which ends in `plimsoll/hooks`.
    Binaries(String),
    /// By the launcher that a team commits with its project.
    ProjectLauncher,
}

/// One of our hooks as it stands in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    pub event: String,
    pub hook: String,
    /// The program and its arguments, placeholders and all.
    pub command: Vec<String>,
    /// The matcher of its group, where it excludes some calls.
    pub matcher: Option<String>,
}

#[derive(Clone, Copy)]
enum OnFailure {
    Proceed,
    Block,
}

pub(super) struct RegisteredEvent {
    pub(super) name: &'static str,
    hooks: &'static [&'static str],
    timeout: u32,
    on_failure: OnFailure,
}

const fn event(
    name: &'static str,
    hooks: &'static [&'static str],
    timeout: u32,
    on_failure: OnFailure,
) -> RegisteredEvent {
    RegisteredEvent { name, hooks, timeout, on_failure }
}

// Only names that 2.1.197 knows: there one unknown event in a plugin's file switches all of its hooks off.
// Prompt hooks stay under the client's own 30 seconds.
pub(super) const EVENTS: &[RegisteredEvent] = &[
    event("SessionStart", &["session-start"], 30, OnFailure::Proceed),
    event(
        "UserPromptSubmit",
        &["user-prompt-start", "user-prompt-review", "user-prompt-ship"],
        25,
        OnFailure::Proceed,
    ),
    event("UserPromptExpansion", &["user-prompt-review", "user-prompt-ship"], 25, OnFailure::Proceed),
    event("PreToolUse", &["pre-tool-use"], 60, OnFailure::Block),
    event("PostToolUse", &["post-tool-use"], 30, OnFailure::Proceed),
    event("PostToolUseFailure", &["post-tool-use"], 30, OnFailure::Proceed),
    event("PostToolBatch", &["post-tool-use"], 30, OnFailure::Proceed),
    event("Stop", &["stop"], 60, OnFailure::Proceed),
    event("SubagentStop", &["stop"], 60, OnFailure::Proceed),
    event("ConfigChange", &["config-change"], 30, OnFailure::Block),
];

/// Every (event, hook) pair of a complete registration.
pub fn expected() -> impl Iterator<Item = (&'static str, &'static str)> {
    EVENTS.iter().flat_map(|event| event.hooks.iter().map(|hook| (event.name, *hook)))
}

/// Our hooks in this settings text.
pub fn registered(settings: &str) -> Result<Vec<Registered>, serde_json::Error> {
    let settings: Value = serde_json::from_str(settings)?;
    let mut found = Vec::new();
    for (event, groups) in settings.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            let matcher = group.get("matcher").and_then(Value::as_str);
            let matcher = matcher.filter(|matcher| !matches!(*matcher, "" | "*")).map(str::to_owned);
            for entry in group.get("hooks").and_then(Value::as_array).into_iter().flatten() {
                if let Some((hook, command)) = our_hook(entry) {
                    found.push(Registered { event: event.clone(), hook, command, matcher: matcher.clone() });
                }
            }
        }
    }
    Ok(found)
}

pub(super) fn group(event: &RegisteredEvent, form: &Form) -> Value {
    let hooks: Vec<Value> = event
        .hooks
        .iter()
        .map(|hook| {
            let timeout = event.timeout;
            let mut entry = match form {
                Form::Binaries(directory) => {
                    let command = format!("{directory}/{hook}");
                    json!({"type": "command", "command": command, "args": [], "timeout": timeout})
                }
                // All in one line: a host that does not know `args` would start a shell that runs the event.
                Form::ProjectLauncher => {
                    let command =
                        format!(r#"exec sh "${{CLAUDE_PROJECT_DIR}}/.claude/plimsoll/launch" {hook}"#);
                    json!({"type": "command", "command": command, "timeout": timeout})
                }
            };
            if let (OnFailure::Block, Some(fields)) = (&event.on_failure, entry.as_object_mut()) {
                fields.insert("onFailure".into(), "block".into());
            }
            entry
        })
        .collect();
    json!({ "hooks": hooks })
}

/// The name of our hook and its command line, if this entry starts one of ours.
pub(super) fn our_hook(entry: &Value) -> Option<(String, Vec<String>)> {
    let command = entry.get("command").and_then(Value::as_str)?;
    let words: Vec<String> = match entry.get("args").and_then(Value::as_array) {
        Some(arguments) => {
            let arguments = arguments.iter().filter_map(Value::as_str);
            std::iter::once(command).chain(arguments).map(str::to_owned).collect()
        }
        None => words_of(command),
    };
    let hook = words.iter().enumerate().find_map(|(index, path)| {
        if path.ends_with(".claude/plimsoll/launch") {
            return words.get(index + 1).cloned().or_else(|| Some("launch".into()));
        }
        let (directory, name) = path.rsplit_once('/')?;
        let known = EVENTS.iter().any(|event| event.hooks.contains(&name));
        (known && directory.ends_with("plimsoll/hooks")).then(|| name.to_owned())
    })?;
    Some((hook, words))
}

/// The words of a command line that only uses double quotes, like ours.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugin_registers_what_install_registers() {
        let file: Value =
            serde_json::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/hooks/hooks.json")))
                .unwrap();
        let hooks: Value = EVENTS
            .iter()
            .map(|event| (event.name.to_owned(), json!([group(event, &Form::ProjectLauncher)])))
            .collect();
        let text = hooks.to_string().replace("_PROJECT_DIR}/.claude/plimsoll/", "_PLUGIN_ROOT}/hooks/");
        assert_eq!(file["hooks"].to_string(), text);
    }

    #[test]
    fn ours_are_recognised_by_their_path_and_nothing_else_is() {
        for (entry, hook) in [
            (json!({"command": "/d/plimsoll/hooks/stop", "args": []}), Some("stop")),
            (json!({"command": "\"/d e/plimsoll/hooks/stop\""}), Some("stop")),
            (
                json!({"command": "sh", "args": ["${CLAUDE_PROJECT_DIR}/.claude/plimsoll/launch", "stop"]}),
                Some("stop"),
            ),
            (
                json!({"command": "exec sh \"${CLAUDE_PROJECT_DIR}/.claude/plimsoll/launch\" stop"}),
                Some("stop"),
            ),
            (json!({"command": "sh /a/.claude/plimsoll/launch stop"}), Some("stop")),
            (json!({"command": "/d e/plimsoll/hooks/stop"}), Some("stop")),
            (json!({"command": "/d/plimsoll/hooks/other"}), None),
            (json!({"command": "/d/hooks/stop"}), None),
            (json!({"command": "echo plimsoll"}), None),
            (json!({"type": "http", "url": "/plimsoll/hooks/stop"}), None),
            (json!(7), None),
        ] {
            assert_eq!(our_hook(&entry).map(|(hook, _)| hook).as_deref(), hook, "{entry}");
        }
    }

    #[test]
    fn a_narrowing_matcher_is_told() {
        let text = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "/p/plimsoll/hooks/pre-tool-use"}]}]}}"#;
        let found = registered(text).unwrap();
        assert_eq!(found[0].matcher.as_deref(), Some("Bash"));
        assert_eq!(found[0].command, ["/p/plimsoll/hooks/pre-tool-use"]);
    }
}
