//! Deno projects: their tasks, and else deno's own commands.

use crate::project::folder::Folder;
use crate::project::script::{Chosen, choose};
use crate::project::{CheckKind, Plan};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const FILES: [&str; 2] = ["deno.json", "deno.jsonc"];

#[derive(Deserialize)]
struct Configuration {
    #[serde(default)]
    tasks: BTreeMap<String, Value>,
}

pub(super) fn present(folder: &Folder<'_>) -> bool {
    folder.first_of(&FILES).is_some()
}

pub(super) fn plan(kind: CheckKind, folder: &Folder<'_>) -> Plan {
    let file = folder.first_of(&FILES).unwrap_or_default();
    let configuration: Configuration = match folder.json_with_comments(file) {
        Some(Ok(configuration)) => configuration,
        Some(Err(error)) => return Plan::unknown(file, error),
        None => return Plan::unknown(file, "could not be read"),
    };
    let command = |task: &Value| match task {
        Value::String(command) => command.clone(),
        task => task.get("command").and_then(Value::as_str).unwrap_or("see its dependencies").to_string(),
    };
    let tasks: BTreeMap<String, String> =
        configuration.tasks.iter().map(|(name, task)| (name.clone(), command(task))).collect();
    if let Chosen::Fit(name) = choose(kind, &tasks) {
        return Plan::script(format!("deno task {name}"), format!("task `{name}` in {file}"));
    }
    match kind {
        CheckKind::Lint => Plan::tool("deno lint", file),
        CheckKind::Typecheck => Plan::tool("deno check .", file),
        CheckKind::Format => Plan::tool("deno fmt --check", file),
        CheckKind::Test => Plan::tool("deno test", file),
        CheckKind::Build | CheckKind::Integration | CheckKind::E2e => {
            Plan::missing(format!("no task `{kind}` in {file}"))
        }
    }
}
