//! All values of a tool's input, of any shape, each with its name.

use serde_json::Value;

/// One text, number or boolean of an input. Each entry of a list has the list's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    pub name: String,
    pub value: String,
}

/// All values of an input in order; `None` if it is not valid JSON or nested too deeply.
pub(super) fn arguments(input: &str) -> Option<Vec<Argument>> {
    let mut found = Vec::new();
    let value = match serde_json::from_str(input).ok()? {
        // JSON inside a string.
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        value => value,
    };
    collect("", value, &mut found);
    Some(found)
}

/// The recursion limit of serde_json bounds the depth.
fn collect(name: &str, value: Value, found: &mut Vec<Argument>) {
    let mut push = |value| found.push(Argument { name: name.to_owned(), value });
    match value {
        Value::Null => {}
        Value::String(text) => push(text),
        Value::Bool(truth) => push(truth.to_string()),
        Value::Number(number) => push(number.to_string()),
        Value::Array(entries) => entries.into_iter().for_each(|entry| collect(name, entry, found)),
        Value::Object(fields) => {
            fields.into_iter().for_each(|(inner, value)| collect(&inner, value, found));
        }
    }
}

/// Every text of an input that may be a command: each string, and each list as one line of words.
pub(super) fn lines(input: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::from_str(input) {
        list_lines(value, &mut found);
    }
    found
}

fn list_lines(value: Value, found: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(inner @ (Value::Array(_) | Value::Object(_))) => list_lines(inner, found),
            Ok(_) | Err(_) => found.push(text),
        },
        Value::Array(entries) => {
            let words: Vec<&str> = entries.iter().filter_map(Value::as_str).collect();
            found.push(words.join(" "));
            entries.into_iter().for_each(|entry| list_lines(entry, found));
        }
        Value::Object(fields) => fields.into_iter().for_each(|(_, value)| list_lines(value, found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_under_its_nearest_name() {
        let found = arguments(r#"{"a":"x","list":["y",{"deep":true}],"n":3,"none":null}"#).unwrap();
        let pairs: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
        assert_eq!(pairs, [("a", "x"), ("list", "y"), ("deep", "true"), ("n", "3")]);
        assert_eq!(arguments(&"[".repeat(100_000)), None);
    }

    #[test]
    fn every_text_may_be_a_command_and_every_list_a_line_of_words() {
        for (input, expected) in [
            (r#"{"a":"x y","n":3}"#, &["x y"][..]),
            (r#"{"command":["rm","-r",{"b":"z"}]}"#, &["rm -r", "rm", "-r", "z"]),
            (r#""{\"command\":\"ls\"}""#, &["ls"]),
            ("3", &[]),
            ("{", &[]),
        ] {
            assert_eq!(lines(input), expected, "{input}");
        }
    }
}
