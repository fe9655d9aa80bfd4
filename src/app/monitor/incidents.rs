//! The records of an emergency stop: the lock on the project, the incident's pages, a message to the person.

use crate::app::failure::{Failure, chain};
use crate::app::notifications;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{
    self, LockMode, Locked, ProjectLock, StateLayout, read_bounded, read_json, write_code, write_json,
};
use crate::pure::monitor::interventions::{Incident, IncidentDecision};
use crate::pure::policy::EmergencyStop;
use crate::pure::report::{incident_html, incident_json, incident_markdown};
use crate::pure::secret;
use crate::pure::text::printable;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// A page that is larger is not written.
const PAGE_LIMIT: usize = 8 * 1024 * 1024;
const SUMMARY_LIMIT: usize = 300;
/// How many incidents one lock names.
const NAMED: usize = 50;
const DAY: u64 = 24 * 60 * 60 * 1000;
/// The start of a session does not wait for a long clean-up.
const PRUNED_AT_ONCE: usize = 20;

/// The incident in its three forms.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    pub json: String,
    pub markdown: String,
    pub html: String,
}

impl Pages {
    pub(crate) fn of(incident: &Incident) -> Self {
        Self {
            json: incident_json(incident),
            markdown: incident_markdown(incident),
            html: incident_html(incident),
        }
    }

    /// In the folder of an incident; the problems with single pages.
    fn write(&self, folder: &Utf8Path) -> Vec<Failure> {
        let pages =
            [("incident.json", &self.json), ("report.md", &self.markdown), ("index.html", &self.html)];
        pages.iter().filter_map(|(name, text)| write_page(&folder.join(name), text).err()).collect()
    }
}

/// Why everything stops.
#[derive(Debug, Clone, Copy)]
pub struct StopRequest<'a> {
    /// Made by `Incident::name`.
    pub id: &'a str,
    pub session: &'a str,
    /// One sentence.
    pub summary: &'a str,
    /// When the issue began, in milliseconds since 1970.
    pub began: u64,
    /// The last safe checkpoint, if it is known.
    pub checkpoint: Option<&'a str>,
}

/// The result. The project is locked.
#[derive(Debug)]
pub struct Stopped {
    pub incident: String,
    /// The page for a browser, if it was written.
    pub page: Option<Utf8PathBuf>,
    /// Failures, in words for the person.
    pub problems: Vec<String>,
}

/// The facts about an incident that need no page of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncidentSummary {
    version: u64,
    pub id: String,
    /// Milliseconds since 1970.
    pub time: u64,
    pub session: String,
    pub summary: String,
    pub began: u64,
    pub checkpoint: Option<String>,
}

/// Where an incident's files are; nothing for a name that no incident has.
pub fn folder(layout: &StateLayout, id: &str) -> Option<Utf8PathBuf> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let named = (1..=64).contains(&id.len()) && id.chars().all(plain);
    named.then(|| layout.incidents().join(id))
}

/// The page for a browser, if there is one.
pub fn page(layout: &StateLayout, id: &str) -> Option<Utf8PathBuf> {
    folder(layout, id).map(|folder| folder.join("index.html")).filter(|page| page.is_file())
}

/// Locks the project first, so that whatever happens next nothing runs; then makes the pages, writes and tells. An error means
/// that the project is *not* locked.
pub fn stop(
    workspace: &Workspace,
    stop: &StopRequest<'_>,
    pages: impl FnOnce() -> Pages,
) -> Result<Stopped, Failure> {
    let folder =
        folder(&workspace.layout, stop.id).ok_or_else(|| format!("{} is no id of an incident", stop.id))?;
    let summary = one_sentence(stop.summary);
    let now = clock::milliseconds();
    let incident = IncidentSummary {
        version: 1,
        id: stop.id.into(),
        time: now,
        session: stop.session.into(),
        summary: summary.clone(),
        began: stop.began,
        checkpoint: stop.checkpoint.map(str::to_owned),
    };
    let mut problems = Vec::new();
    lock(workspace, &incident, &mut problems)?;
    let pages = pages();
    let mut noted = |result: Result<(), Failure>| {
        let failed = result.err().map(|failure| chain(failure.as_ref()));
        failed.into_iter().for_each(|why| problems.push(why));
    };
    noted(write_json(&folder.join("stop.json"), &incident).map_err(Failure::from));
    pages.write(&folder).into_iter().for_each(|failure| noted(Err(failure)));
    let settings = workspace.settings().map(|loaded| loaded.settings.interventions.emergency_stop);
    let settings = settings.unwrap_or_else(|failure| {
        noted(Err(failure));
        EmergencyStop::default()
    });
    let message = notifications::of_a_stop(workspace, stop.id, &summary);
    noted(notifications::tell(workspace, &settings.notification_channels, message));
    Ok(Stopped { incident: stop.id.into(), page: page(&workspace.layout, stop.id), problems })
}

fn one_sentence(text: &str) -> String {
    printable(&secret::redact(text)).chars().take(SUMMARY_LIMIT).collect()
}

fn write_page(path: &Utf8PathBuf, text: &str) -> Result<(), Failure> {
    if text.len() > PAGE_LIMIT {
        return Err(
            format!("{path} was not written, since it would be larger than {PAGE_LIMIT} bytes").into()
        );
    }
    Ok(write_code(path, text)?)
}

/// The first incident of a lock gives it its words; later ones are added.
pub(crate) fn lock(
    workspace: &Workspace,
    incident: &IncidentSummary,
    problems: &mut Vec<String>,
) -> Result<(), Failure> {
    // Without the guard two stops at once might forget one of the two incidents, but never the lock.
    let _guard = ProjectLock::guard(&workspace.homes, &workspace.layout)
        .map_err(|error| problems.push(chain(&error)))
        .ok();
    let found = ProjectLock::read(&workspace.homes, &workspace.layout);
    let mut lock = match found {
        Locked::Held(lock) => lock,
        Locked::Free => ProjectLock::stopped(&incident.summary, incident.time),
        Locked::Unreadable(state::Error::Newer { .. }) => {
            problems.push("the lock of a newer Plimsoll was left as it is".into());
            return Ok(());
        }
        Locked::Unreadable(error) => {
            problems.push(chain(&error));
            ProjectLock::stopped(&incident.summary, incident.time)
        }
    };
    let earlier = std::mem::take(&mut lock.incidents);
    if lock.mode == LockMode::Limited || lock.mode == LockMode::Manual || earlier.is_empty() {
        lock.summary.clone_from(&incident.summary);
        lock.since = incident.time;
        lock.began = incident.began;
        lock.session.clone_from(&incident.session);
        lock.checkpoint.clone_from(&incident.checkpoint);
    }
    if lock.mode != LockMode::Aborted {
        lock.mode = LockMode::Stopped;
    }
    lock.limits = None;
    lock.incidents = earlier.iter().chain([&incident.id]).cloned().collect();
    let excess = lock.incidents.len().saturating_sub(NAMED);
    lock.incidents.drain(..excess);
    for root in roots(workspace) {
        if !lock.roots.contains(&root) {
            lock.roots.push(root);
        }
    }
    if let Err(error) = lock.write(&workspace.homes, &workspace.layout) {
        // A lock that was only partly written still locks.
        match ProjectLock::read(&workspace.homes, &workspace.layout) {
            Locked::Free => return Err(error.into()),
            Locked::Held(_) | Locked::Unreadable(_) => problems.push(chain(&error)),
        }
    }
    Ok(())
}

/// Where the project's state is, and where it would be if somebody removed the repository.
pub(crate) fn roots(workspace: &Workspace) -> [Utf8PathBuf; 2] {
    let without = StateLayout::without_git(&workspace.environment.state_home, &workspace.project);
    [workspace.layout.root().to_owned(), without.root().to_owned()]
}

/// All that are kept, the oldest first. One whose note was never written is known by its folder alone.
pub fn list(workspace: &Workspace) -> Vec<IncidentSummary> {
    let entries = workspace.layout.incidents().read_dir_utf8().into_iter().flatten().flatten();
    let ids = entries.map(|entry| entry.file_name().to_owned());
    let mut known: Vec<IncidentSummary> = ids.filter_map(|id| find(workspace, &id)).collect();
    known.sort_by(|one, other| (one.time, &one.id).cmp(&(other.time, &other.id)));
    known
}

pub fn find(workspace: &Workspace, id: &str) -> Option<IncidentSummary> {
    let folder = folder(&workspace.layout, id).filter(|folder| folder.is_dir())?;
    let unknown = || IncidentSummary {
        version: 1,
        id: id.into(),
        time: 0,
        session: String::new(),
        summary: "nothing is known about it: its note is missing or damaged".into(),
        began: 0,
        checkpoint: None,
    };
    Some(read_json(&folder.join("stop.json"), 1).ok().flatten().unwrap_or_else(unknown))
}

/// The incident as its page records it; `None` where that was never written or cannot be read.
pub(crate) fn read(layout: &StateLayout, id: &str) -> Option<Incident> {
    let bytes = read_bounded(&folder(layout, id)?.join("incident.json")).ok().flatten()?;
    serde_json::from_slice(&bytes).ok()
}

/// The incident for a terminal; `None` where its record cannot be read.
#[cfg(feature = "cli")]
pub fn text(workspace: &Workspace, id: &str) -> Option<String> {
    read(&workspace.layout, id).map(|incident| crate::pure::report::incident_text(&incident))
}

/// Writes the pages again with what a person decided. A page that cannot be read stays as it is.
pub(crate) fn record_decision(workspace: &Workspace, ids: &[String], decision: &IncidentDecision) {
    for id in ids {
        let Some(mut incident) = read(&workspace.layout, id) else { continue };
        incident.decision = Some(decision.clone());
        if let Some(folder) = folder(&workspace.layout, id) {
            // The decision holds without its page; `plimsoll incident show` reads it from the record of decisions.
            drop(Pages::of(&incident).write(&folder));
        }
    }
}

/// Forgets incidents that are older than the settings want, except those that lock the project.
pub(crate) fn prune(workspace: &Workspace) -> Result<(), Failure> {
    if !workspace.layout.incidents().is_dir() {
        return Ok(());
    }
    // Without settings that can be read, nothing is too old.
    let Ok(loaded) = workspace.settings() else { return Ok(()) };
    let days = loaded.settings.interventions.emergency_stop.preserve_incident_data_days;
    let kept = u64::from(days) * DAY;
    let named = match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Held(lock) => lock.incidents,
        Locked::Free => Vec::new(),
        // Nobody can say which one locks.
        Locked::Unreadable(_) => return Ok(()),
    };
    let now = clock::milliseconds();
    let old = list(workspace).into_iter().filter(|incident| {
        incident.time > 0 && now.saturating_sub(incident.time) > kept && !named.contains(&incident.id)
    });
    for incident in old.take(PRUNED_AT_ONCE) {
        if let Some(path) = self::folder(&workspace.layout, &incident.id) {
            folder::remove(&path)?;
        }
    }
    Ok(())
}
