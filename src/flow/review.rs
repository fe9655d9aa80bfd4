//! `plimsoll review run`: content → loop → receipt → state files and report.

use super::change::Change;
use super::recording::{Ended, record};
use super::serve::Failure;
use super::watch::Watch;
use super::{clock, loop1};
use crate::config::{Environment, Invocation};
use crate::flow::scene::Scene;
use crate::policy::Settings;
use crate::repo::{self, Content, Git, Snapshot, commit, staged_tree, worktree_tree};
use crate::review::{GitPath, LoopOutcome, Pair, Scope, ScopeKind, Verdict};
use crate::state;

/// Files larger than this are no source text; they are named as unscanned.
const SCAN_LIMIT: u64 = 16 * 1024 * 1024;

pub struct Order {
    pub number: u8,
    pub scope: Scope,
    pub base: Option<String>,
    /// What a reader is to read, if not everything.
    pub paths: Vec<String>,
}

/// What came of it.
pub struct Reviewed {
    pub verdict: Verdict,
    pub report: String,
}

pub fn run(
    scene: &Scene,
    order: Order,
    watch: impl FnOnce(&Settings) -> Box<dyn Watch>,
) -> Result<Reviewed, Failure> {
    let started = clock::now();
    let change = Change::of(scene, order.scope, order.base)?;
    let outcome = match order.number {
        1 => check(scene, &change, watch)?,
        number => return Err(format!("loop {number} is not run from here").into()),
    };
    let verdict = outcome.verdict.clone();
    let ended = Ended { number: order.number, outcome, started, reviewer: None };
    Ok(Reviewed { verdict, report: record(scene, &change, ended)? })
}

/// The content to be reviewed. Checks run where the files are, so a part of them can only be checked if it is all there is.
pub fn candidate(git: &Git, scope: &Scope) -> Result<Snapshot, Failure> {
    let whole = worktree_tree(git, &scope.left_out)?;
    refuse_doctored(git, &whole, scope)?;
    let part = match &scope.kind {
        ScopeKind::All => return Ok(whole),
        ScopeKind::Staged => staged_tree(git)?.tree,
        ScopeKind::Ref(revision) => commit(git, revision)?.tree,
    };
    if part == whole.tree {
        return Ok(whole);
    }
    Err("the checks would see files that are not part of this scope; commit, stash or remove them first, or review everything".into())
}

/// A file that is left out stays as HEAD has it in the tree, while the checks would see it as it is on disk: a changed
/// manifest could make them pass.
fn refuse_doctored(git: &Git, whole: &Snapshot, scope: &Scope) -> Result<(), Failure> {
    if scope.left_out.is_empty() {
        return Ok(());
    }
    let head = commit(git, "HEAD").ok().map(|commit| commit.tree);
    let on_disk = match worktree_tree(git, &[]) {
        Err(repo::Error::NestedRepository { paths }) => worktree_tree(git, &paths)?,
        snapshot => snapshot?,
    };
    let reviewed = whole.pairs(head.as_ref())?;
    let seen = on_disk.pairs(head.as_ref())?;
    let doctored = seen.iter().find(|pair| pair.old.is_some() && !reviewed.contains(pair));
    match doctored {
        Some(pair) => Err(format!(
            "the checks would see the changes in {}, which is to be left out; stash or undo them first",
            pair.path
        )
        .into()),
        None => Ok(()),
    }
}

pub(super) fn check(
    scene: &Scene,
    change: &Change,
    watch: impl FnOnce(&Settings) -> Box<dyn Watch>,
) -> Result<LoopOutcome, Failure> {
    let (changed, unscanned) = contents(&change.snapshot, &change.pairs)?;
    let request = loop1::Request {
        root: scene.project.clone(),
        settings: change.settings.clone(),
        environment: environment(scene)?,
        changed,
        unscanned,
    };
    let mut outcome = loop1::run(&request, watch(&change.settings).as_ref());
    if let Some(changed) = change.moved_on()? {
        outcome.verdict = Verdict::Stale { changed };
    }
    Ok(outcome)
}

type Contents = (Vec<(GitPath, Vec<u8>)>, Vec<GitPath>);

fn contents(snapshot: &Snapshot, pairs: &[Pair]) -> Result<Contents, Failure> {
    let new: Vec<_> = pairs
        .iter()
        .filter_map(|pair| {
            Some((pair.path.clone(), pair.new.clone().filter(|side| !side.is_submodule())?.id))
        })
        .collect();
    let ids: Vec<_> = new.iter().map(|(_, id)| id.clone()).collect();
    let (mut changed, mut unscanned) = (Vec::new(), Vec::new());
    for ((path, _), object) in new.into_iter().zip(snapshot.blobs(&ids, SCAN_LIMIT)?) {
        match object?.1 {
            Content::Bytes(bytes) => changed.push((path, bytes)),
            Content::TooLarge(_) => unscanned.push(path),
        }
    }
    Ok((changed, unscanned))
}

/// Under an agent, the environment that the client itself had: a command could have put anything on PATH since.
fn environment(scene: &Scene) -> Result<Vec<(String, String)>, Failure> {
    let invocation = Invocation::read();
    if !invocation.under_agent {
        return Ok(Environment::variables());
    }
    let session = invocation.session_id.as_deref().unwrap_or_default();
    let recorded = state::read(&scene.layout, session)?.environment;
    if recorded.is_empty() {
        return Err("this session started before Plimsoll was installed, so its tools cannot be trusted; start a new session".into());
    }
    Ok(recorded)
}
