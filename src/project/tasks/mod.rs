//! Task runners: what a justfile, Taskfile, mise.toml or Makefile offers by name stands for the whole folder.

mod just;
mod make;

use super::folder::{Folder, Read};
use super::script::{names, unfit};
use super::{CheckKind, Plan};
use serde_json::Value;
use std::collections::BTreeMap;

const JUST: [&str; 3] = ["justfile", "Justfile", ".justfile"];
const TASK: [&str; 2] = ["Taskfile.yml", "Taskfile.yaml"];
const MISE: [&str; 2] = ["mise.toml", ".mise.toml"];
/// The one that make itself would take.
const MAKE: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// What a runner would do, by name; the text is searched for what else it calls.
type Recipes = BTreeMap<String, String>;

pub(super) struct Target {
    pub(super) plan: Plan,
    recipe: String,
}

impl Target {
    /// Whether the recipe mentions a word, such as a program or a folder.
    pub(super) fn mentions(&self, word: &str) -> bool {
        let part = |c: char| !(c.is_alphanumeric() || "._-/".contains(c));
        self.recipe.split(part).any(|found| found == word || found.split('/').any(|piece| piece == word))
    }
}

struct Runner {
    program: &'static str,
    files: &'static [&'static str],
    read: fn(&Folder<'_>, &str) -> Read<Recipes>,
}

const RUNNERS: [Runner; 4] = [
    Runner { program: "just", files: &JUST, read: |folder, file| text(folder, file, just::recipes) },
    Runner { program: "task", files: &TASK, read: taskfile },
    Runner { program: "mise", files: &MISE, read: mise },
    Runner { program: "make", files: &MAKE, read: |folder, file| text(folder, file, make::recipes) },
];

/// The first runner that offers the check. A file that cannot be read makes it unknown, for it may have offered it.
pub(super) fn target(kind: CheckKind, folder: &Folder<'_>) -> Option<Target> {
    RUNNERS.iter().find_map(|runner| {
        let file = folder.first_of(runner.files)?;
        let recipes = match (runner.read)(folder, file)? {
            Ok(recipes) => recipes,
            Err(error) => return Some(Target { plan: Plan::unknown(file, error), recipe: String::new() }),
        };
        let fit = |name: &&&str| recipes.get(**name).is_some_and(|recipe| unfit(recipe).is_none());
        let name = names(kind).iter().chain(others(runner.program, kind)).find(fit)?;
        let run = if runner.program == "mise" { "mise run" } else { runner.program };
        let plan = Plan::script(format!("{run} {name}"), format!("`{name}` in {file}"));
        Some(Target { plan, recipe: recipes.get(*name).cloned().unwrap_or_default() })
    })
}

/// By GNU custom `make check` runs the tests; elsewhere `check` is the quick look.
fn others(program: &str, kind: CheckKind) -> &'static [&'static str] {
    match (program, kind) {
        ("make", CheckKind::Test) => &["check"],
        ("make", _) => &[],
        (_, CheckKind::Lint) => &["check", "clippy"],
        _ => &[],
    }
}

fn text(folder: &Folder<'_>, file: &str, parse: fn(&str) -> Recipes) -> Read<Recipes> {
    Some(folder.text(file)?.map(parse))
}

fn taskfile(folder: &Folder<'_>, file: &str) -> Read<Recipes> {
    Some(folder.yaml::<Value>(file)?.map(|document| {
        let tasks = document.get("tasks").and_then(Value::as_object);
        let usable =
            |task: &Value| task.get("internal") != Some(&Value::Bool(true)) && task.get("requires").is_none();
        let named = tasks.into_iter().flatten().filter(|(_, task)| usable(task));
        named.map(|(name, task)| (name.clone(), task.to_string())).collect()
    }))
}

fn mise(folder: &Folder<'_>, file: &str) -> Read<Recipes> {
    Some(folder.toml(file)?.map(|document| {
        let tasks = document.get("tasks").and_then(toml::Value::as_table);
        let text = |task: &toml::Value| serde_json::to_string(task).unwrap_or_default();
        tasks.into_iter().flatten().map(|(name, task)| (name.clone(), text(task))).collect()
    }))
}
