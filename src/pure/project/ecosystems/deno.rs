//! Deno projects: their tasks, otherwise deno's own commands.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::script::{Chosen, choose};
use crate::pure::project::{CheckKind, CheckPlan};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const FILES: [&str; 2] = ["deno.json", "deno.jsonc"];

#[derive(Deserialize)]
struct Configuration {
    #[serde(default)]
    tasks: BTreeMap<String, Value>,
}

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.first_of(&FILES).is_some()
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let file = folder.first_of(&FILES).unwrap_or_default();
    let configuration: Configuration = match folder.json_with_comments(file) {
        Some(Ok(configuration)) => configuration,
        Some(Err(error)) => return CheckPlan::unknown(file, error),
        None => return CheckPlan::unknown(file, "could not be read"),
    };
    let command = |task: &Value| match task {
        Value::String(command) => command.clone(),
        task => task.get("command").and_then(Value::as_str).unwrap_or("see its dependencies").to_string(),
    };
    let tasks: BTreeMap<String, String> =
        configuration.tasks.iter().map(|(name, task)| (name.clone(), command(task))).collect();
    if let Chosen::Fit(name) = choose(kind, &tasks) {
        return CheckPlan::script(format!("deno task {name}"), format!("task `{name}` in {file}"));
    }
    match kind {
        CheckKind::Lint => CheckPlan::tool("deno lint", file),
        CheckKind::Typecheck => CheckPlan::tool("deno check .", file),
        CheckKind::Format => CheckPlan::tool("deno fmt --check", file),
        CheckKind::Test => CheckPlan::tool("deno test", file),
        CheckKind::Build | CheckKind::Integration | CheckKind::E2e => {
            CheckPlan::missing(format!("no task `{kind}` in {file}"))
        }
    }
}
