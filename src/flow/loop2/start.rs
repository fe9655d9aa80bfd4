//! Before the reader starts: may it, what is there to read, and the record that its answer is held against.

use super::context::{Context, folder_name, sweep};
use super::material::gather;
use super::reuse;
use super::verdict::{blocks, since};
use crate::flow::change::Change;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::hook::{AgentCall, Answer, Input};
use crate::policy::{ReviewModel, evidence_hash};
use crate::review::loop2::{OPEN, Shown, prompt};
use crate::review::{Evidence, GitPath, Pair, Tracked, is_within};
use crate::state::{self, Pending, random_token};
use serde_json::value::RawValue;

const NUMBER: u8 = 2;

/// The answer to the call that starts the reader: our own input for it, or why there is none.
pub fn start(
    scene: &Scene,
    input: &Input<'_>,
    agent: &AgentCall,
    change: &Change,
    paths: &[String],
    evidence: &Evidence,
) -> Result<Answer, Failure> {
    let now = clock::milliseconds();
    let policy = evidence_hash(&change.settings);
    let since = since(&change.settings, now);
    let all_unread: Vec<&Pair> = evidence.unread(NUMBER, &change.pairs, &policy, Some(&since));
    let unread: Vec<&Pair> = all_unread.iter().copied().filter(|pair| is_within(&pair.path, paths)).collect();
    if change.pairs.is_empty() {
        return Ok(Answer::deny("Plimsoll: there is no change to review."));
    }
    if unread.is_empty() {
        return reuse::answer(scene, change, evidence, now);
    }
    let failed = evidence.failed_rounds(NUMBER, change.branch.as_deref());
    if failed >= usize::try_from(change.settings.blocking.max_rounds).unwrap_or(usize::MAX) {
        return Ok(Answer::deny(too_many_rounds(scene, change, evidence, failed)));
    }
    // What a crash left behind; that it cannot be removed keeps nobody from reviewing.
    let _ = sweep(scene, change);
    let fresh = change.settings.loop2.spawn_fresh_context;
    let goal = if fresh { None } else { state::goal(&scene.layout, &input.session_id) };
    let open = open_findings(change, evidence);
    let mut material = gather(change, &unread, &open, goal)?;
    material.index.reused = change.pairs.len() - all_unread.len();
    material.index.later += all_unread.len() - unread.len();
    let nonce = random_token()?;
    let sections = &material.round.sections;
    let shown = |pair: &&Pair| sections.iter().any(|section| section.path == pair.path);
    let named = |test: fn(&Shown) -> bool| -> Vec<GitPath> {
        sections.iter().filter(|section| test(&section.shown)).map(|section| section.path.clone()).collect()
    };
    let mut pending = Pending {
        agent: None,
        session: input.session_id.clone(),
        tree: change.snapshot.tree.clone(),
        scope: change.scope.clone(),
        wished_base: change.wished_base.clone(),
        base: change.base.commit.clone(),
        policy,
        pairs: unread.iter().copied().filter(shown).cloned().collect(),
        partly: named(|shown| matches!(shown, Shown::Beginning(_))),
        unshown: named(|shown| matches!(shown, Shown::Name(_))),
        reused: change.pairs.len() - all_unread.len(),
        reused_minutes: reuse::oldest_minutes(change, evidence, &all_unread, now),
        later: material.index.later,
        marks: Vec::new(),
        folder: Default::default(),
        files: Vec::new(),
        digest: String::new(),
        open: open.iter().map(|tracked| tracked.id.clone()).collect(),
        model: word(change.settings.loop2.model).into(),
        started: now,
        timeout_ms: change.settings.loop2.timeout.saturating_mul(1_000),
        tries: 0,
        task: None,
        nonce,
    };
    let context = Context::write(scene, change, &folder_name(&pending.nonce), material)?;
    pending.digest = context.digest()?;
    pending.files = context.files;
    pending.marks = context.marks;
    pending.folder = context.folder;
    if let Err(error) = pending.write(&scene.layout, &scene.homes) {
        let _ = std::fs::remove_dir_all(&pending.folder);
        return Err(error.into());
    }
    canonical(agent, &pending, change.settings.loop2.timeout)
}

/// Only this reaches the reader; nothing of what the caller wrote.
fn canonical(agent: &AgentCall, pending: &Pending, seconds: u64) -> Result<Answer, Failure> {
    let files: Vec<&str> = pending.marks.iter().map(|(name, _)| name.as_str()).collect();
    let input = serde_json::json!({
        "description": "Review loop 2",
        "prompt": prompt(pending.folder.as_str(), &pending.nonce, &files, seconds),
        "subagent_type": agent.subagent_type,
        "model": pending.model,
        "run_in_background": false,
    });
    Ok(Answer::silent().with_input(RawValue::from_string(input.to_string())?))
}

/// The client's name for a model.
fn word(model: ReviewModel) -> &'static str {
    match model {
        ReviewModel::Opus => "opus",
        ReviewModel::Sonnet => "sonnet",
        ReviewModel::Haiku => "haiku",
    }
}

/// Findings of this loop that nobody has settled, the gravest first, as many as a reader is told of.
pub fn open_findings(change: &Change, evidence: &Evidence) -> Vec<Tracked> {
    let mut open = evidence.tracked(change.branch.as_deref());
    open.retain(|entry| entry.number == NUMBER && entry.standing.is_open());
    open.sort_by_key(|entry| entry.finding.severity);
    open.truncate(OPEN);
    open
}

fn too_many_rounds(scene: &Scene, change: &Change, evidence: &Evidence, failed: usize) -> String {
    let blocking = &change.settings.blocking;
    let ids: Vec<String> = open_findings(change, evidence)
        .iter()
        .filter(|entry| blocks(blocking, entry.finding.severity))
        .map(|entry| entry.id.to_string())
        .take(5)
        .collect();
    format!(
        "Plimsoll [max_rounds]: {failed} rounds of loop 2 failed, and blocking.max_rounds is {}. Now a person decides: they dismiss \
         a finding in a terminal (`plimsoll review dismiss ID --reason …`; open: {}), raise max_rounds, or type {} --override \
         \"reason\".",
        blocking.max_rounds,
        ids.join(", "),
        scene.command("ship")
    )
}
