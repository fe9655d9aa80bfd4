//! Several JavaScript packages in one repository: turbo, nx, moon, and the package managers' own way.

use super::node::{Manager, Package};
use crate::project::folder::{Folder, Read};
use crate::project::script::{names, unfit};
use crate::project::{CheckKind, Plan};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn plan(
    kind: CheckKind,
    package: &Package,
    manager: Manager,
    folder: &Folder<'_>,
) -> Option<Plan> {
    let turbo = folder.first_of(&["turbo.json", "turbo.jsonc"]);
    turbo
        .and_then(|file| tasks(kind, file, folder.json_with_comments(file), &["tasks", "pipeline"]))
        .map(|found| found.map_run(|task| format!("node_modules/.bin/turbo run {task}")))
        .or_else(|| {
            tasks(kind, "nx.json", folder.json_with_comments("nx.json"), &["targetDefaults"])
                .map(|found| found.map_run(|task| format!("node_modules/.bin/nx run-many -t {task}")))
        })
        .or_else(|| {
            tasks(kind, ".moon/tasks.yml", folder.yaml(".moon/tasks.yml"), &["tasks"])
                .map(|found| found.map_run(|task| format!("moon run :{task}")))
        })
        .map(Found::into_plan)
        .or_else(|| members(kind, package, manager, folder))
}

enum Found {
    Task { file: &'static str, name: String, line: String },
    Broken(Plan),
}

impl Found {
    fn map_run(self, line: impl FnOnce(&str) -> String) -> Self {
        match self {
            Self::Task { file, name, .. } => Self::Task { file, line: line(&name), name },
            broken @ Self::Broken(_) => broken,
        }
    }

    fn into_plan(self) -> Plan {
        match self {
            Self::Task { file, name, line } => Plan::script(line, format!("task `{name}` in {file}")),
            Self::Broken(plan) => plan,
        }
    }
}

/// A task that is declared; a runner that is asked for any other does nothing and is content.
fn tasks(kind: CheckKind, file: &'static str, read: Read<Value>, keys: &[&str]) -> Option<Found> {
    let document = match read? {
        Ok(document) => document,
        Err(error) => return Some(Found::Broken(Plan::unknown(file, error))),
    };
    let declared = keys.iter().find_map(|key| document.get(*key)?.as_object())?;
    let plain: Vec<&str> = declared.keys().map(|key| key.rsplit('#').next().unwrap_or(key)).collect();
    let name = names(kind).iter().find(|name| plain.contains(*name))?;
    Some(Found::Task { file, name: name.to_string(), line: String::new() })
}

/// Runs the script in every package that has it, if any has.
fn members(kind: CheckKind, package: &Package, manager: Manager, folder: &Folder<'_>) -> Option<Plan> {
    if package.workspaces.is_null() && !folder.has("pnpm-workspace.yaml") {
        return None;
    }
    let scripts = member_scripts(folder);
    let has = |scripts: &BTreeMap<String, String>, name: &str| {
        scripts.get(name).is_some_and(|command| unfit(command).is_none())
    };
    let name = names(kind).iter().find(|name| scripts.iter().any(|scripts| has(scripts, name)))?;
    let everywhere = scripts.iter().all(|scripts| has(scripts, name));
    let line = match manager {
        Manager::Npm => format!("npm run {name} --workspaces --if-present"),
        Manager::Pnpm => format!("pnpm --recursive run {name}"),
        Manager::Bun => format!("bun run --filter * {name}"),
        Manager::Yarn if package.modern_yarn() || folder.has(".yarnrc.yml") => {
            format!("yarn workspaces foreach --all run {name}")
        }
        Manager::Yarn if everywhere => format!("yarn workspaces run {name}"),
        Manager::Yarn => {
            return Some(Plan::missing(format!(
                "not every workspace has a script `{name}`, which yarn 1 insists on"
            )));
        }
    };
    Some(Plan::script(line, format!("script `{name}` of the workspaces")))
}

fn member_scripts(folder: &Folder<'_>) -> Vec<BTreeMap<String, String>> {
    let manifests = folder.below("").filter(|path| path.ends_with("/package.json"));
    manifests.filter_map(|path| folder.json::<Package>(path)?.ok()).map(|package| package.scripts).collect()
}
