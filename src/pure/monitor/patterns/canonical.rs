//! One call in one spelling: the same call with other words around it is the same call.

use crate::pure::text::one_line;
use serde_json::Value;

/// Fields that say something about a call and change nothing about what it does.
const ASIDE: [&str; 3] = ["description", "timeout", "run_in_background"];

/// The input with sorted keys and without what is said aside; the shell text in `shell` normalised.
pub(super) fn input(value: &Value, shell: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(command) = shell {
        text.push_str(&command_line(command));
    }
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields
                .keys()
                .filter(|name| !ASIDE.contains(&name.as_str()) && !is_shell_text(name, shell))
                .collect();
            names.sort_unstable();
            for name in names {
                text.extend(["\u{1}", name.as_str(), "="]);
                if let Some(value) = fields.get(name) {
                    write(value, &mut text);
                }
            }
        }
        other => write(other, &mut text),
    }
    text
}

fn is_shell_text(name: &str, shell: Option<&str>) -> bool {
    shell.is_some() && matches!(name, "command" | "cmd" | "c")
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            text.push('{');
            for name in names {
                text.extend([name.as_str(), ":"]);
                if let Some(value) = fields.get(name) {
                    write(value, text);
                }
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::String(string) => text.extend(["\"", string.as_str(), "\""]),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => text.push_str(&plain.to_string()),
    }
}

/// A shell text without the directory it changes to first, without `2>&1` and without what only shortens its output.
pub(super) fn command_line(command: &str) -> String {
    let mut text = one_line(command);
    while let Some(rest) = after_cd(&text) {
        text = rest.to_owned();
    }
    text = text.replace(" 2>&1", "");
    while let Some((before, last)) = text.rsplit_once(" | ") {
        let shortens = ["tail", "head"]
            .iter()
            .any(|name| last.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')));
        if !shortens || last.contains(['\'', '"', ';', '&', '$']) {
            break;
        }
        text = before.to_owned();
    }
    text
}

fn after_cd(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("cd ")?;
    let (folder, rest) = rest.split_once(" && ").or_else(|| rest.split_once("; "))?;
    let one_word = !folder.contains([' ', '|', '&', ';', '$', '`', '(']);
    (one_word || is_quoted(folder)).then_some(rest)
}

fn is_quoted(word: &str) -> bool {
    ['"', '\''].iter().any(|quote| {
        word.strip_prefix(*quote)
            .and_then(|rest| rest.strip_suffix(*quote))
            .is_some_and(|inner| !inner.contains(*quote))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_command_in_another_dress_is_the_same() {
        for spelled in [
            "npm test",
            "cd app && npm test",
            "cd \"my app\" && npm   test",
            "npm test 2>&1 | tail -20",
            "npm test 2>&1 | head -n 5 | tail -1",
        ] {
            assert_eq!(command_line(spelled), "npm test", "{spelled}");
        }
        for (one, other) in [
            ("npm test | grep x", "npm test"),
            ("cd $(x y) && ls", "ls"),
            ("npm test | tail 'a b'", "npm test"),
        ] {
            assert_ne!(command_line(one), other);
        }
    }

    #[test]
    fn keys_have_no_order_and_remarks_do_not_count() {
        let read = |text: &str| input(&serde_json::from_str(text).unwrap(), None);
        assert_eq!(
            read(r#"{"a":1,"b":{"x":1,"y":2}}"#),
            read(r#"{"b":{"y":2,"x":1},"a":1,"description":"d","timeout":5}"#)
        );
        assert_ne!(read(r#"{"a":1}"#), read(r#"{"a":"1"}"#));
        assert_ne!(read(r#"{"a":[1,2]}"#), read(r#"{"a":[2,1]}"#));
        assert_ne!(read(r#"{"a":{"b":1}}"#), read(r#"{"a":{"b":2}}"#));
    }
}
