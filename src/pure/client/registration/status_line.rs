//! Our segment as the client's status line. One that somebody else wrote stays.

use super::edit::{Error, object, value};
use super::layout::JsonLayout;
use crate::pure::text::quoted_where_needed;
use serde_json::{Value, json};

const KEY: &str = "statusLine";
/// How the command of our status line ends, after the path of the program.
const OURS: &str = "/bin/plimsoll statusline";

/// Whether these settings have a status line, ours or another.
pub fn has_status_line(text: &str) -> bool {
    value(text).is_some_and(|settings| settings.get(KEY).is_some_and(|line| !line.is_null()))
}

/// The settings text with our status line, unless it has one already.
pub fn add_status_line(text: &str, program: &str) -> Result<String, Error> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let settings = object(text, "settings")?;
    if settings.position(KEY).is_some() {
        return Ok(text.to_owned());
    }
    let layout = JsonLayout::of(text);
    let command = format!("{} statusline", quoted_where_needed(program));
    let line = layout.print(&json!({"type": "command", "command": command}), 1);
    Ok(settings.appended(Some(KEY), &line, &layout, 0))
}

/// The settings text without our status line, unless `before` had one.
pub(super) fn remove_status_line(text: &str, before: &Value) -> Result<String, Error> {
    let settings = object(text, "settings")?;
    Ok(match settings.position(KEY) {
        Some(index) if before.get(KEY).is_none() && settings.get(KEY).is_some_and(is_ours) => {
            settings.removed(index)
        }
        Some(_) | None => text.to_owned(),
    })
}

fn is_ours(line: &str) -> bool {
    let line = value(line).unwrap_or_default();
    let command = line.get("command").and_then(Value::as_str).unwrap_or_default();
    command.replace('\'', "").ends_with(OURS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "/home/a b/.local/share/plimsoll/bin/plimsoll";

    #[test]
    fn ours_is_added_once_and_removed_again() {
        for text in ["{\n  \"model\": \"opus\"\n}\n", "{}\n"] {
            let added = add_status_line(text, PROGRAM).unwrap();
            assert!(has_status_line(&added) && !has_status_line(text));
            assert_eq!(add_status_line(&added, PROGRAM).unwrap(), added);
            let removed = remove_status_line(&added, &Value::Null).unwrap();
            assert_eq!(value(&removed), value(text), "{added}");
        }
    }

    #[test]
    fn another_is_neither_replaced_nor_removed() {
        let theirs = r#"{"statusLine": {"type": "command", "command": "~/.claude/line.sh"}}"#;
        assert_eq!(add_status_line(theirs, PROGRAM).unwrap(), theirs);
        assert_eq!(remove_status_line(theirs, &Value::Null).unwrap(), theirs);
        let ours = add_status_line("", PROGRAM).unwrap();
        assert_eq!(remove_status_line(&ours, &value(&ours).unwrap()).unwrap(), ours);
    }
}
