//! Secrets of every form in every field of every event and in every command that takes words; then a look at everything that was
//! written.

mod forms;
mod lines;

use crate::context::TestContext;
use camino::{Utf8Path, Utf8PathBuf};
use forms::{HEX_MARK, MARK};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Gives out the forms in turn.
struct Forms {
    all: Vec<String>,
    given: usize,
}

impl Forms {
    fn new() -> Self {
        let all = forms::all();
        assert!(all.len() >= 65, "{}", all.len());
        Self { all, given: 0 }
    }

    fn next(&mut self) -> String {
        self.given += 1;
        self.all[self.given % self.all.len()].clone()
    }
}

/// Files in which a secret stands, with how often and a piece of the text.
fn leaks(context: &TestContext) -> BTreeMap<Utf8PathBuf, (usize, String)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![context.home(), context.project()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            // A copy of the project's own files is what a checkpoint is.
            let content = path.starts_with(context.path(".git/objects")) || is_store(&path);
            if path.is_dir() && !path.is_symlink() {
                folders.extend((!content).then_some(path));
            } else if let Ok(bytes) = fs::read(&path) {
                let text = String::from_utf8_lossy(&bytes).to_lowercase();
                let unicode: String = MARK.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
                for mark in [&MARK.to_lowercase(), HEX_MARK, &unicode] {
                    for (at, _) in text.match_indices(mark) {
                        let start = text.floor_char_boundary(at.saturating_sub(60));
                        let piece = text.get(start..at + mark.len()).unwrap().to_owned();
                        found.entry(path.clone()).or_insert((0, piece)).0 += 1;
                    }
                }
            }
        }
    }
    found
}

fn is_store(path: &Utf8Path) -> bool {
    let checkpoints = path.ancestors().any(|folder| folder.ends_with("plimsoll/checkpoints"));
    checkpoints && matches!(path.file_name(), Some("objects" | "copies" | "singles"))
}

fn assert_clean(context: &TestContext) {
    let found = leaks(context);
    let count: usize = found.values().map(|(count, _)| count).sum();
    let list: String =
        found.iter().map(|(path, (count, piece))| format!("{path} {count}: {piece:?}\n")).collect();
    assert!(found.is_empty(), "{count} secrets on disk:\n{list}");
}

/// Where every string in a value stands.
fn strings(value: &Value, place: &str, all: &mut Vec<String>) {
    match value {
        Value::String(_) => all.push(place.to_owned()),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                strings(item, &format!("{place}/{number}"), all);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                strings(field, &format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// As a client that escapes everything would send it.
fn escaped(event: &Value) -> String {
    let marked = |text: &str| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    event.to_string().replace(MARK, &marked(MARK))
}
