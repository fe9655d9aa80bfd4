//! The layout of a settings file, so that our entries look like the rest.

use serde::Serialize;

/// The indentation of one level, and the line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonLayout {
    pub(super) unit: String,
    pub(super) newline: &'static str,
}

impl JsonLayout {
    /// Takes the first indented line as the pattern; two spaces where there is none.
    pub(super) fn of(text: &str) -> Self {
        let unit = text
            .lines()
            .map(|line| {
                line.chars().take_while(|character| matches!(character, ' ' | '\t')).collect::<String>()
            })
            .find(|indentation| !indentation.is_empty())
            .unwrap_or_else(|| "  ".into());
        Self { unit, newline: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    pub(super) fn line(&self, depth: usize) -> String {
        format!("{}{}", self.newline, self.unit.repeat(depth))
    }

    /// Prints a value as it would stand at this depth; the first line is not indented.
    pub(super) fn print(&self, value: &serde_json::Value, depth: usize) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        match value.serialize(&mut serializer) {
            Ok(()) => String::from_utf8_lossy(&bytes).replace('\n', &self.line(depth)),
            Err(_) => value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_that_of_the_first_indented_line() {
        for (text, unit, newline) in [
            ("{\n  \"a\": 1\n}", "  ", "\n"),
            ("{\n    \"a\": {\n        \"b\": 1}}", "    ", "\n"),
            ("{\r\n\t\"a\": 1\r\n}", "\t", "\r\n"),
            ("{\"a\": 1}", "  ", "\n"),
        ] {
            assert_eq!(JsonLayout::of(text), JsonLayout { unit: unit.into(), newline }, "{text:?}");
        }
    }
}
