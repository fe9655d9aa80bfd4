//! Several JavaScript packages in one repository: turbo, nx, moon, or workspaces of the package manager.

use super::node::{Manager, Package};
use crate::pure::project::folder::{FolderReader, ProjectFolder};
use crate::pure::project::manifests::MOON_TASKS;
use crate::pure::project::script::{names, unfit};
use crate::pure::project::{CheckKind, CheckPlan};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn plan(
    kind: CheckKind,
    package: &Package,
    manager: Manager,
    folder: &ProjectFolder<'_>,
) -> Option<CheckPlan> {
    let turbo = folder.first_of(&["turbo.json", "turbo.jsonc"]).unwrap_or("turbo.json");
    let json = |file| folder.json_with_comments(file);
    declared(kind, turbo, json(turbo), &["tasks", "pipeline"], "node_modules/.bin/turbo run ")
        .or_else(|| {
            declared(
                kind,
                "nx.json",
                json("nx.json"),
                &["targetDefaults"],
                "node_modules/.bin/nx run-many -t ",
            )
        })
        .or_else(|| declared(kind, MOON_TASKS, folder.yaml(MOON_TASKS), &["tasks"], "moon run :"))
        .or_else(|| members(kind, package, manager, folder))
}

/// A declared task; a runner succeeds without doing anything for an unknown one.
fn declared(
    kind: CheckKind,
    file: &str,
    read: FolderReader<Value>,
    keys: &[&str],
    start: &str,
) -> Option<CheckPlan> {
    let document = match read? {
        Ok(document) => document,
        Err(error) => return Some(CheckPlan::unknown(file, error)),
    };
    let tasks = keys.iter().find_map(|key| document.get(*key)?.as_object())?;
    let plain: Vec<&str> = tasks.keys().map(|key| key.rsplit('#').next().unwrap_or(key)).collect();
    let name = names(kind).iter().find(|name| plain.contains(*name))?;
    Some(CheckPlan::script(format!("{start}{name}"), format!("task `{name}` in {file}")))
}

/// Runs the script in every package that has it, if any has.
fn members(
    kind: CheckKind,
    package: &Package,
    manager: Manager,
    folder: &ProjectFolder<'_>,
) -> Option<CheckPlan> {
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
            return Some(CheckPlan::missing(format!(
                "not every workspace has a script `{name}`, which yarn 1 insists on"
            )));
        }
    };
    Some(CheckPlan::script(line, format!("script `{name}` of the workspaces")))
}

fn member_scripts(folder: &ProjectFolder<'_>) -> Vec<BTreeMap<String, String>> {
    let manifests = folder.below("").filter(|path| path.ends_with("/package.json"));
    manifests.filter_map(|path| folder.json::<Package>(path)?.ok()).map(|package| package.scripts).collect()
}
