//! A file of the user's own beside the configuration: `version: 1`, and one key under which everything else stands.

use super::LIMIT;
use super::document::{Document, DocumentEntry, Node};
use super::parse::syntax_message;
use super::problem::ConfigProblem;
use super::source::{SourceStamp, SourceText};
use camino::Utf8Path;
use serde_json::Value;

const VERSION: u64 = 1;

/// The content of a file and the problems in it, or why it cannot be used; and the file's stamp, if it could be read.
pub(super) type OwnFile<T> = (Result<(T, Vec<String>), String>, Option<SourceStamp>);

pub(super) fn read<T>(
    path: &Utf8Path,
    parse: impl FnOnce(&str, &str) -> Result<(T, Vec<ConfigProblem>), ConfigProblem>,
) -> OwnFile<T> {
    let absent = SourceStamp { path: path.to_owned(), state: None };
    match SourceText::read(path) {
        Ok(SourceText { text: Some(text), stamp }) => {
            let parsed = parse(path.as_str(), &text).map_err(|problem| problem.to_string());
            let told = |problems: Vec<ConfigProblem>| problems.iter().map(ConfigProblem::to_string).collect();
            (parsed.map(|(found, problems)| (found, told(problems))), Some(stamp))
        }
        Ok(SourceText { text: None, stamp }) => (Err(format!("there is no file {path}")), Some(stamp)),
        Err(error) => (Err(error.to_string()), Some(SourceStamp::of(path).unwrap_or(absent))),
    }
}

/// The value of `key`, or the default where it is empty. `form` describes what `take` accepts.
pub(super) fn under<T: Default>(
    key: &str,
    form: &str,
    source: &str,
    text: &str,
    take: impl Fn(Node) -> Option<T>,
) -> Result<T, ConfigProblem> {
    let problem = |line: u64, message: String| ConfigProblem { file: source.to_owned(), line, message };
    if text.len() as u64 > LIMIT {
        return Err(problem(0, format!("larger than {LIMIT} bytes")));
    }
    let document = Document::parse(text)
        .map_err(|error| problem(error.location().map_or(0, |at| at.line()), syntax_message(&error)))?;
    let Some(Document { node: Node::Section(entries), .. }) = document else {
        return Err(problem(1, format!("expected `version: 1` and `{key}:` with {form}")));
    };
    let (mut items, mut version) = (T::default(), None);
    for DocumentEntry { name, line, value } in entries {
        let wrong = || problem(line, format!("`{name}` has the wrong form"));
        match value.node {
            Node::Leaf(number) if name == "version" => version = number.as_u64(),
            Node::Leaf(Value::Null) if name == key => {}
            node if name == key => items = take(node).ok_or_else(wrong)?,
            _ if name == "version" => return Err(wrong()),
            _ => {
                return Err(problem(line, format!("unknown key `{name}`; there are `version` and `{key}`")));
            }
        }
    }
    match version {
        Some(VERSION) => Ok(items),
        Some(other) => Err(problem(1, format!("version {other} is not known here; expected {VERSION}"))),
        None => Err(problem(1, format!("`version: {VERSION}` is missing"))),
    }
}
