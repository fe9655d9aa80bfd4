//! `plimsoll review run`: content → loop → receipt → state files and report.

use super::loop1;
use super::serve::{Failure, chain};
use super::watch::Watch;
use super::{clock, gate};
use crate::config::{Environment, Invocation, load_with_base};
use crate::flow::scene::{Scene, real_path};
use crate::policy::{Settings, evidence_hash};
use crate::repo::{self, Base, Git, Head, Snapshot, base, commit, staged_tree, worktree_tree};
use crate::report::{Log, ReviewText, Ship, loop_state};
use crate::review::{
    AVAILABLE, LoopOutcome, Pair, RECEIPT_VERSION, Receipt, Scope, ScopeKind, Verdict, differing,
};
use crate::state::{self, Ledger};
use camino::Utf8PathBuf;
use time::OffsetDateTime;

pub struct Order {
    pub number: u8,
    pub scope: Scope,
    pub base: Option<String>,
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
    if !AVAILABLE.contains(&order.number) {
        return Err(format!("loop {} is not part of this version", order.number).into());
    }
    let started = clock::now();
    let repo = scene
        .repo
        .clone()
        .ok_or("there is no git repository here; a review belongs to content that git can name")?;
    let branch = match repo.head() {
        Head::Branch(branch) => Some(branch),
        Head::Detached(_) | Head::Unknown => None,
    };
    let git = Git::open(repo);
    let before = candidate(&git, &order.scope)?;
    let from = base(&git, order.base.as_deref())?;
    let pairs = before.pairs(from.tree.as_ref())?;
    let settings = load_with_base(
        &scene.project,
        &scene.environment,
        gate::policy_at(&git, from.commit.as_ref())?.as_deref(),
    )?
    .settings;

    let outcome = check(scene, &git, &before, &pairs, &order, &settings, watch)?;
    let receipt = Receipt {
        version: RECEIPT_VERSION,
        sequence: 0,
        previous: None,
        repository: gate::repository_id(scene)?,
        time: clock::timestamp(),
        branch,
        head: commit(&git, "HEAD").ok().map(|commit| commit.id),
        base: from.commit,
        tree: before.tree.clone(),
        scope: order.scope,
        pairs,
        policy: evidence_hash(&settings),
        loops: [(order.number, outcome.clone())].into(),
        reviewer: None,
    };
    let receipt =
        Ledger { layout: &scene.layout, homes: &scene.homes, repository: &receipt.repository.clone() }
            .append(receipt)?;
    let report = publish(scene, &receipt, &settings, started);
    Ok(Reviewed { verdict: outcome.verdict, report })
}

/// The content to be reviewed. Checks run where the files are, so a part of them can only be checked if it is all there is.
fn candidate(git: &Git, scope: &Scope) -> Result<Snapshot, Failure> {
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

fn check(
    scene: &Scene,
    git: &Git,
    before: &Snapshot,
    pairs: &[Pair],
    order: &Order,
    settings: &Settings,
    watch: impl FnOnce(&Settings) -> Box<dyn Watch>,
) -> Result<LoopOutcome, Failure> {
    let commit = base(git, order.base.as_deref())?.commit;
    let request = loop1::Request {
        root: scene.project.clone(),
        settings: settings.clone(),
        environment: environment(scene)?,
        secrets: loop1::scan_pairs(before, pairs, commit.as_ref())?,
    };
    let mut outcome = loop1::run(&request, watch(settings).as_ref());
    let after = worktree_tree(git, &order.scope.left_out)?;
    if after.tree != before.tree {
        let from = base(git, order.base.as_deref()).ok().and_then(|Base { tree, .. }| tree);
        let names: Vec<String> =
            differing(pairs, &after.pairs(from.as_ref())?).iter().map(ToString::to_string).collect();
        outcome.verdict = Verdict::Stale { changed: names.join(", ") };
    }
    Ok(outcome)
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

/// Writes the readable copies and returns the report.
fn publish(scene: &Scene, receipt: &Receipt, settings: &Settings, started: OffsetDateTime) -> String {
    let judged = gate::worktree(scene, &receipt.scope.left_out);
    let ship = Ship {
        allowed: judged.verdict.is_open(),
        blockers: judged.verdict.reasons().iter().map(ToString::to_string).collect(),
    };
    let mut shown = receipt.clone();
    for number in 1..=4 {
        if let Some((_, outcome)) = judged.evidence.run(number, &receipt.tree) {
            shown.loops.insert(number, outcome.clone());
        }
    }
    let report = ReviewText { receipt: &shown, ship: &ship, output: &settings.output }.terminal();
    // The receipt is written and counts; copies that nobody can write are no reason to hide the result.
    match write_copies(scene, &shown, &ship, settings, started) {
        Ok(()) => report,
        Err(failure) => {
            format!("{report}\nThe readable copies could not be written: {}\n", chain(failure.as_ref()))
        }
    }
}

fn write_copies(
    scene: &Scene,
    shown: &Receipt,
    ship: &Ship,
    settings: &Settings,
    started: OffsetDateTime,
) -> Result<(), Failure> {
    let view = own_folder(scene, &settings.paths.state_dir)?.join("loop-state.json");
    state::write_json(&view, &loop_state(shown, ship))?;
    if let Some(Log { name, text }) = Log::of(shown, started, ship, settings) {
        state::write_atomic(&own_folder(scene, &settings.paths.log_dir)?.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// A folder for readable copies. It hides itself from git, and no link may lead it out of the project.
fn own_folder(scene: &Scene, name: &str) -> Result<Utf8PathBuf, Failure> {
    let folder = real_path(&scene.project.join(name));
    if !folder.starts_with(real_path(&scene.project)) {
        return Err(format!("{name} leads out of the project, to {folder}").into());
    }
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        state::write_atomic(&ignore, b"*\n")?;
    }
    Ok(folder)
}
