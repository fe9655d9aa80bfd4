//! Numbers that checks print: warnings, errors, files, coverage. What is not printed is not made up.

use crate::project::CheckKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn facts(kind: CheckKind, passed: bool, text: &str) -> BTreeMap<String, Value> {
    // A check that passes without a word about warnings had none to report.
    let or_none = |count: Option<u64>| count.or(passed.then_some(0)).map(|count| json!(count));
    let fact = match kind {
        CheckKind::Lint => ("warnings", or_none(count_of(text, "warning"))),
        CheckKind::Typecheck => ("errors", or_none(count_of(text, "error"))),
        CheckKind::Format => ("files_checked", files_checked(text).map(|count| json!(count))),
        CheckKind::Build => ("warnings", count_of(text, "warning").map(|count| json!(count))),
        CheckKind::Test => ("coverage", coverage(text).map(|percent| json!(percent))),
    };
    let (name, value) = fact;
    value.map(|value| (name.to_string(), value)).into_iter().collect()
}

/// The largest number that stands before the word; tools repeat parts of their total.
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

/// Istanbul's table and summary, llvm-cov and coverage.py's total, tarpaulin's last line.
fn coverage(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| {
        let line = line.trim();
        let percents =
            || line.split_whitespace().filter_map(|word| word.strip_suffix('%')).filter_map(percent);
        if let Some(row) = line.strip_prefix("All files") {
            row.split('|').nth(1).and_then(percent)
        } else if let Some(row) = line.strip_prefix("Lines") {
            row.trim_start().strip_prefix(':').and_then(|_| percents().next())
        } else if line.starts_with("TOTAL") {
            // llvm-cov: regions, functions, lines; coverage.py: lines alone.
            percents().nth(2).or_else(|| percents().next())
        } else if line.contains("% coverage,") {
            percents().next()
        } else {
            None
        }
    })
}

fn percent(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
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

    #[test]
    fn coverage_is_read_where_the_tool_prints_it() {
        for (text, expected) in [
            (
                "File      | % Stmts | % Branch |\nAll files |    82.5 |    70.1 |\n a.ts | 1 | 2 |",
                Some(82.5),
            ),
            ("Statements   : 80% ( 8/10 )\nLines        : 82.5% ( 33/40 )", Some(82.5)),
            ("TOTAL  100  10  90.00%  20  3  85.00%  200  35  82.50%  0  0  -", Some(82.5)),
            ("TOTAL    120     12    90%", Some(90.0)),
            ("82.50% coverage, 33/40 lines covered", Some(82.5)),
            ("All files | lots |", None),
            ("Lines changed: 20%", None),
            ("TOTAL 900%", None),
            ("test result: ok. 3 passed", None),
        ] {
            assert_eq!(coverage(text), expected, "{text}");
        }
    }
}
