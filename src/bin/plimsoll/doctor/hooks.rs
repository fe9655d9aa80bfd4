//! Where our hooks are registered, and whether each hook starts.

use super::{check::Check, version};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::file;
use plimsoll::pure::client::registration::{Registered, expected, registered};
use plimsoll::pure::text::quoted_where_needed;
use std::collections::BTreeSet;

/// One settings file that Claude Code reads in this project.
struct Place {
    what: &'static str,
    path: Utf8PathBuf,
    hooks: Vec<Registered>,
    plugin: bool,
    hooks_disabled: bool,
}

pub(crate) fn checks(workspace: &Workspace) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut places = Vec::new();
    for (what, path) in settings(workspace) {
        match read(what, path) {
            Ok(place) => places.extend(place),
            Err(check) => checks.push(check),
        }
    }
    for place in places.iter().filter(|place| place.hooks_disabled) {
        let fix = format!("remove \"disableAllHooks\" from {}", place.path);
        checks.push(Check::fail("hooks", format!("{} switches all hooks off", place.what), fix));
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

fn settings(workspace: &Workspace) -> Vec<(&'static str, Utf8PathBuf)> {
    let project = started_in(workspace).join(".claude");
    let mut seen = BTreeSet::new();
    [
        ("project settings", project.join("settings.json")),
        ("local settings", project.join("settings.local.json")),
        ("user settings", workspace.environment.claude_home.join("settings.json")),
    ]
    .into_iter()
    .filter(|(_, path)| seen.insert(path.canonicalize_utf8().unwrap_or_else(|_| path.clone())))
    .collect()
}

/// The client reads the settings of the directory that it is started in. That may lie below the repository's.
fn started_in(workspace: &Workspace) -> Utf8PathBuf {
    let here = std::env::current_dir().ok().and_then(|here| Utf8PathBuf::from_path_buf(here).ok());
    here.filter(|here| here.join(".claude/settings.json").exists())
        .unwrap_or_else(|| workspace.project.clone())
}

fn read(what: &'static str, path: Utf8PathBuf) -> Result<Option<Place>, Check> {
    if !path.exists() {
        return Ok(None);
    }
    let fix = format!("fix {path}");
    let text = file::read_text(&path, 4 * 1024 * 1024)
        .map_err(|error| Check::fail("hooks", format!("{what}: {error}"), &fix))?;
    let text = if text.trim().is_empty() { "{}" } else { &text };
    let broken = |error| Check::fail("hooks", format!("{what} are not JSON: {error}"), &fix);
    let hooks = registered(text).map_err(broken)?;
    let value: serde_json::Value = serde_json::from_str(text).map_err(broken)?;
    let plugins = value.get("enabledPlugins").and_then(serde_json::Value::as_object);
    let plugin = plugins.into_iter().flatten().any(|(name, on)| name.starts_with("plimsoll@") && *on == true);
    let hooks_disabled = value.get("disableAllHooks").is_some_and(|switch| *switch == true);
    Ok(Some(Place { what, path, hooks, plugin, hooks_disabled }))
}

fn registration(workspace: &Workspace, places: &[Place]) -> Check {
    let by_settings =
        places.iter().filter(|place| !place.hooks.is_empty()).map(|place| place.what.to_owned());
    let by_plugin =
        places.iter().filter(|place| place.plugin).map(|place| format!("a plugin in {}", place.what));
    let found: Vec<String> = by_settings.chain(by_plugin).collect();
    match found.as_slice() {
        [] => Check::fail(
            "registration",
            "no hook is registered (a plugin started by --plugin-dir cannot be seen from here)",
            install(workspace),
        ),
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

fn completeness(workspace: &Workspace, place: &Place) -> Option<Check> {
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
        let detail = format!("{} do not start, or only for some calls: {}", place.what, missing.join(", "));
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
