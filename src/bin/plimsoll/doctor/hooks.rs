//! Where our hooks are registered, and whether each hook starts.

use super::{check::Check, version};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::registration::{
    ClientSettings, Unreadable, client_settings, installed_elsewhere, runs_managed_only,
};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::client::registration::expected;
use plimsoll::pure::text::quoted_where_needed;
use std::collections::BTreeSet;

pub(crate) fn checks(workspace: &Workspace) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut places = Vec::new();
    for found in client_settings(workspace) {
        match found {
            Ok(place) => places.push(place),
            Err(Unreadable { path, reason }) => {
                checks.push(Check::fail("hooks", reason, format!("fix {path}")));
            }
        }
    }
    for place in places.iter().filter(|place| place.hooks_disabled) {
        let fix = format!("remove \"disableAllHooks\" from {}", place.path);
        checks.push(Check::fail("hooks", format!("{} switches all hooks off", place.name), fix));
    }
    checks.extend(super::managed::checks(workspace, &places));
    if runs_managed_only(&places) {
        let (managed, others): (Vec<_>, Vec<_>) = places.into_iter().partition(|place| place.managed);
        let idle = others.iter().find(|place| !place.hooks.is_empty() || place.plugin);
        if let (Some(idle), true) = (idle, managed.iter().all(|place| place.hooks.is_empty())) {
            let detail = format!(
                "an administrator allows managed hooks only, so those of the {} do not run",
                idle.name
            );
            checks.push(Check::fail("registration", detail, "sudo plimsoll install --managed"));
            return checks;
        }
        places = managed;
    }
    checks.push(registration(workspace, &places));
    checks.extend(places.iter().filter_map(|place| completeness(workspace, place)));
    let commands: BTreeSet<(&str, &[String])> = places
        .iter()
        .flat_map(|place| &place.hooks)
        .map(|hook| (hook.hook.as_str(), hook.command.as_slice()))
        .collect();
    if !commands.is_empty() {
        checks.push(binaries(workspace, &commands));
    }
    checks
}

fn registration(workspace: &Workspace, places: &[ClientSettings]) -> Check {
    let by_settings =
        places.iter().filter(|place| !place.hooks.is_empty()).map(|place| place.name.to_owned());
    let by_plugin =
        places.iter().filter(|place| place.plugin).map(|place| format!("a plugin in {}", place.name));
    let found: Vec<String> = by_settings.chain(by_plugin).collect();
    match found.as_slice() {
        [] => Check::fail("registration", missing(workspace), install(workspace)),
        [one] => Check::ok("registration", format!("registered in {one}")),
        several => Check::warn(
            "registration",
            format!(
                "registered {} times, so every tool call is reviewed more than once: {}",
                several.len(),
                several.join(", ")
            ),
            "keep one: plimsoll uninstall [--user], or /plugin",
        ),
    }
}

fn missing(workspace: &Workspace) -> String {
    match installed_elsewhere(workspace) {
        Some(main) => format!("no hook is registered in this worktree, only in {main}"),
        None => "no hook is registered (a plugin started by --plugin-dir cannot be seen from here)".into(),
    }
}

fn completeness(workspace: &Workspace, place: &ClientSettings) -> Option<Check> {
    if place.hooks.is_empty() {
        return None;
    }
    let has = |(event, hook): &(&str, &str)| {
        place
            .hooks
            .iter()
            .any(|found| found.event == *event && found.hook == *hook && found.matcher.is_none())
    };
    let missing: Vec<String> =
        expected().filter(|pair| !has(pair)).map(|(event, hook)| format!("{hook} on {event}")).collect();
    (!missing.is_empty()).then(|| {
        let detail = format!("{} do not start, or only for some calls: {}", place.name, missing.join(", "));
        Check::fail("registration", detail, install(workspace))
    })
}

fn binaries(workspace: &Workspace, commands: &BTreeSet<(&str, &[String])>) -> Check {
    let mut problems = Vec::new();
    for (hook, command) in commands {
        let mut path =
            Utf8PathBuf::from(command.first().map(|word| word.trim_matches('"')).unwrap_or_default());
        if let Some(launcher) = command.iter().find(|word| word.ends_with(".claude/plimsoll/launch")) {
            let launcher = launcher.replace("${CLAUDE_PROJECT_DIR}", workspace.project.as_str());
            if !Utf8PathBuf::from(&launcher).is_file() {
                problems.push(format!("{launcher} is missing"));
            }
            path = workspace.homes.hooks().join(hook);
        }
        problems.extend(problem(workspace, &path));
    }
    problems.dedup();
    match problems.as_slice() {
        [] => Check::ok("hooks", format!("{} start, version {}", commands.len(), env!("CARGO_PKG_VERSION"))),
        [first, rest @ ..] => {
            let more = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
            Check::fail("hooks", format!("{first}{more}"), install(workspace))
        }
    }
}

fn problem(workspace: &Workspace, path: &Utf8Path) -> Option<String> {
    if !path.exists() {
        return Some(format!("{path} is missing"));
    }
    if !is_executable(path) {
        return Some(format!("{path} is not executable"));
    }
    let printed = version::printed_by(path.as_str(), &workspace.project);
    match printed.as_deref().and_then(|text| text.split_whitespace().last()) {
        Some(env!("CARGO_PKG_VERSION")) => None,
        Some(other) => Some(format!("{path} is version {other}, this is {}", env!("CARGO_PKG_VERSION"))),
        None => Some(format!("{path} does not print its version")),
    }
}

pub(crate) fn is_executable(path: &Utf8Path) -> bool {
    path.is_file() && rustix::fs::access(path.as_std_path(), rustix::fs::Access::EXEC_OK).is_ok()
}

pub(crate) fn install(workspace: &Workspace) -> String {
    format!("plimsoll install --project {}", quoted_where_needed(workspace.project.as_str()))
}
