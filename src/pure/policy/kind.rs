//! The values that a key takes, and their description.

use super::{LoopNumber, StepOverride};
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::fmt;

const DAY: u64 = 86_400;

/// The type and range of a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyKind {
    Flag,
    /// A whole number between the two, inclusive.
    Count(u64, u64),
    /// A time of at least this and at most a day.
    Seconds(u64),
    /// A number from 0 to 1.
    Fraction,
    /// One of these; where words have an order, the strictest is last.
    Word(&'static [&'static str]),
    Text,
    OptionalText,
    /// A path inside the project.
    Path,
    OptionalPath,
    /// A list of names.
    Texts,
    /// A list of some of these.
    Words(&'static [&'static str]),
    /// A program and its arguments; empty means none.
    Command,
    /// A list of path patterns inside the project.
    Patterns,
    /// A list of loop numbers.
    Loops,
    Overrides,
}

impl KeyKind {
    /// The value in canonical form, or a description of the expected values.
    pub fn checked(self, value: Value) -> Result<Value, String> {
        let fits = match self {
            Self::Flag => value.is_boolean(),
            Self::Count(least, most) => value.as_u64().is_some_and(|n| (least..=most).contains(&n)),
            Self::Seconds(least) => value.as_u64().is_some_and(|n| (least..=DAY).contains(&n)),
            Self::Fraction => return fraction(&value).map(Value::from).ok_or_else(|| self.to_string()),
            Self::Word(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            Self::Text => value.as_str().is_some_and(is_text),
            Self::OptionalText => value.is_null() || value.as_str().is_some_and(is_text),
            Self::Path => value.as_str().is_some_and(is_inside),
            Self::OptionalPath => value.is_null() || value.as_str().is_some_and(is_inside),
            Self::Words(words) => value.as_array().is_some_and(|items| {
                items.iter().all(|item| item.as_str().is_some_and(|text| words.contains(&text)))
            }),
            Self::Texts | Self::Command => all(&value, is_text),
            Self::Patterns => all(&value, is_inside),
            Self::Loops => return loops(&value).map(|loops| json!(loops)).ok_or_else(|| self.to_string()),
            Self::Overrides => return overrides(value),
        };
        if fits { Ok(value) } else { Err(self.to_string()) }
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("true or false"),
            Self::Count(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Seconds(least) => write!(f, "seconds, from {least} to {DAY}"),
            Self::Fraction => f.write_str("a number from 0 to 1"),
            Self::Word(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text => f.write_str("text"),
            Self::OptionalText => f.write_str("text or null"),
            Self::Path => f.write_str("a path inside the project, without `..` or `.git`"),
            Self::OptionalPath => f.write_str("null or a path inside the project, without `..` or `.git`"),
            Self::Texts => f.write_str("a list of texts"),
            Self::Words(words) => write!(f, "a list of any of {}", words.join(", ")),
            Self::Command => f.write_str("a program and its arguments as a list, such as [make, test]"),
            Self::Patterns => f.write_str("a list of path patterns inside the project, without `..`"),
            Self::Loops => f.write_str("a list of loop numbers from 1 to 4"),
            Self::Overrides => f.write_str("a list of overrides, each with `agent` or `paths`"),
        }
    }
}

fn fraction(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| (0.0..=1.0).contains(number))
}

/// A NUL would end an argument early, a line break would forge a line of output.
fn is_text(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control)
}

fn is_inside(path: &str) -> bool {
    let parts_fit = path.split('/').all(|part| part != ".." && !part.eq_ignore_ascii_case(".git"));
    is_text(path) && !path.starts_with(['/', '~']) && !path.contains('\\') && parts_fit
}

fn all(value: &Value, fits: fn(&str) -> bool) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(|item| item.as_str().is_some_and(fits)))
}

fn loops(value: &Value) -> Option<Vec<LoopNumber>> {
    let mut sorted = Vec::<LoopNumber>::deserialize(value).ok()?;
    sorted.sort_unstable();
    sorted.dedup();
    Some(sorted)
}

fn overrides(value: Value) -> Result<Value, String> {
    let entries: Vec<StepOverride> =
        serde_json::from_value(value.clone()).map_err(|error| format!("{} ({error})", KeyKind::Overrides))?;
    for entry in &entries {
        let StepOverride { agent, paths, mode: _, risk, rationality, disabled_rules } = entry;
        let thresholds = [
            risk.low_threshold,
            risk.medium_threshold,
            risk.high_threshold,
            risk.critical_threshold,
            rationality.low_threshold,
            rationality.medium_threshold,
            rationality.high_threshold,
        ];
        if !thresholds.iter().flatten().all(|number| (0.0..=1.0).contains(number)) {
            return Err(format!("{} and thresholds from 0 to 1", KeyKind::Overrides));
        }
        let named = agent.is_some() || !paths.is_empty();
        if !named || !agent.iter().chain(disabled_rules).all(|text| is_text(text)) {
            return Err(KeyKind::Overrides.to_string());
        }
        if !paths.iter().all(|path| is_inside(path)) {
            return Err(format!("{}, the paths inside the project", KeyKind::Overrides));
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_outside_their_range_are_refused() {
        let cases = [
            (KeyKind::Flag, json!(true), json!("true")),
            (KeyKind::Count(1, 5), json!(5), json!(6)),
            (KeyKind::Count(1, 5), json!(1), json!(1.0)),
            (KeyKind::Seconds(1), json!(86_400), json!(0)),
            (KeyKind::Fraction, json!(1), json!(1.01)),
            (KeyKind::Fraction, json!(0.0), json!(-0.1)),
            (KeyKind::Word(&["a", "b"]), json!("b"), json!("c")),
            (KeyKind::Text, json!("x"), json!(" ")),
            (KeyKind::OptionalText, json!(null), json!("a\nb")),
            (KeyKind::Path, json!("a/b"), json!("a/../b")),
            (KeyKind::Path, json!("./a"), json!("/a")),
            (KeyKind::Path, json!(".github"), json!("x/.GIT/hooks")),
            (KeyKind::Path, json!("a"), json!("~/a")),
            (KeyKind::OptionalPath, json!(null), json!("")),
            (KeyKind::Texts, json!(["a", "b"]), json!("a b")),
            (KeyKind::Words(&["a", "b"]), json!(["b"]), json!(["b", "c"])),
            (KeyKind::Command, json!(["npm", "test"]), json!(["npm", ""])),
            (KeyKind::Patterns, json!(["src/**"]), json!(["../**"])),
            (KeyKind::Loops, json!([4, 1]), json!([0])),
            (KeyKind::Loops, json!([]), json!([5])),
            (KeyKind::Overrides, json!([{"agent": "Explore"}]), json!([{"mode": "observe"}])),
            (KeyKind::Overrides, json!([{"paths": ["docs/**"]}]), json!([{"paths": ["/etc"]}])),
            (
                KeyKind::Overrides,
                json!([{"agent": "a", "risk": {"high_threshold": 0.7}}]),
                json!([{"agent": "a", "risk": {"high_threshold": 7}}]),
            ),
        ];
        for (kind, good, bad) in cases {
            assert!(kind.checked(good.clone()).is_ok(), "{kind:?} refuses {good}");
            assert!(kind.checked(bad.clone()).is_err(), "{kind:?} accepts {bad}");
        }
    }

    #[test]
    fn equal_values_have_one_form() {
        assert_eq!(KeyKind::Fraction.checked(json!(1)), Ok(json!(1.0)));
        assert_eq!(KeyKind::Loops.checked(json!([2, 1, 2])), Ok(json!([1, 2])));
    }

    #[test]
    fn a_misspelt_word_in_an_override_is_named() {
        let message = KeyKind::Overrides.checked(json!([{"agent": "a", "rsik": {}}])).unwrap_err();
        assert!(message.contains("unknown field `rsik`"), "{message}");
    }
}
