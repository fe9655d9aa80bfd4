//! Before the reviewer starts: may it, what is there to read, and the record that its answer is held against.

use super::context::{ReviewContext, folder_name, sweep};
use super::instructions::instructions;
use super::material::gather;
use super::reuse;
use super::verdict::{blocks, since};
use crate::app::failure::Failure;
use crate::app::review::agent_input::canonical;
use crate::app::review::change::Change;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{self, Pending, random_token};
use crate::pure::client::{AgentCall, Answer};
use crate::pure::policy::{LoopNumber, ReviewModel, evidence_hash};
use crate::pure::review::loop2::{OPEN, ShownPart, prompt};
use crate::pure::review::{Evidence, GitPath, Pair, TrackedFinding, is_within};

const NUMBER: LoopNumber = LoopNumber::Two;

/// The answer to the call that starts the reviewer: our own input for it, or why there is none.
pub(crate) fn start(
    event: ToolEvent<'_>,
    agent: &AgentCall,
    change: &Change,
    paths: &[String],
    evidence: &Evidence,
) -> Result<Answer, Failure> {
    let ToolEvent { workspace, input, .. } = event;
    let now = clock::milliseconds();
    let policy = evidence_hash(&change.settings);
    let since = since(&change.settings, now);
    let all_unread: Vec<&Pair> = evidence.unreviewed(NUMBER, &change.pairs, &policy, Some(&since));
    let unread: Vec<&Pair> = all_unread.iter().copied().filter(|pair| is_within(&pair.path, paths)).collect();
    if change.pairs.is_empty() {
        return Ok(Answer::deny("Plimsoll: there is no change to review."));
    }
    if unread.is_empty() {
        return reuse::answer(workspace, change, evidence, now);
    }
    let failed = evidence.failed_rounds(NUMBER, change.branch.as_deref());
    if failed >= usize::try_from(change.settings.blocking.max_rounds).unwrap_or(usize::MAX) {
        return Ok(Answer::deny(too_many_rounds(workspace, change, evidence, failed)));
    }
    // Remains of a crash; a failure to remove them prevents no review.
    let _ = sweep(workspace, change);
    let fresh = change.settings.loop2.spawn_fresh_context;
    let goal = if fresh { None } else { state::goal(&workspace.layout, &input.session_id) };
    let open = open_findings(change, evidence);
    let mut material = gather(change, &unread, &open, goal)?;
    material.index.reused = change.pairs.len() - all_unread.len();
    material.index.later += all_unread.len() - unread.len();
    let sections = &material.round.sections;
    let shown = |pair: &&Pair| sections.iter().any(|section| section.path == pair.path);
    let named = |test: fn(&ShownPart) -> bool| -> Vec<GitPath> {
        sections.iter().filter(|section| test(&section.shown)).map(|section| section.path.clone()).collect()
    };
    let mut pending = Pending {
        pairs: unread.iter().copied().filter(shown).cloned().collect(),
        partly: named(|shown| matches!(shown, ShownPart::Beginning(_))),
        unshown: named(|shown| matches!(shown, ShownPart::Name(_))),
        reused: change.pairs.len() - all_unread.len(),
        reused_minutes: reuse::oldest_minutes(change, evidence, &all_unread, now),
        later: material.index.later,
        open: open.iter().map(|tracked| tracked.id.clone()).collect(),
        model: word(change.settings.loop2.model).into(),
        ..pending(&input.session_id, change)?
    };
    material.index.instructions = instructions(workspace, change)?;
    let context = ReviewContext::write(workspace, change, &folder_name(&pending.nonce), material)?;
    pending.digest = context.digest()?;
    pending.files = context.files;
    pending.marks = context.marks;
    pending.folder = context.folder;
    if let Err(error) = pending.write(&workspace.layout, &workspace.homes) {
        let _ = folder::remove(&pending.folder);
        return Err(error.into());
    }
    let files: Vec<&str> = pending.marks.iter().map(|(name, _)| name.as_str()).collect();
    let prompt = prompt(pending.folder.as_str(), &pending.nonce, &files, change.settings.loop2.timeout);
    canonical(agent, "Review loop 2", &prompt, Some(&pending.model))
}

/// The record of an agent that has not read anything yet.
pub(crate) fn pending(session: &str, change: &Change) -> Result<Pending, Failure> {
    Ok(Pending {
        nonce: random_token()?,
        session: session.to_owned(),
        agent: None,
        tree: change.snapshot.tree.clone(),
        scope: change.scope.clone(),
        requested_base: change.requested_base.clone(),
        base: change.base.commit.clone(),
        head: change.head.clone(),
        policy: evidence_hash(&change.settings),
        pairs: Vec::new(),
        partly: Vec::new(),
        unshown: Vec::new(),
        reused: 0,
        reused_minutes: 0,
        later: 0,
        marks: Vec::new(),
        folder: Default::default(),
        files: Vec::new(),
        digest: String::new(),
        open: Vec::new(),
        model: String::new(),
        started: clock::milliseconds(),
        timeout_ms: change.settings.loop2.timeout.saturating_mul(1_000),
        tries: 0,
        task: None,
        seen: Vec::new(),
    })
}

/// The client's name for a model.
fn word(model: ReviewModel) -> &'static str {
    match model {
        ReviewModel::Opus => "opus",
        ReviewModel::Sonnet => "sonnet",
        ReviewModel::Haiku => "haiku",
    }
}

/// Findings of this loop that nobody has settled, the gravest first, as many as a reviewer is told of.
pub(crate) fn open_findings(change: &Change, evidence: &Evidence) -> Vec<TrackedFinding> {
    let mut open = evidence.tracked(change.branch.as_deref());
    open.retain(|entry| entry.number == NUMBER && entry.state.is_open());
    open.sort_by_key(|entry| entry.finding.severity);
    open.truncate(OPEN);
    open
}

fn too_many_rounds(workspace: &Workspace, change: &Change, evidence: &Evidence, failed: usize) -> String {
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
        workspace.command("ship")
    )
}
