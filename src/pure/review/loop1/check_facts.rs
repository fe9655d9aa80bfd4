//! Numbers in the output of checks: warnings, errors, files, coverage.

use super::coverage::coverage;
use crate::pure::project::CheckKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn facts(kind: CheckKind, passed: bool, text: &str) -> BTreeMap<String, Value> {
    // A check that passes and prints no count has none to report.
    let or_none = |count: Option<u64>| count.or(passed.then_some(0)).map(|count| json!(count));
    let fact = match kind {
        CheckKind::Lint => ("warnings", or_none(count_of(text, "warning"))),
        CheckKind::Typecheck => ("errors", or_none(count_of(text, "error"))),
        CheckKind::Format => ("files_checked", files_checked(text).map(|count| json!(count))),
        CheckKind::Build => ("warnings", count_of(text, "warning").map(|count| json!(count))),
        CheckKind::Test | CheckKind::Integration | CheckKind::E2e => {
            ("coverage", coverage(text).map(|percent| json!(percent)))
        }
    };
    let (name, value) = fact;
    value.map(|value| (name.to_string(), value)).into_iter().collect()
}

/// The largest number before the word; tools also print partial counts.
fn count_of(text: &str, word: &str) -> Option<u64> {
    let bare = |token: &'_ str| token.trim_matches(|c: char| !c.is_alphanumeric()).to_string();
    let tokens: Vec<String> = text.split_whitespace().map(bare).collect();
    let counts = tokens.iter().zip(tokens.iter().skip(1)).filter_map(|(number, noun)| {
        (noun.strip_suffix('s').unwrap_or(noun) == word).then(|| number.parse().ok()).flatten()
    });
    counts.max()
}

fn files_checked(text: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.trim_start().strip_prefix("Checked "))?;
    let (number, noun) = rest.split_once(' ')?;
    noun.starts_with("file").then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_and_errors_are_read_from_the_tools_own_totals() {
        for (kind, passed, text, expected) in [
            (
                CheckKind::Lint,
                true,
                "✖ 3 problems (0 errors, 3 warnings)\n  0 errors and 2 warnings potentially fixable",
                json!({"warnings": 3}),
            ),
            (CheckKind::Lint, true, "", json!({"warnings": 0})),
            (CheckKind::Lint, false, "boom", json!({})),
            (CheckKind::Build, true, "warning: `x` (lib) generated 1 warning", json!({"warnings": 1})),
            (CheckKind::Build, true, "done", json!({})),
            (CheckKind::Typecheck, false, "Found 12 errors in 2 files.", json!({"errors": 12})),
            (CheckKind::Typecheck, true, "", json!({"errors": 0})),
            (
                CheckKind::Format,
                true,
                "Checked 42 files in 8ms. No fixes applied.",
                json!({"files_checked": 42}),
            ),
            (CheckKind::Format, true, "All matched files use Prettier code style!", json!({})),
        ] {
            assert_eq!(json!(facts(kind, passed, text)), expected, "{text}");
        }
    }
}
