//! One call as the rules see it: its name among calls, what it aims at, and what part it plays in the work.

use super::canonical;
use super::check::{self, Shows};
use super::code_change::EditEffect;
use super::line::{ShellLine, Simple};
use super::role::{Role, role};
use super::text::{line as one_line, mark};
use super::tools;
use crate::pure::secret::Redacted;
use crate::pure::step::{Nature, fingerprint};
use serde_json::Value;
use std::borrow::Cow;

/// The longest naming of a call that is kept.
pub(super) const LONGEST_WHAT: usize = 160;

#[derive(Debug)]
pub(super) struct CallMarks {
    /// Tool and input, in one spelling.
    pub(super) call: u64,
    /// The tool and its file, or the program and its subcommand.
    pub(super) target: u64,
    pub(super) role: Role,
    /// As a person would name it.
    pub(super) what: Redacted,
    /// The file that it names.
    pub(super) path: Option<String>,
    /// Files that it changes, if it succeeds.
    pub(super) writes: Vec<String>,
    pub(super) edit: Option<Edit>,
    pub(super) shows: Vec<Shows>,
    pub(super) line: Option<ShellLine>,
    pub(super) input: Value,
}

/// Text for text in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) path: u32,
    /// Nothing where the whole file is written.
    pub(super) from: Option<u32>,
    pub(super) to: u32,
    pub(super) effect: EditEffect,
}

impl CallMarks {
    pub(super) fn read(tool: &str, raw: &str, nature: Nature) -> Self {
        let input = serde_json::from_str(raw).unwrap_or_else(|_| Value::String(raw.to_owned()));
        let command = tools::is_shell(tool).then(|| field(&input, &["command", "cmd", "c"])).flatten();
        let canonical = canonical::input(&input, command);
        let call = fingerprint(format!("{tool}\0{canonical}").as_bytes());
        let line = command.map(ShellLine::read);
        let path = field(&input, PATHS).map(str::to_owned);
        let target = match (&line, &path) {
            (Some(line), _) => line.main().map(Simple::family).unwrap_or_default(),
            (None, Some(path)) => path.clone(),
            (None, None) => String::new(),
        };
        let shows = line.as_ref().map(check::check_kinds).unwrap_or_default();
        let role = role(tool, nature, line.as_ref(), &shows, path.as_deref());
        let said = command.or(path.as_deref()).or_else(|| field(&input, SAYS)).or(input.as_str());
        let what = said.map_or_else(|| Cow::Owned(input.to_string()), Cow::Borrowed);
        let what = Redacted::beginning(&what, LONGEST_WHAT * 8, |text| one_line(text, LONGEST_WHAT));
        let writes = written(role, nature, line.as_ref(), path.as_deref());
        let edit = match (role, &path, &line) {
            (Role::Change, Some(path), None) => edit(path, &input),
            _ => None,
        };
        Self {
            call,
            target: fingerprint(format!("{tool}\0{target}").as_bytes()),
            role,
            what,
            path,
            writes,
            edit,
            shows,
            line,
            input,
        }
    }

    /// A text of the input.
    pub(super) fn says(&self, names: &[&str]) -> Option<&str> {
        field(&self.input, names)
    }
}

const PATHS: &[&str] =
    &["file_path", "path", "notebook_path", "filePath", "absolute_path", "file", "filename"];
const SAYS: &[&str] = &["description", "url", "pattern", "query", "skill", "prompt", "subject"];

fn field<'a>(input: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| input.get(name)?.as_str()).filter(|text| !text.is_empty())
}

fn written(role: Role, nature: Nature, line: Option<&ShellLine>, path: Option<&str>) -> Vec<String> {
    match (role, line) {
        (Role::Change, Some(line)) => line.writes().map(str::to_owned).take(64).collect(),
        (Role::Change, None) if nature != Nature::Network => path.map(str::to_owned).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn edit(path: &str, input: &Value) -> Option<Edit> {
    let texts = |names: &[&str]| {
        let one = names.iter().find_map(|name| input.get(name)?.as_str());
        let several = || {
            let edits = input.get("edits")?.as_array()?;
            let texts = edits
                .iter()
                .map(|edit| names.iter().find_map(|name| edit.get(name)?.as_str()).unwrap_or_default());
            Some(texts.collect::<Vec<_>>().join("\0"))
        };
        one.map(str::to_owned).or_else(several)
    };
    let to = texts(&["new_string", "newString", "new_str", "new", "replace"]);
    let from = texts(&["old_string", "oldString", "old_str", "old", "search"]);
    match (from, to) {
        (Some(from), Some(to)) => {
            let effect = EditEffect::of(path, &from, &to);
            Some(Edit { path: mark(path), from: Some(mark(&from)), to: mark(&to), effect })
        }
        _ => {
            let content = field(input, &["content", "file_text", "new_source", "contents", "text"])?;
            Some(Edit { path: mark(path), from: None, to: mark(content), effect: EditEffect::Code })
        }
    }
}
