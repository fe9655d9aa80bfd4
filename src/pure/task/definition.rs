//! The definition of a task: title, scope, acceptance criteria and notes. The status follows from its events.

use super::event::{TaskChange, TaskEvent};
use super::state::State;
use crate::pure::review::sanitize;
use crate::pure::text::one_line;
use serde::{Deserialize, Serialize};
use std::fmt;

const TITLE: usize = 200;
const TEXT: usize = 20_000;
const ENTRIES: usize = 200;

/// `T-7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(u32);

impl TaskId {
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// `T-7`, `t-7` or `7`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().trim_start_matches(['T', 't']).trim_start_matches('-');
        let plain =
            !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten().filter(|number| *number > 0).map(Self)
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T-{}", self.0)
    }
}

impl Serialize for TaskId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not the id of a task"))
    }
}

/// The requested work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub title: String,
    /// Globs of files that the work may change; empty means all.
    #[serde(default)]
    pub scope: Vec<String>,
    #[serde(default)]
    pub acceptance: Vec<String>,
    #[serde(default)]
    pub notes: String,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TaskProblem {
    #[error("a task needs a title")]
    NoTitle,
    #[error("the title has more than {TITLE} characters; put the rest into the notes")]
    LongTitle,
    #[error("more than {ENTRIES} globs or criteria; split the task")]
    TooMany,
    #[error("the definition has more than {TEXT} bytes; split the task")]
    TooLong,
    #[error("`{glob}` is not a glob: {why}")]
    Glob { glob: String, why: String },
}

impl Definition {
    /// Removes empty entries and escape sequences, and checks the limits.
    pub fn checked(self) -> Result<Self, TaskProblem> {
        let plain = |text: &str| one_line(&sanitize(text, TEXT));
        let list = |entries: Vec<String>| -> Vec<String> {
            entries.iter().map(|entry| plain(entry)).filter(|entry| !entry.is_empty()).collect()
        };
        let size =
            self.notes.len() + self.scope.iter().chain(&self.acceptance).map(String::len).sum::<usize>();
        let title = plain(&self.title);
        let checked = Self {
            scope: list(self.scope),
            acceptance: list(self.acceptance),
            notes: sanitize(&self.notes, TEXT),
            title,
        };
        match checked {
            Self { title, .. } if title.is_empty() => Err(TaskProblem::NoTitle),
            Self { title, .. } if title.chars().count() > TITLE => Err(TaskProblem::LongTitle),
            Self { scope, acceptance, .. } if scope.len().max(acceptance.len()) > ENTRIES => {
                Err(TaskProblem::TooMany)
            }
            _ if size > TEXT => Err(TaskProblem::TooLong),
            checked => match checked.scope.iter().find_map(|glob| bad_glob(glob)) {
                Some(problem) => Err(problem),
                None => Ok(checked),
            },
        }
    }

    /// The text for the reviewer.
    pub fn markdown(&self, id: TaskId) -> String {
        let mut text = format!("# Task {id}: {}\n", self.title);
        let list = |heading: &str, entries: &[String]| match entries {
            [] => String::new(),
            entries => format!(
                "\n## {heading}\n\n{}",
                entries.iter().map(|entry| format!("- {entry}\n")).collect::<String>()
            ),
        };
        text += &list("Scope", &self.scope);
        text += &list("Acceptance criteria", &self.acceptance);
        if !self.notes.is_empty() {
            text += &format!("\n## Notes\n\n{}\n", self.notes);
        }
        text
    }
}

fn bad_glob(glob: &str) -> Option<TaskProblem> {
    let error = globset::Glob::new(glob).err()?;
    Some(TaskProblem::Glob { glob: glob.to_owned(), why: error.kind().to_string() })
}

/// The plan of an imported task, and the key of its item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSource {
    pub plan: String,
    pub key: String,
}

/// A task with all its events, from which its state follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub definition: Definition,
    #[serde(default)]
    pub source: Option<TaskSource>,
    pub history: Vec<TaskEvent>,
}

impl Task {
    pub fn state(&self) -> State {
        State::of(self.history.iter().map(|event| &event.change))
    }

    /// The number of the newest event.
    pub fn sequence(&self) -> u64 {
        self.history.last().map_or(0, |event| event.sequence)
    }

    /// Finished reviews, oldest first, with the number of their event.
    pub fn reviews(&self) -> impl DoubleEndedIterator<Item = (u64, &super::FinishedReview)> {
        self.history.iter().filter_map(|event| match &event.change {
            TaskChange::Reviewed(record) => Some((event.sequence, record.as_ref())),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_in_every_spelling_and_nothing_else_is_one() {
        for text in ["T-7", "t-7", "7", " T7 "] {
            assert_eq!(TaskId::parse(text), Some(TaskId::new(7)), "{text}");
        }
        for text in ["", "T-", "T-0", "T--x", "../7", "7/..", "T-9999999999", "-7x"] {
            assert_eq!(TaskId::parse(text), None, "{text}");
        }
        let json = serde_json::to_string(&TaskId::new(7)).unwrap();
        assert_eq!((json.as_str(), serde_json::from_str(&json).ok()), ("\"T-7\"", Some(TaskId::new(7))));
    }

    #[test]
    fn a_definition_is_cleaned_and_bounded() {
        let titled = |title: &str| Definition { title: title.into(), ..Definition::default() };
        assert_eq!(titled(" a \u{1b}[2J b\n").checked().unwrap().title, "a b");
        assert_eq!(titled(" ").checked(), Err(TaskProblem::NoTitle));
        assert_eq!(titled(&"x".repeat(201)).checked(), Err(TaskProblem::LongTitle));
        let scoped = |scope: &str| Definition { scope: vec![scope.into(), " ".into()], ..titled("t") };
        assert_eq!(scoped("src/**").checked().unwrap().scope, ["src/**"]);
        assert!(matches!(scoped("src/[").checked(), Err(TaskProblem::Glob { .. })));
        assert_eq!(
            Definition { notes: "x".repeat(20_001), ..titled("t") }.checked(),
            Err(TaskProblem::TooLong)
        );
        assert_eq!(
            Definition { acceptance: vec!["x".into(); 201], ..titled("t") }.checked(),
            Err(TaskProblem::TooMany)
        );
    }
}
