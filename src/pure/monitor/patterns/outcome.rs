//! The result in the output of a check, where its exit code does not tell it.

use super::text::{end, start};
use serde_json::Value;

/// Longer outputs are read at both ends.
const ENDS: usize = 16 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TestCounts {
    pub(super) failed: bool,
    /// How many tests passed, and how many there were.
    pub(super) passed: Option<u32>,
    pub(super) total: Option<u32>,
}

/// The text in a response, which may be JSON around it.
pub(super) fn response_text(response: &str) -> String {
    let trimmed = response.trim_start();
    if !trimmed.starts_with(['{', '[', '"']) {
        return response.to_owned();
    }
    let Ok(value) = serde_json::from_str::<Value>(trimmed) else { return response.to_owned() };
    let mut text = String::new();
    gather(&value, &mut text);
    text
}

fn gather(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(string);
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, text)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    // As the client says it in words elsewhere.
                    ("backgroundTaskId", Value::String(task)) => {
                        text.extend(["\nCommand running in background with ID: ", task.as_str()]);
                    }
                    ("exitCode" | "exit_code", Value::Number(code)) => {
                        text.extend(["\n<exit_code>", &code.to_string(), "</exit_code>"]);
                    }
                    _ => gather(value, text),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

pub(super) fn test_counts(output: &str) -> TestCounts {
    let mut told = TestCounts::default();
    let mut signs = false;
    let both = output.len() > 2 * ENDS;
    let head = if both { start(output, ENDS) } else { output };
    let tail = if both { end(output, ENDS) } else { "" };
    for line in head.lines().chain(tail.lines()) {
        signs |= says_failure(line);
        let counts = Counts::of(line);
        told.failed |= counts.failed.is_some_and(|count| count > 0);
        if let Some(passed) = counts.passed {
            told.passed = Some(told.passed.unwrap_or_default().saturating_add(passed));
        }
        if let Some(total) = counts.total() {
            told.total = Some(told.total.unwrap_or_default().saturating_add(total));
        }
    }
    // Where the tests were counted, the count decides.
    told.failed |= signs && told.passed.is_none_or(|passed| passed == 0);
    told
}

/// A line that no passing run prints. Errors that a test provokes on purpose look like errors too, so that few do.
fn says_failure(line: &str) -> bool {
    const BEGINS: [&str; 5] = ["FAIL\t", "--- FAIL", "npm ERR!", "npm error", "make: ***"];
    const HOLDS: [&str; 11] = [
        "BUILD FAILED", "Build failed", "build failed", "test result: FAILED", "task failed",
        "Compilation failed", "compilation failed", "FAILURES!", "could not compile", "Tests failed",
        "ELIFECYCLE",
    ];
    let line = start(line.trim_start(), 2000);
    BEGINS.iter().any(|sign| line.starts_with(sign))
        || HOLDS.iter().any(|sign| line.contains(sign))
        || is_error_of_compiler(line)
        || line.split_once("exited with code ").is_some_and(|(_, code)| !code.starts_with('0'))
}

/// `a.ts(3,1): error TS2304`, `a.c:3:1: error: …`.
fn is_error_of_compiler(line: &str) -> bool {
    let at_a_place = |place: &str| place.ends_with(|c: char| c.is_ascii_digit());
    line.contains(": error TS")
        || line.contains(": error[")
        || line.split_once(": error: ").is_some_and(|(place, _)| at_a_place(place))
}

/// Words that may follow a number of results in a sum; anything else is prose, such as “2 failed logins lock the account”.
fn continues_sum(word: &str) -> bool {
    const WORDS: [&str; 19] = [
        "in", "out", "of", "total", "and", "passed", "skipped", "ignored", "tests", "test", "examples",
        "assertions", "pending", "todo", "warnings", "errors", "error", "Watching", "finished",
    ];
    WORDS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit())
}

#[derive(Debug, Default)]
struct Counts {
    passed: Option<u32>,
    failed: Option<u32>,
    whole: Option<u32>,
}

impl Counts {
    fn of(line: &str) -> Self {
        let mut counts = Self::default();
        let line = start(line, 2000);
        if !line.bytes().any(|byte| byte.is_ascii_digit()) {
            return counts;
        }
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for (at, pair) in words.windows(2).enumerate() {
            let [one, other] = pair else { continue };
            if let Ok(number) = one.parse::<u32>() {
                let sums_up = words.get(at + 2).is_none_or(|next| continues_sum(next));
                match *other {
                    "passed" | "passing" | "pass" if sums_up => counts.passed = Some(number),
                    "fail" | "failed" | "failing" | "failures" | "failure" | "errors" | "error"
                    | "problems" | "issues"
                        if sums_up =>
                    {
                        counts.failed = Some(counts.failed.unwrap_or_default().max(number));
                    }
                    "total" | "examples" => counts.whole = Some(number),
                    "tests" if words.first() == Some(&"Ran") => counts.whole = Some(number),
                    _ => {}
                }
            } else if let Ok(number) = other.parse::<u32>() {
                match *one {
                    "Failures" | "Errors" => {
                        counts.failed = Some(counts.failed.unwrap_or_default().max(number))
                    }
                    "run" if words.first() == Some(&"Tests") => counts.whole = Some(number),
                    _ => {}
                }
            }
        }
        counts
    }

    fn total(&self) -> Option<u32> {
        self.whole
            .or_else(|| self.passed.map(|passed| passed.saturating_add(self.failed.unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_many_runners_are_understood() {
        for (output, failed, passed, total) in [
            ("test result: ok. 12 passed; 0 failed; 0 ignored", false, Some(12), Some(12)),
            ("test result: FAILED. 3 passed; 1 failed; 0 ignored", true, Some(3), Some(4)),
            ("===== 1 failed, 41 passed in 2.31s =====", true, Some(41), Some(42)),
            ("Tests:       2 failed, 40 passed, 42 total", true, Some(40), Some(42)),
            ("Ran 42 tests in 0.1s\n\nOK", false, None, Some(42)),
            ("10 examples, 0 failures", false, None, Some(10)),
            ("Tests run: 5, Failures: 1, Errors: 0", true, None, Some(5)),
            ("ok  \tpkg/a\t0.2s\nFAIL\tpkg/b\t0.1s", true, None, None),
            ("ok  \tpkg/a\t0.2s", false, None, None),
            ("✖ 3 problems (1 error, 2 warnings)", true, None, None),
            ("Found 0 errors. Watching for file changes.", false, None, None),
            ("src/a.ts(3,1): error TS2304: Cannot find name", true, None, None),
            ("  2 passing (12ms)\n  1 failing", true, Some(2), Some(2)),
            ("0 issues.", false, None, None),
            (" 1329 pass\n 0 fail\nRan 1329 tests across 60 files.", false, Some(1329), Some(2658)),
            ("Error: cannot clone\n 12 pass\n 0 fail", false, Some(12), Some(12)),
            ("✓ locks after 3 failed logins\n 4 passed", false, Some(4), Some(4)),
            (" 1231 pass\n 1 fail\nerror: script \"test\" exited with code 1", true, Some(1231), Some(1231)),
            ("", false, None, None),
        ] {
            assert_eq!(test_counts(output), TestCounts { failed, passed, total }, "{output}");
        }
    }

    #[test]
    fn a_structured_response_is_read_as_its_text() {
        assert_eq!(response_text(r#"{"stdout":"1 failed","stderr":"","interrupted":false}"#), "1 failed\n");
        assert_eq!(response_text("{ not json"), "{ not json");
        let task = r#"{"stdout":"","backgroundTaskId":"b1"}"#;
        assert!(response_text(task).contains("running in background with ID: b1"));
        assert!(
            response_text(r#"{"task":{"output":"x","exitCode":1}}"#).contains("<exit_code>1</exit_code>")
        );
        assert_eq!(response_text(r#"[{"text":"a"},{"text":"b"}]"#), "a\nb");
    }
}
