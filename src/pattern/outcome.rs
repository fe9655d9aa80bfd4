//! What the output of a check says, where its exit code does not.

use super::text::{end, start};
use serde_json::Value;

/// Longer outputs are read at both ends.
const ENDS: usize = 16 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Told {
    pub(super) failed: bool,
    /// How many tests passed, and how many there were.
    pub(super) passed: Option<u32>,
    pub(super) total: Option<u32>,
}

/// The text in a response, which may be JSON around it.
pub(super) fn spoken(response: &str) -> String {
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

pub(super) fn told_by(output: &str) -> Told {
    let mut told = Told::default();
    let both = output.len() > 2 * ENDS;
    let head = if both { start(output, ENDS) } else { output };
    let tail = if both { end(output, ENDS) } else { "" };
    for line in head.lines().chain(tail.lines()) {
        told.failed |= says_failure(line);
        let counts = Counts::of(line);
        told.failed |= counts.failed.is_some_and(|count| count > 0);
        if let Some(passed) = counts.passed {
            told.passed = Some(told.passed.unwrap_or_default().saturating_add(passed));
        }
        if let Some(total) = counts.total() {
            told.total = Some(told.total.unwrap_or_default().saturating_add(total));
        }
    }
    told
}

fn says_failure(line: &str) -> bool {
    const BEGINS: [&str; 16] = [
        "FAIL", "--- FAIL", "error:", "error[", "Error:", "ERROR:", "ERROR ", "npm ERR!", "npm error",
        "Traceback (", "panic:", "fatal:", "make: ***", "✗", "✘", "× ",
    ];
    const HOLDS: [&str; 10] = [
        "BUILD FAILED", "Build failed", "build failed", "test result: FAILED", "task failed",
        "Compilation failed", "compilation failed", "FAILURES!", "could not compile", "Tests failed",
    ];
    let line = start(line.trim_start(), 2000);
    BEGINS.iter().any(|sign| line.starts_with(sign))
        || HOLDS.iter().any(|sign| line.contains(sign))
        || is_error_of_compiler(line)
}

/// `a.ts(3,1): error TS2304`, `a.c:3:1: error: …`.
fn is_error_of_compiler(line: &str) -> bool {
    line.contains(": error TS") || line.contains(": error: ") || line.contains(": error[")
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
        for pair in words.windows(2) {
            let [one, other] = pair else { continue };
            if let Ok(number) = one.parse::<u32>() {
                match *other {
                    "passed" | "passing" | "pass" => counts.passed = Some(number),
                    "failed" | "failing" | "failures" | "failure" | "errors" | "error" | "problems"
                    | "issues" => {
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
            ("", false, None, None),
        ] {
            assert_eq!(told_by(output), Told { failed, passed, total }, "{output}");
        }
    }

    #[test]
    fn a_structured_response_is_read_as_its_text() {
        assert_eq!(spoken(r#"{"stdout":"1 failed","stderr":"","interrupted":false}"#), "1 failed\n");
        assert_eq!(spoken("{ not json"), "{ not json");
        let task = r#"{"stdout":"","backgroundTaskId":"b1"}"#;
        assert!(spoken(task).contains("running in background with ID: b1"));
        assert!(spoken(r#"{"task":{"output":"x","exitCode":1}}"#).contains("<exit_code>1</exit_code>"));
        assert_eq!(spoken(r#"[{"text":"a"},{"text":"b"}]"#), "a\nb");
    }
}
