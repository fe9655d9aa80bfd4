//! When the reviewer stops: its answer is held against what it was given. Only a whole and true answer counts.

use super::contents::text;
use super::context::digest;
use super::instructions::changed_instructions;
use super::reuse::{reused, standing_blockers};
use super::verdict::verdict;
use crate::app::failure::{Failure, chain};
use crate::app::gate::judge;
use crate::app::review::change::Change;
use crate::app::review::receipt::{FinishedLoop, own_folder, record};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{self, Pending};
use crate::pure::client::{Answer, Input};
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::report::CheckLines;
use crate::pure::review::loop2::{
    AnswerContract, ReviewerFinding, Text, located, nonce, read, retry_message,
};
use crate::pure::review::{
    CheckOutcome, Evidence, Finding, FindingId, GitPath, LoopOutcome, LoopVerdict, Pair, changed_paths,
};
use crate::pure::secret::{Redacted, redact, redact_code};
use serde_json::json;
use std::collections::BTreeMap;
use time::OffsetDateTime;

const NUMBER: LoopNumber = LoopNumber::Two;
/// How often a reviewer is asked to answer again.
const TRIES: u32 = 3;
const RAW: usize = 256 * 1024;

/// The result of an answer.
enum Examined {
    Counts {
        findings: Vec<Finding>,
        settled: Vec<FindingId>,
    },
    Lacks(Vec<String>),
    /// No answer to this context can count any more.
    Void(LoopVerdict),
}

/// Takes the last message of one of our reviewers.
pub(crate) fn take_answer(
    workspace: &Workspace,
    input: &Input<'_>,
    agent: &str,
    message: &str,
) -> Result<Answer, Failure> {
    let _lock = Pending::lock(&workspace.layout)?;
    let now = clock::milliseconds();
    let mut waiting = Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, now)?;
    waiting.retain(|pending| pending.task.is_none());
    let Some(mut pending) = waiting_for(waiting, agent, nonce(message)) else { return Ok(Answer::silent()) };
    let change = Change {
        head: pending.head.clone(),
        ..Change::of(workspace, pending.scope.clone(), pending.requested_base.clone())?
    };
    let evidence = judge::evidence(workspace)?;
    let ended = match examine(&change, &pending, message)? {
        Examined::Counts { mut findings, settled } => {
            findings.extend(changed_instructions(&change)?);
            outcome(&change, &pending, &evidence, findings, settled)
        }
        Examined::Void(verdict) => LoopOutcome::ended(verdict, 0),
        Examined::Lacks(problems) if pending.tries < TRIES && !pending.is_late(now) => {
            pending.tries += 1;
            pending.agent = Some(agent.to_owned());
            pending.write(&workspace.layout, &workspace.homes)?;
            return Ok(Answer::block(retry_message(&problems, TRIES - pending.tries + 1)));
        }
        Examined::Lacks(problems) => {
            let kept = keep_raw(workspace, &pending, message);
            let lacked = problems.first().map(String::as_str).unwrap_or_default();
            let how = match pending.is_late(now) {
                true => format!(
                    "timed out after {} s with an answer that does not count",
                    pending.timeout_ms / 1_000
                ),
                false => format!("no answer that counts after {} tries", TRIES + 1),
            };
            let reason = format!("{how}: {lacked}{kept}");
            LoopOutcome::ended(LoopVerdict::Skip { reason }, 0)
        }
    };
    let outcome = LoopOutcome { elapsed_ms: now.saturating_sub(pending.started), ..ended };
    finish(workspace, &change, &pending, outcome)
}

fn finish(
    workspace: &Workspace,
    change: &Change,
    pending: &Pending,
    outcome: LoopOutcome,
) -> Result<Answer, Failure> {
    let seconds = i64::try_from(pending.started / 1_000).unwrap_or_default();
    let ended = FinishedLoop {
        number: NUMBER,
        outcome: outcome.clone(),
        started: OffsetDateTime::from_unix_timestamp(seconds).unwrap_or_else(|_| clock::now()),
        reviewer: Some(format!("claude-reviewer ({})", pending.model)),
    };
    record(workspace, change, ended, CheckLines::Joined)?;
    pending.remove(&workspace.layout)?;
    // The receipt counts whatever becomes of the copies.
    let copied = publish(workspace, change, pending, &outcome);
    let cleared = folder::remove(&pending.folder);
    Ok(match copied.and_then(|()| Ok(cleared?)) {
        Ok(()) => Answer::silent(),
        Err(failure) => Answer::notice(format!(
            "Plimsoll recorded loop 2, but could not tidy up after it: {}",
            chain(failure.as_ref())
        )),
    })
}

/// Whose answer this is: the agent that was seen reading, else the nonce it names, else the only one that waits.
pub(crate) fn waiting_for(waiting: Vec<Pending>, agent: &str, named: Option<String>) -> Option<Pending> {
    if let Some(pending) = waiting.iter().find(|pending| pending.agent.as_deref() == Some(agent)) {
        return Some(pending.clone());
    }
    let mut unknown: Vec<Pending> = waiting.into_iter().filter(|pending| pending.agent.is_none()).collect();
    match named {
        Some(nonce) => unknown.into_iter().find(|pending| pending.nonce == nonce),
        None if unknown.len() == 1 => unknown.pop(),
        None => None,
    }
}

fn examine(change: &Change, pending: &Pending, message: &str) -> Result<Examined, Failure> {
    if let Some(changed) = moved_on(change, pending) {
        return Ok(Examined::Void(LoopVerdict::Stale { changed }));
    }
    let files = pending.files.iter().map(String::as_str);
    if digest(&pending.folder, files).ok().as_deref() != Some(pending.digest.as_str()) {
        let reason = "the files that the reader was given were changed while it read".to_owned();
        return Ok(Examined::Void(LoopVerdict::Skip { reason }));
    }
    let paths: Vec<GitPath> = pending.pairs.iter().map(|pair| pair.path.clone()).collect();
    let expected =
        AnswerContract { nonce: &pending.nonce, marks: &pending.marks, files: &paths, open: &pending.open };
    let answer = read(message, &expected);
    let mut problems = answer.problems;
    problems.extend(pending.unseen());
    let mut texts: BTreeMap<GitPath, Text> = BTreeMap::new();
    let mut findings: Vec<Finding> = Vec::new();
    for (number, claim) in answer.findings.into_iter().enumerate() {
        let claim = without_secrets(claim);
        if !texts.contains_key(&claim.file) {
            texts.insert(claim.file.clone(), text(change, &pending.unshown, &claim.file)?);
        }
        match located(&claim, texts.get(&claim.file).unwrap_or(&Text::Missing)) {
            // As it is kept, so that it has the same id in every round.
            Ok(finding) => {
                findings.push(Finding { quote: finding.quote.as_deref().map(redact), ..finding });
            }
            Err(problem) => problems.push(format!("findings[{number}]: {problem}")),
        }
    }
    if !problems.is_empty() {
        return Ok(Examined::Lacks(problems));
    }
    // Of two findings about the same line the graver one stands for both.
    findings.sort_by_key(|finding| finding.severity);
    let mut seen = Vec::new();
    findings.retain(|finding| {
        let id = finding.id();
        let is_new = !seen.contains(&id);
        seen.push(id);
        is_new
    });
    let settled = answer.settled.into_iter().filter(|id| !seen.contains(id)).collect();
    Ok(Examined::Counts { findings, settled })
}

/// The first difference since the reviewer started, if any.
fn moved_on(change: &Change, pending: &Pending) -> Option<String> {
    if evidence_hash(&change.settings) != pending.policy {
        return Some("the settings of the review".into());
    }
    let same =
        change.snapshot.tree == pending.tree && pending.pairs.iter().all(|pair| change.pairs.contains(pair));
    if same {
        return None;
    }
    let read = |pair: &&Pair| pending.pairs.iter().any(|read| read.path == pair.path);
    let now: Vec<Pair> = change.pairs.iter().filter(read).cloned().collect();
    let names: Vec<String> = changed_paths(&pending.pairs, &now).iter().map(ToString::to_string).collect();
    Some(if names.is_empty() { "files that this round did not hold".into() } else { names.join(", ") })
}

fn without_secrets(claim: ReviewerFinding) -> ReviewerFinding {
    ReviewerFinding {
        // Compared with the code as the reviewer saw it.
        quote: redact_code(&claim.quote),
        message: redact(&claim.message),
        fix: claim.fix.map(|fix| redact(&fix)),
        ..claim
    }
}

/// Open findings of earlier rounds count against this change too: they ship together.
fn outcome(
    change: &Change,
    pending: &Pending,
    evidence: &Evidence,
    mut findings: Vec<Finding>,
    settled: Vec<FindingId>,
) -> LoopOutcome {
    let now_read: Vec<GitPath> = pending
        .pairs
        .iter()
        .map(|pair| &pair.path)
        .filter(|path| !pending.partly.contains(path))
        .cloned()
        .collect();
    for earlier in standing_blockers(change, evidence) {
        let elsewhere = |file: &String| !now_read.contains(&GitPath::unquote(file));
        let id = earlier.id();
        if earlier.file.as_ref().is_none_or(elsewhere)
            && !settled.contains(&id)
            && !findings.iter().any(|finding| finding.id() == id)
        {
            findings.push(earlier.clone());
        }
    }
    let verdict = verdict(&change.settings.blocking, &findings, evidence);
    LoopOutcome {
        tiers: [(1, lines(pending, now_read.len(), &verdict))].into(),
        findings,
        read: Some(now_read),
        settled,
        ..LoopOutcome::ended(verdict, 0)
    }
}

/// Lines of the report: what was read now, what before, what is left.
fn lines(pending: &Pending, files: usize, verdict: &LoopVerdict) -> Vec<CheckOutcome> {
    let line = |name: String, verdict: LoopVerdict| CheckOutcome {
        name,
        verdict,
        command: None,
        elapsed_ms: 0,
        output: String::new(),
        facts: BTreeMap::new(),
    };
    let mut reading = line("reading".into(), verdict.clone());
    reading.facts.insert("files_checked".into(), files.into());
    let mut lines = vec![reading];
    if pending.reused > 0 {
        lines.push(reused(pending.reused, pending.reused_minutes));
    }
    let skip = |reason: String| LoopVerdict::Skip { reason };
    if pending.later > 0 {
        let reason = format!("{} changed files are left; run loop 2 again for the rest", pending.later);
        lines.push(line("the rest".into(), skip(reason)));
    }
    if !pending.partly.is_empty() {
        let names: Vec<String> = pending.partly.iter().map(ToString::to_string).take(5).collect();
        let reason =
            format!("more than one review can read: {}; split them, or a person decides", names.join(", "));
        lines.push(line("too large".into(), skip(reason)));
    }
    lines
}

/// Stores the answer, and returns a sentence that names the file.
fn keep_raw(workspace: &Workspace, pending: &Pending, message: &str) -> String {
    let cut = |text: &str| text.get(..text.floor_char_boundary(RAW)).unwrap_or_default().to_owned();
    let text = Redacted::beginning(message, RAW, cut);
    let name: String = pending.nonce.chars().take(12).collect();
    let path = workspace.layout.raw_answers().join(format!("loop2-{name}.txt"));
    match state::write_text(&path, &text) {
        Ok(()) => format!(" (what it said is kept in {path})"),
        Err(error) => format!(" (what it said could not be kept: {error})"),
    }
}

/// Writes `claude-review-results.json`, for people and tools. The gate never reads it.
fn publish(
    workspace: &Workspace,
    change: &Change,
    pending: &Pending,
    outcome: &LoopOutcome,
) -> Result<(), Failure> {
    let findings: Vec<_> = outcome
        .findings
        .iter()
        .map(|finding| {
            let mut entry = json!(finding);
            if let Some(entry) = entry.as_object_mut() {
                entry.insert("id".into(), json!(finding.id()));
            }
            entry
        })
        .collect();
    let view = json!({
        "version": "1.0",
        "timestamp": clock::timestamp(),
        "tree": change.snapshot.tree,
        "base": change.base.commit,
        "branch": change.branch,
        "model": pending.model,
        "verdict": outcome.verdict,
        "elapsed_ms": outcome.elapsed_ms,
        "files_read": outcome.read,
        "files_reused": pending.reused,
        "files_left": pending.later + pending.partly.len(),
        "settled": outcome.settled,
        "findings": findings,
    });
    let folder = own_folder(workspace, &change.settings.paths.state_dir)?;
    Ok(state::write_json(&folder.join("claude-review-results.json"), &view)?)
}
