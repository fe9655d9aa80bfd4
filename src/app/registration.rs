//! Which of the settings that Claude Code reads in a project register our hooks.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::config::{HookInvocation, ManagedPlaces};
use crate::edge::file;
use crate::edge::file::folder::entries;
use crate::edge::file::metadata::modified_at;
use crate::edge::run::stdio::current_directory;
use crate::edge::state;
use crate::pure::client::registration::{Registered, allows_managed_only, registered};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// Settings are a few kilobytes.
const LONGEST: u64 = 4 * 1024 * 1024;
const MANAGED: &str = "managed settings";

/// One settings file that Claude Code reads in this project.
pub struct ClientSettings {
    pub name: &'static str,
    pub path: Utf8PathBuf,
    pub hooks: Vec<Registered>,
    /// Whether they switch our plugin on.
    pub plugin: bool,
    pub hooks_disabled: bool,
    /// Whether an administrator wrote these settings.
    pub managed: bool,
    /// Whether these settings let only managed hooks run; `None` if they do not say.
    pub managed_only: Option<bool>,
}

/// A settings file that cannot be read.
pub struct Unreadable {
    pub path: Utf8PathBuf,
    pub reason: String,
}

/// The settings files that there are.
pub fn client_settings(workspace: &Workspace) -> Vec<Result<ClientSettings, Unreadable>> {
    let project = started_in(workspace).join(".claude");
    let mut seen = BTreeSet::new();
    [
        ("project settings", project.join("settings.json")),
        ("local settings", project.join("settings.local.json")),
        ("user settings", workspace.environment.claude_home.join("settings.json")),
    ]
    .into_iter()
    .filter(|(_, path)| seen.insert(path.canonicalize_utf8().unwrap_or_else(|_| path.clone())))
    .chain(ManagedPlaces::of_system().files().into_iter().map(|path| (MANAGED, path)))
    .filter_map(|(name, path)| read(name, path).transpose())
    .collect()
}

/// Whether the client starts managed hooks only. Settings that come later count more.
pub fn runs_managed_only(settings: &[ClientSettings]) -> bool {
    let said = settings.iter().rev().filter(|settings| settings.managed);
    said.filter_map(|settings| settings.managed_only).next() == Some(true)
}

/// Whether a session here would start our hooks, as far as files tell. A plugin started by `--plugin-dir` is in none.
pub(crate) fn is_registered(workspace: &Workspace) -> bool {
    client_settings(workspace).iter().any(|found| match found {
        Ok(settings) => settings.plugin || !settings.hooks.is_empty(),
        // It may register them.
        Err(_) => true,
    })
}

/// The main worktree of a linked one, if our hooks are registered there alone.
pub fn installed_elsewhere(workspace: &Workspace) -> Option<Utf8PathBuf> {
    let repo = workspace.repo.as_ref().filter(|repo| repo.git_dir != repo.common_dir)?;
    let main = repo.common_dir.parent()?;
    let settings = read("project settings", main.join(".claude/settings.json")).ok()??;
    (!settings.hooks.is_empty()).then(|| main.to_owned())
}

/// Which hooks the newest session in this project ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewestSession {
    /// `session-start` ran as this program.
    Ran { session: String, program: String },
    /// The client kept a transcript, and `session-start` left no record.
    Unrecorded { session: String },
    /// There is none since that time.
    None,
}

/// The session that this process belongs to, or else the one with the newest transcript. Sessions whose transcript did not change
/// after `since`, in milliseconds since 1970, do not count.
pub fn newest_session(workspace: &Workspace, since: u64) -> Result<NewestSession, Failure> {
    let here = HookInvocation::read().session_id;
    let Some(session) = here.or_else(|| newest_transcript(workspace, since)) else {
        return Ok(NewestSession::None);
    };
    Ok(match state::read(&workspace.layout, &session)?.program {
        Some(program) => NewestSession::Ran { session, program },
        None => NewestSession::Unrecorded { session },
    })
}

fn newest_transcript(workspace: &Workspace, since: u64) -> Option<String> {
    let name = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    let folder: String = workspace.project.as_str().chars().map(name).collect();
    let transcripts = entries(&workspace.environment.claude_home.join("projects").join(folder));
    let dated = transcripts.into_iter().filter(|path| path.extension() == Some("jsonl")).filter_map(|path| {
        let time = modified_at(&path).filter(|time| *time > since)?;
        Some((time, path.file_stem()?.to_owned()))
    });
    dated.max().map(|(_, session)| session)
}

/// The client reads the settings of the directory that it is started in. That may lie below the repository's.
fn started_in(workspace: &Workspace) -> Utf8PathBuf {
    let here = current_directory().ok();
    here.filter(|here| here.join(".claude/settings.json").exists())
        .unwrap_or_else(|| workspace.project.clone())
}

fn read(name: &'static str, path: Utf8PathBuf) -> Result<Option<ClientSettings>, Unreadable> {
    match path.exists() {
        true => parse(name, &path).map(Some).map_err(|reason| Unreadable { path, reason }),
        false => Ok(None),
    }
}

fn parse(name: &'static str, path: &Utf8Path) -> Result<ClientSettings, String> {
    let text = file::read_text(path, LONGEST).map_err(|error| format!("{name}: {error}"))?;
    let text = if text.trim().is_empty() { "{}" } else { &text };
    let broken = |error| format!("{name} are not JSON: {error}");
    let hooks = registered(text).map_err(broken)?;
    let value: serde_json::Value = serde_json::from_str(text).map_err(broken)?;
    let plugins = value.get("enabledPlugins").and_then(serde_json::Value::as_object);
    let plugin = plugins.into_iter().flatten().any(|(name, on)| name.starts_with("plimsoll@") && *on == true);
    let hooks_disabled = value.get("disableAllHooks").is_some_and(|switch| *switch == true);
    let managed = name == MANAGED;
    let managed_only = allows_managed_only(&value);
    Ok(ClientSettings { name, path: path.to_owned(), hooks, plugin, hooks_disabled, managed, managed_only })
}
