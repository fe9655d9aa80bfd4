//! Task runners: a task of a justfile, Taskfile, mise.toml or Makefile covers the whole folder.

mod just;
mod make;

use super::folder::{FolderReader, ProjectFolder};
use super::script::{names, unfit};
use super::{CheckKind, CheckPlan};
use serde_json::Value;
use std::collections::BTreeMap;

const JUST: [&str; 3] = ["justfile", "Justfile", ".justfile"];
const TASK: [&str; 2] = ["Taskfile.yml", "Taskfile.yaml"];
const MISE: [&str; 2] = ["mise.toml", ".mise.toml"];
/// In the order in which make looks for them.
const MAKE: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The text of each recipe, by name.
type Recipes = BTreeMap<String, String>;

pub(super) struct TaskTarget {
    pub(super) plan: CheckPlan,
    recipe: String,
}

impl TaskTarget {
    /// Whether the recipe mentions a word, such as a program or a folder.
    pub(super) fn mentions(&self, word: &str) -> bool {
        let part = |c: char| !(c.is_alphanumeric() || "._-/".contains(c));
        self.recipe.split(part).any(|found| found == word || found.split('/').any(|piece| piece == word))
    }
}

struct Runner {
    program: &'static str,
    files: &'static [&'static str],
    read: fn(&ProjectFolder<'_>, &str) -> FolderReader<Recipes>,
}

const RUNNERS: [Runner; 4] = [
    Runner { program: "just", files: &JUST, read: |folder, file| text(folder, file, just::recipes) },
    Runner { program: "task", files: &TASK, read: taskfile },
    Runner { program: "mise", files: &MISE, read: mise },
    Runner { program: "make", files: &MAKE, read: |folder, file| text(folder, file, make::recipes) },
];

/// The first runner with the check. An unreadable file makes the check unknown.
pub(super) fn target(kind: CheckKind, folder: &ProjectFolder<'_>) -> Option<TaskTarget> {
    RUNNERS.iter().find_map(|runner| {
        let file = folder.first_of(runner.files)?;
        let recipes = match (runner.read)(folder, file)? {
            Ok(recipes) => recipes,
            Err(error) => {
                return Some(TaskTarget { plan: CheckPlan::unknown(file, error), recipe: String::new() });
            }
        };
        let fit = |name: &&&str| recipes.get(**name).is_some_and(|recipe| unfit(recipe).is_none());
        let name = names(kind).iter().chain(others(runner.program, kind)).find(fit)?;
        let run = if runner.program == "mise" { "mise run" } else { runner.program };
        let plan = CheckPlan::script(format!("{run} {name}"), format!("`{name}` in {file}"));
        Some(TaskTarget { plan, recipe: recipes.get(*name).cloned().unwrap_or_default() })
    })
}

/// By GNU convention `make check` runs the tests; elsewhere `check` is a linter.
fn others(program: &str, kind: CheckKind) -> &'static [&'static str] {
    match (program, kind) {
        ("make", CheckKind::Test) => &["check"],
        ("make", _) => &[],
        (_, CheckKind::Lint) => &["check", "clippy"],
        _ => &[],
    }
}

fn text(folder: &ProjectFolder<'_>, file: &str, parse: fn(&str) -> Recipes) -> FolderReader<Recipes> {
    Some(folder.text(file)?.map(parse))
}

fn taskfile(folder: &ProjectFolder<'_>, file: &str) -> FolderReader<Recipes> {
    Some(folder.yaml::<Value>(file)?.map(|document| {
        let tasks = document.get("tasks").and_then(Value::as_object);
        let usable =
            |task: &Value| task.get("internal") != Some(&Value::Bool(true)) && task.get("requires").is_none();
        let named = tasks.into_iter().flatten().filter(|(_, task)| usable(task));
        named.map(|(name, task)| (name.clone(), task.to_string())).collect()
    }))
}

fn mise(folder: &ProjectFolder<'_>, file: &str) -> FolderReader<Recipes> {
    Some(folder.toml(file)?.map(|document| {
        let tasks = document.get("tasks").and_then(toml::Value::as_table);
        let text = |task: &toml::Value| serde_json::to_string(task).unwrap_or_default();
        tasks.into_iter().flatten().map(|(name, task)| (name.clone(), text(task))).collect()
    }))
}
