//! Other sessions that work in the same folder: what this call would take of theirs, and what it writes itself.

use super::assessment::AssessedCall;
use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file;
use crate::edge::file::metadata::modified_at;
use crate::edge::file::real_paths::{RealPaths, real_path};
use crate::edge::repo::{standing, worktree_of};
use crate::edge::run::ancestry;
use crate::edge::state::{Clients, Writer, Writers, Written, goal, remove};
use crate::pure::client::Tool;
use crate::pure::step::sessions::{
    Claim, Claims, FileState, Files, OthersWork, Taking, Takings, added, after, at_risk, is_live, takings,
};
use crate::pure::step::{Addressed, Effect, Known, Target, is_usually_generated, joined};
use crate::pure::text::{cut, list};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A longer file is claimed whole.
const LONGEST: u64 = 1024 * 1024;
/// The most files of a folder that are looked at.
const MOST_FILES: usize = 2_000;
/// The most names, and the most characters of a goal, in a question.
const SHOWN: usize = 3;
const GOAL: usize = 40;

/// The work of other live sessions that a call would take. Nothing is read unless it takes something and another session writes here.
pub(crate) fn others_work(
    event: ToolEvent<'_>,
    tool: &Tool,
    call: &AssessedCall<'_>,
) -> Result<OthersWork, Failure> {
    let none = Ok(OthersWork::default());
    if call.survey.found.is_empty() && call.survey.sweeps.is_empty() {
        return none;
    }
    let Takings { effects, sweeps } = takings(&call.survey, &call.known);
    if effects.is_empty() && sweeps.is_empty() {
        return none;
    }
    let ToolEvent { workspace, input, .. } = event;
    let writers = Writers::of(&workspace.layout);
    let mut live = Vec::new();
    for path in writers.others(&input.session_id)? {
        let written = Written::read(&path)?;
        if let Some(writer) = written.writer.clone().filter(|writer| works(workspace, writer, &path)) {
            live.push((writer, written));
        }
    }
    if live.is_empty() {
        return none;
    }
    let own = writers.place(&input.session_id);
    let own = if own.exists() { Written::read(&own)? } else { Written::default() };
    let all = live.iter().map(|(_, written)| written).chain([&own]).enumerate();
    let claims =
        all.flat_map(|(at, one)| one.claims.iter().map(move |(time, claim)| (*time, at, claim.clone())));
    let claims = Claims::of_sessions(live.len() + 1, claims.collect());
    let Some((ours, theirs)) = claims.split_last() else { return none };
    let mut files = World { states: BTreeMap::new(), failure: None, known: &call.known };
    let after = |now: &[u8]| after(tool, now);
    let mut words = |taking: &Taking<'_>, how: &str| {
        let both = live
            .iter()
            .zip(theirs)
            .map(|((writer, _), theirs)| (writer, at_risk(taking, theirs, ours, &mut files, &after)));
        let taken: Vec<_> = both.filter(|(_, paths)| !paths.is_empty()).collect();
        let (writer, _) = taken.first()?;
        let mut names: Vec<_> =
            taken.iter().flat_map(|(_, paths)| paths).map(|path| name(workspace, path)).collect();
        names.sort();
        names.dedup();
        let more = if taken.len() > 1 { "other sessions, such as" } else { "another session," };
        let whose = whose(workspace, writer);
        Some(format!("{how} uncommitted work of {more} {whose}: {}. Is this intended?", list(&names, SHOWN)))
    };
    let found = &call.survey.found;
    let how = |at: usize| found.get(at).map_or_else(String::new, |found| how(&found.effect));
    let effects = effects.iter().filter_map(|(at, taking)| Some((*at, words(taking, &how(*at))?))).collect();
    let sweep = |at: usize| call.survey.sweeps.get(at).map(|sweep| sweep.how).unwrap_or_default();
    let sweeps = sweeps.iter().filter_map(|(at, taking)| Some((*at, words(taking, sweep(*at))?))).collect();
    match files.failure {
        Some(failure) => Err(failure),
        None => Ok(OthersWork { effects, sweeps }),
    }
}

fn how(effect: &Effect) -> String {
    match effect {
        Effect::Delete { .. } => "would delete".to_owned(),
        Effect::Discard { how, .. } => format!("{how} would discard"),
        _ => "would overwrite".to_owned(),
    }
}

fn name(workspace: &Workspace, path: &Utf8Path) -> String {
    path.strip_prefix(&workspace.project).unwrap_or(path).to_string()
}

/// A session as a person knows it: by its goal, and the beginning of its id.
fn whose(workspace: &Workspace, writer: &Writer) -> String {
    let id: String = writer.session.chars().take(8).collect();
    match goal(&workspace.layout, &writer.session) {
        Some(goal) => format!("{id} (\"{}\")", cut(goal.lines().next().unwrap_or_default(), GOAL)),
        None => id,
    }
}

/// Whether the session of a record still works here.
fn works(workspace: &Workspace, writer: &Writer, record: &Utf8Path) -> bool {
    let journal = workspace.layout.journal(&writer.session);
    let last_active = modified_at(&journal).max(modified_at(record)).unwrap_or_default();
    let gone = |client: &crate::pure::client::Process| {
        client.namespace == ancestry::namespace() && ancestry::start_time(client.id) != Some(client.started)
    };
    is_live(last_active, clock::milliseconds(), writer.client.as_ref().is_some_and(gone))
}

/// The files and lines that a call writes, as far as they are known before it runs.
pub(crate) fn claims(event: ToolEvent<'_>, tool: &Tool, call: &AssessedCall<'_>) -> Vec<Claim> {
    let project = &event.workspace.project;
    let mut claims = match tool {
        Tool::Write { .. } => {
            let path = call.survey.found.iter().find_map(|found| match &found.effect {
                Effect::Replace { target: Target::Path(path) } => Some(path),
                _ => None,
            });
            path.map(|path| written(path, tool)).into_iter().collect()
        }
        _ => Claim::of_survey(&call.survey),
    };
    claims.retain(|claim| claim.path().strip_prefix(project).is_ok_and(is_work));
    if claims.is_empty() {
        return claims;
    }
    let mut real = RealPaths::default();
    let real =
        |path: Utf8PathBuf| call.known.real.get(path.as_str()).cloned().unwrap_or_else(|| real.of(&path));
    moved_to_real(claims, real)
}

/// Whether a path in a project is neither git's own nor made again by a build.
fn is_work(path: &Utf8Path) -> bool {
    !path.components().any(|name| name.as_str() == ".git" || is_usually_generated(name.as_str()))
}

fn moved_to_real(claims: Vec<Claim>, mut real: impl FnMut(Utf8PathBuf) -> Utf8PathBuf) -> Vec<Claim> {
    let claims = claims.into_iter().map(|claim| match claim {
        Claim::Lines(path, lines) => Claim::Lines(real(path), lines),
        Claim::File(path) => Claim::File(real(path)),
        Claim::Below(path) => Claim::Below(real(path)),
        Claim::Moved(from, to) => Claim::Moved(real(from), real(to)),
    });
    claims.collect()
}

fn written(path: &Utf8Path, tool: &Tool) -> Claim {
    let now = match file::read(path, LONGEST) {
        Ok(now) => now,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(_) => return Claim::File(path.to_owned()),
    };
    match after(tool, &now) {
        Some(after) => Claim::of_lines(path.to_owned(), added(&now, &after)),
        None => Claim::File(path.to_owned()),
    }
}

/// Writes down what a call is about to write.
pub(crate) fn record(event: ToolEvent<'_>, claims: Vec<Claim>) -> Result<(), Failure> {
    if claims.is_empty() {
        return Ok(());
    }
    let ToolEvent { workspace, input, .. } = event;
    let client = || {
        let parent = ancestry::parent_id();
        let is_client = ancestry::start_time(parent)
            .is_some_and(|started| Clients::of(&workspace.homes).has(parent, started));
        is_client.then(|| ancestry::process(parent)).flatten()
    };
    let writer = || Writer { session: input.session_id.clone(), client: client() };
    Ok(Writers::of(&workspace.layout).add(&input.session_id, clock::milliseconds(), claims, writer)?)
}

/// Forgets a session that has ended.
#[cfg(feature = "cli")]
pub(crate) fn end(cwd: &str, session: &str) -> Result<(), Failure> {
    Ok(remove(&Writers::of(&Workspace::of_event(cwd)?.layout).place(session))?)
}

/// Another session began in the same client, so the ones before it have ended.
pub(crate) fn end_others_of_client(workspace: &Workspace, session: &str) -> Result<(), Failure> {
    let parent = ancestry::parent_id();
    let Some(started) = ancestry::start_time(parent) else { return Ok(()) };
    let namespace = ancestry::namespace();
    for path in Writers::of(&workspace.layout).others(session)? {
        let client = Written::read(&path)?.writer.and_then(|writer| writer.client);
        let same = |client: crate::pure::client::Process| {
            (client.id, client.started, client.namespace) == (parent, started, namespace.clone())
        };
        if client.is_some_and(same) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// The files as they are.
struct World<'k> {
    /// `None`: nothing that no commit holds.
    states: BTreeMap<Utf8PathBuf, Option<FileState>>,
    failure: Option<Failure>,
    known: &'k Known,
}

impl Files for World<'_> {
    fn worktree(&mut self, repository: &Addressed) -> Option<Utf8PathBuf> {
        match repository {
            Addressed::Directory(folder) => worktree_of(folder),
            Addressed::Unknown => None,
        }
    }

    fn look_at(&mut self, paths: &[Utf8PathBuf]) {
        let new: Vec<_> = paths.iter().filter(|path| !self.states.contains_key(*path)).cloned().collect();
        if new.is_empty() {
            return;
        }
        match standing(&new) {
            Ok(mut found) => {
                self.states.extend(new.into_iter().map(|path| (path.clone(), found.remove(&path))));
            }
            Err(error) => self.failure = Some(error.into()),
        }
    }

    fn state(&mut self, path: &Utf8Path) -> Option<FileState> {
        self.states.get(path).cloned().flatten()
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        path.exists()
    }

    fn below(&mut self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        files_below(folder)
    }

    fn real(&mut self, path: &Utf8Path) -> Utf8PathBuf {
        let known = self.known.real.get(path.as_str()).cloned();
        known.unwrap_or_else(|| match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => joined(&real_path(parent), name),
            _ => path.to_owned(),
        })
    }
}

fn files_below(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let (mut left, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = left.pop() {
        for entry in path.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => left.push(entry.into_path()),
                Ok(kind) if kind.is_file() && files.len() < MOST_FILES => files.push(entry.into_path()),
                _ => {}
            }
        }
    }
    files
}
