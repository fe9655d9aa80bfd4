//! Parses the reviewer's last message into findings and problems.

use crate::pure::review::{FindingId, FindingSeverity, GitPath};
use crate::pure::text::list;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The longest accepted message, in bytes.
const MESSAGE: usize = 2 * 1024 * 1024;
const FINDINGS: usize = 500;
/// Names in a problem; the others are counted.
const SHOWN: usize = 10;
const TEXT: usize = 4_000;
/// How many braces are tried as the beginning of the answer.
const STARTS: usize = 5_000;
const CATEGORIES: [&str; 5] = ["quality", "architecture", "security", "testing", "docs"];

/// The values that an answer has to contain.
#[derive(Debug)]
pub(crate) struct AnswerContract<'a> {
    pub nonce: &'a str,
    /// Files of the context, each with the mark at its end.
    pub marks: &'a [(String, String)],
    /// The changed files of this round.
    pub files: &'a [GitPath],
    /// Findings of earlier rounds that were shown as open.
    pub open: &'a [FindingId],
}

/// A finding of the reviewer before its quote is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReviewerFinding {
    pub severity: FindingSeverity,
    pub category: String,
    pub file: GitPath,
    pub line: Option<u32>,
    pub quote: String,
    pub message: String,
    pub fix: Option<String>,
}

/// The parsed answer. It counts only without problems.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ReviewAnswer {
    pub findings: Vec<ReviewerFinding>,
    pub settled: Vec<FindingId>,
    pub problems: Vec<String>,
}

/// The nonce in a message, even if the rest is invalid.
pub(crate) fn nonce(message: &str) -> Option<String> {
    object(message)?.get("nonce")?.as_str().map(str::to_owned)
}

pub(crate) fn read(message: &str, expected: &AnswerContract<'_>) -> ReviewAnswer {
    let mut read = ReviewAnswer::default();
    let Some(answer) = object(message) else {
        read.problems.push(
            "there is no complete JSON object with a `nonce` in it; answer with that object and nothing else"
                .into(),
        );
        return read;
    };
    if answer.get("nonce").and_then(Value::as_str) != Some(expected.nonce) {
        read.problems.push(format!("`nonce` has to be \"{}\"", expected.nonce));
    }
    check_marks(&answer, expected, &mut read.problems);
    check_files(&answer, expected, &mut read.problems);
    match answer.get("findings").and_then(Value::as_array) {
        None => read.problems.push("`findings` has to be a list; an empty one if there is nothing".into()),
        Some(findings) if findings.len() > FINDINGS => {
            read.problems.push(format!("more than {FINDINGS} findings; name the worst"));
        }
        Some(findings) => {
            for (number, finding) in findings.iter().enumerate() {
                match self::finding(finding) {
                    Ok(finding) => read.findings.push(finding),
                    Err(problem) => read.problems.push(format!("findings[{number}]: {problem}")),
                }
            }
        }
    }
    settled(&answer, expected, &mut read);
    read
}

fn check_marks(answer: &Map<String, Value>, expected: &AnswerContract<'_>, problems: &mut Vec<String>) {
    let given = texts(answer, "marks").unwrap_or_default();
    let missing: Vec<&str> = expected
        .marks
        .iter()
        .filter(|(_, mark)| !given.contains(&mark.as_str()))
        .map(|(file, _)| file.as_str())
        .collect();
    if !missing.is_empty() {
        problems.push(format!(
            "`marks` lacks the mark of {}; Read each to its end, the mark is its last line",
            list(&missing, SHOWN)
        ));
    }
}

fn check_files(answer: &Map<String, Value>, expected: &AnswerContract<'_>, problems: &mut Vec<String>) {
    let given: BTreeSet<GitPath> =
        texts(answer, "files").unwrap_or_default().into_iter().flat_map(spellings).collect();
    let missing: Vec<String> =
        expected.files.iter().filter(|file| !given.contains(file)).map(ToString::to_string).collect();
    if !missing.is_empty() {
        problems.push(format!("`files` lacks {}", list(&missing, SHOWN)));
    }
}

/// The reviewer may repeat our escaped spelling or the plain path.
fn spellings(text: &str) -> [GitPath; 2] {
    let text = text.strip_prefix("./").unwrap_or(text);
    [GitPath::unquote(text), GitPath::new(text)]
}

fn finding(value: &Value) -> Result<ReviewerFinding, String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let severity = match text("severity") {
        "critical" => FindingSeverity::Critical,
        "major" => FindingSeverity::Major,
        "minor" => FindingSeverity::Minor,
        other => return Err(format!("severity is \"{}\"; use critical, major or minor", short(other, 40))),
    };
    let category = text("category");
    if !CATEGORIES.contains(&category) {
        return Err(format!("category is \"{}\"; use {}", short(category, 40), CATEGORIES.join(", ")));
    }
    if text("file").is_empty() || text("message").is_empty() {
        return Err("it needs a `file` and a `message`".into());
    }
    let line = match value.get("line") {
        None | Some(Value::Null) => None,
        Some(line) => match line.as_u64().and_then(|line| u32::try_from(line).ok()) {
            Some(0) => None,
            Some(line) => Some(line),
            None => return Err("`line` has to be a number".into()),
        },
    };
    let [file, _] = spellings(text("file"));
    Ok(ReviewerFinding {
        severity,
        category: category.to_owned(),
        file,
        line,
        quote: short(text("quote"), TEXT),
        message: short(text("message"), TEXT),
        fix: Some(short(text("fix"), TEXT)).filter(|fix| !fix.is_empty()),
    })
}

fn short(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}

fn settled(answer: &Map<String, Value>, expected: &AnswerContract<'_>, read: &mut ReviewAnswer) {
    let Some(list) = answer.get("settled") else { return };
    let Some(list) = list.as_array() else {
        return read.problems.push("`settled` has to be a list".into());
    };
    for entry in list {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let id = FindingId::new(text("id"));
        if !expected.open.contains(&id) {
            let id = short(id.as_str(), 40);
            read.problems
                .push(format!("settled: \"{id}\" is not the id of a finding that was listed as open"));
        } else if text("why").trim().is_empty() {
            read.problems.push(format!("settled: say in `why` how {id} was settled"));
        } else {
            read.settled.push(id);
        }
    }
}

fn texts<'a>(answer: &'a Map<String, Value>, name: &str) -> Option<Vec<&'a str>> {
    Some(answer.get(name)?.as_array()?.iter().filter_map(Value::as_str).map(str::trim).collect())
}

/// The last complete object with a nonce: alone, in a fence, or after other words.
pub(crate) fn object(message: &str) -> Option<Map<String, Value>> {
    if message.len() > MESSAGE {
        return None;
    }
    let mut found = None;
    let mut rest = message;
    for _ in 0..STARTS {
        let Some(start) = rest.find('{') else { break };
        let candidate = rest.get(start..)?;
        let mut values = serde_json::Deserializer::from_str(candidate).into_iter::<Value>();
        let length = match values.next() {
            Some(Ok(Value::Object(object))) if object.contains_key("nonce") => {
                found = Some(object);
                values.byte_offset()
            }
            _ => 1,
        };
        rest = candidate.get(length..)?;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(message: &str) -> ReviewAnswer {
        let marks =
            [("context.md".to_owned(), "m0".to_owned()), ("diff-001.txt".to_owned(), "m1".to_owned())];
        let files = [GitPath::new("a.rs"), GitPath::new("b\nc.rs")];
        let open = [FindingId::new("0123456789")];
        read(message, &AnswerContract { nonce: "n1", marks: &marks, files: &files, open: &open })
    }

    fn good() -> Value {
        json!({"nonce": "n1", "marks": ["m1", "m0", "other"], "files": ["b\\x0ac.rs", "./a.rs"],
            "findings": [{"severity": "major", "category": "security", "file": "a.rs", "line": 3,
                "quote": "let x = 1;", "message": "m", "fix": "f"}],
            "settled": [{"id": "0123456789", "why": "the check moved"}]})
    }

    /// The answer with one field put in place of another; `null` takes it away.
    fn with(field: &str, value: Value) -> ReviewAnswer {
        let mut answer = good();
        match value {
            Value::Null => drop(answer.as_object_mut().unwrap().remove(field)),
            value => answer[field] = value,
        }
        check(&answer.to_string())
    }

    #[test]
    fn the_answer_is_found_alone_in_a_fence_and_after_other_words() {
        let json = good().to_string();
        let pretty = serde_json::to_string_pretty(&good()).unwrap();
        for message in [
            json.clone(),
            format!("```json\n{pretty}\n```"),
            format!("I looked {{closely}} at {{\"a\": 1}}.\n\n{pretty}\nThat is all."),
            format!("{{\"nonce\": \"n1\", \"draft\": true}}\n{json}"),
        ] {
            let read = check(&message);
            assert_eq!(read.problems, [""; 0], "{message}");
            assert_eq!((read.findings.len(), read.settled.len()), (1, 1));
        }
    }

    #[test]
    fn what_is_no_answer_is_a_problem_and_never_a_pass() {
        let half = good().to_string();
        let half: String = half.chars().take(half.len() - 20).collect();
        for message in [
            "",
            "Looks good to me!",
            "API Error: 529 overloaded",
            "{}",
            "[1, 2]",
            "null",
            &half,
            &"{".repeat(100_000),
            &"x".repeat(3 * 1024 * 1024),
            "{\"findings\": []}",
        ] {
            assert!(!check(message).problems.is_empty(), "{}", short(message, 60));
        }
    }

    #[test]
    fn each_missing_part_is_named_exactly() {
        for (field, value, word) in [
            ("nonce", json!("n2"), "`nonce` has to be \"n1\""),
            ("marks", json!(["m0"]), "lacks the mark of diff-001.txt"),
            ("marks", json!("m0 m1"), "context.md, diff-001.txt"),
            ("files", json!(["a.rs"]), "`files` lacks b\\x0ac.rs"),
            ("files", Value::Null, "`files` lacks a.rs"),
            ("findings", Value::Null, "`findings` has to be a list"),
            ("findings", json!({}), "`findings` has to be a list"),
            ("findings", json!(["x"]), "findings[0]: severity"),
            ("settled", json!("all"), "`settled` has to be a list"),
            ("settled", json!([{"id": "ffffffffff", "why": "x"}]), "not the id"),
            ("settled", json!([{"id": "0123456789"}]), "say in `why`"),
        ] {
            let problems = with(field, value).problems;
            assert!(problems.iter().any(|problem| problem.contains(word)), "{field} {word}: {problems:?}");
        }
        assert_eq!(with("settled", Value::Null).problems, [""; 0], "nothing settled may be left unsaid");
    }

    #[test]
    fn a_finding_has_a_known_severity_a_known_category_a_file_and_words() {
        for (field, value, word) in [
            ("severity", json!("high"), "severity is \"high\""),
            ("category", json!("style"), "category is \"style\""),
            ("file", json!(""), "needs a `file`"),
            ("message", json!(7), "a `message`"),
            ("line", json!("three"), "`line` has to be a number"),
        ] {
            let mut answer = good();
            answer["findings"][0][field] = value;
            let problems = check(&answer.to_string()).problems;
            assert!(problems.len() == 1 && problems[0].contains(word), "{field}: {problems:?}");
        }
        let many = json!(vec![good()["findings"][0].clone(); 501]);
        assert!(with("findings", many).problems[0].contains("more than 500"));
    }
}
