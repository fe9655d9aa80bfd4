//! What an emergency stop leaves behind: the lock on the project, the incident's pages, a message to the person.

use super::serve::{Failure, chain};
use super::{clock, notifying};
use crate::flow::scene::Scene;
use crate::policy::EmergencyStop;
use crate::report::printable;
use crate::secret;
use crate::state::{
    self, Layout, LockMode, Locked, ProjectLock, fingerprint, random_token, read_json, write_code, write_json,
};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// A page that is larger is not written.
const PAGE_LIMIT: usize = 8 * 1024 * 1024;
const SUMMARY_LIMIT: usize = 300;
/// How many incidents one lock names.
const NAMED: usize = 50;
const DAY: u64 = 24 * 60 * 60 * 1000;
/// The start of a session does not wait for a spring clean.
const PRUNED_AT_ONCE: usize = 20;

/// The incident in its three forms.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    pub json: String,
    pub markdown: String,
    pub html: String,
}

/// Why everything stops.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'a> {
    /// Made by `new_id`.
    pub id: &'a str,
    pub session: &'a str,
    /// One sentence.
    pub summary: &'a str,
    /// When the trouble began, in milliseconds since 1970.
    pub began: u64,
    /// The last safe checkpoint, if it is known.
    pub checkpoint: Option<&'a str>,
}

/// What came of it. The project is locked.
#[derive(Debug)]
pub struct Stopped {
    pub incident: String,
    /// The page for a browser, if it was written.
    pub page: Option<Utf8PathBuf>,
    /// Incidents that had locked the project before.
    pub earlier: Vec<String>,
    /// What could not be done, in words for the person.
    pub problems: Vec<String>,
}

/// What is known of an incident without reading its pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    version: u64,
    pub id: String,
    /// Milliseconds since 1970.
    pub time: u64,
    pub session: String,
    pub summary: String,
    pub began: u64,
    pub checkpoint: Option<String>,
}

/// Sorts by time, and names a folder.
pub fn new_id() -> String {
    let time: String = clock::timestamp().chars().filter(char::is_ascii_digit).collect();
    let mark = random_token().unwrap_or_else(|_| {
        let seen = format!("{} {}", std::process::id(), clock::milliseconds());
        format!("{:016x}", fingerprint(seen.as_bytes()))
    });
    format!("{}-{}-{}", take(&time, 0, 8), take(&time, 8, 6), take(&mark, 0, 6))
}

fn take(text: &str, from: usize, count: usize) -> String {
    text.chars().skip(from).take(count).collect()
}

/// Where an incident's files are; nothing for a name that no incident has.
pub fn folder(layout: &Layout, id: &str) -> Option<Utf8PathBuf> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let named = (1..=64).contains(&id.len()) && id.chars().all(plain);
    named.then(|| layout.incidents().join(id))
}

/// The page for a browser, if there is one.
pub fn page(layout: &Layout, id: &str) -> Option<Utf8PathBuf> {
    folder(layout, id).map(|folder| folder.join("index.html")).filter(|page| page.is_file())
}

/// Locks the project first, so that whatever happens next nothing runs; then makes the pages, writes and tells. An error means
/// that the project is *not* locked.
pub fn stop(scene: &Scene, stop: &Stop<'_>, pages: impl FnOnce() -> Pages) -> Result<Stopped, Failure> {
    let folder =
        folder(&scene.layout, stop.id).ok_or_else(|| format!("{} is no id of an incident", stop.id))?;
    let summary = one_sentence(stop.summary);
    let now = clock::milliseconds();
    let incident = Incident {
        version: 1,
        id: stop.id.into(),
        time: now,
        session: stop.session.into(),
        summary: summary.clone(),
        began: stop.began,
        checkpoint: stop.checkpoint.map(str::to_owned),
    };
    let mut problems = Vec::new();
    let earlier = lock(scene, &incident, &mut problems)?;
    let pages = pages();
    let mut noted = |result: Result<(), Failure>| {
        let failed = result.err().map(|failure| chain(failure.as_ref()));
        failed.into_iter().for_each(|why| problems.push(why));
    };
    noted(write_json(&folder.join("stop.json"), &incident).map_err(Failure::from));
    for (name, text) in
        [("incident.json", &pages.json), ("report.md", &pages.markdown), ("index.html", &pages.html)]
    {
        noted(write_page(&folder.join(name), text));
    }
    let settings = scene.settings().map(|loaded| loaded.settings.interventions.emergency_stop);
    let settings = settings.unwrap_or_else(|failure| {
        noted(Err(failure));
        EmergencyStop::default()
    });
    let message = notifying::of_a_stop(scene, stop.id, &summary);
    noted(notifying::tell(scene, &settings.notification_channels, message));
    Ok(Stopped { incident: stop.id.into(), page: page(&scene.layout, stop.id), earlier, problems })
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

/// The first incident of a lock gives it its words; later ones are added. Returns the earlier ones.
fn lock(scene: &Scene, incident: &Incident, problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
    // Without the guard two stops at once might forget one of the two incidents, but never the lock.
    let _guard =
        ProjectLock::guard(&scene.homes, &scene.layout).map_err(|error| problems.push(chain(&error))).ok();
    let found = ProjectLock::read(&scene.homes, &scene.layout);
    let mut lock = match found {
        Locked::Held(lock) => lock,
        Locked::Free => ProjectLock::stopped(&incident.summary, incident.time),
        Locked::Unreadable(state::Error::Newer { .. }) => {
            problems.push("the lock of a newer Plimsoll was left as it is".into());
            return Ok(Vec::new());
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
    for root in roots(scene) {
        if !lock.roots.contains(&root) {
            lock.roots.push(root);
        }
    }
    if let Err(error) = lock.write(&scene.homes, &scene.layout) {
        // Less than a whole lock locks too.
        match ProjectLock::read(&scene.homes, &scene.layout) {
            Locked::Free => return Err(error.into()),
            Locked::Held(_) | Locked::Unreadable(_) => problems.push(chain(&error)),
        }
    }
    Ok(earlier)
}

/// Where the project's state is, and where it would be if somebody removed the repository.
pub(super) fn roots(scene: &Scene) -> [Utf8PathBuf; 2] {
    let without = Layout::without_git(&scene.environment.state_home, &scene.project);
    [scene.layout.root().to_owned(), without.root().to_owned()]
}

/// All that are kept, the oldest first. One whose note was never written is known by its folder alone.
pub fn list(scene: &Scene) -> Vec<Incident> {
    let entries = scene.layout.incidents().read_dir_utf8().into_iter().flatten().flatten();
    let ids = entries.map(|entry| entry.file_name().to_owned());
    let mut known: Vec<Incident> = ids.filter_map(|id| find(scene, &id)).collect();
    known.sort_by(|one, other| (one.time, &one.id).cmp(&(other.time, &other.id)));
    known
}

pub fn find(scene: &Scene, id: &str) -> Option<Incident> {
    let folder = folder(&scene.layout, id).filter(|folder| folder.is_dir())?;
    let unknown = || Incident {
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

/// The project is locked again if an incident is there that no person has decided about: its lock did not go away by itself.
pub fn lock_again(scene: &Scene) -> Result<(), Failure> {
    if !matches!(ProjectLock::read(&scene.homes, &scene.layout), Locked::Free) {
        return Ok(());
    }
    let decided = super::recovering::decided(scene);
    for incident in list(scene).iter().filter(|incident| incident.time > 0 && !decided.contains(&incident.id))
    {
        lock(scene, incident, &mut Vec::new())?;
    }
    Ok(())
}

/// Forgets incidents that are older than the settings want, except those that lock the project.
pub fn prune(scene: &Scene) -> Result<(), Failure> {
    if !scene.layout.incidents().is_dir() {
        return Ok(());
    }
    // Without settings that can be read, nothing is too old.
    let Ok(loaded) = scene.settings() else { return Ok(()) };
    let days = loaded.settings.interventions.emergency_stop.preserve_incident_data_days;
    let kept = u64::from(days) * DAY;
    let named = match ProjectLock::read(&scene.homes, &scene.layout) {
        Locked::Held(lock) => lock.incidents,
        Locked::Free => Vec::new(),
        // Nobody can say which one locks.
        Locked::Unreadable(_) => return Ok(()),
    };
    let now = clock::milliseconds();
    let old = list(scene).into_iter().filter(|incident| {
        incident.time > 0 && now.saturating_sub(incident.time) > kept && !named.contains(&incident.id)
    });
    for incident in old.take(PRUNED_AT_ONCE) {
        if let Some(folder) = folder(&scene.layout, &incident.id) {
            std::fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}
