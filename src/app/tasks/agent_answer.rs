//! When one of our two agents stops: the reviewer's words are kept, the parser's answer becomes the result. Nobody else's.

use super::announcement::announce;
use super::transition::{act, find, tasks};
use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::app::review::loop2::{digest, text, waiting_for};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{Pending, TaskReading, TaskStage};
use crate::pure::client::{Answer, Input};
use crate::pure::review::loop2::{Text, nonce, retry_message};
use crate::pure::review::{GitPath, ReviewScope, changed_paths};
use crate::pure::secret::{Redacted, redact};
use crate::pure::step::TaskAgent;
use crate::pure::task::{
    Citation, Conclusion, PendingReview, Task, TaskAction, TaskAnswer, TaskId, TaskIssue, TaskStatus,
    TaskVerdict, read, signature, signed_nonce,
};

/// How often an agent is asked to answer again.
const TRIES: u32 = 3;
const WORDS: usize = 64 * 1024;

/// Takes the last message of one of our two agents.
pub(crate) fn take_answer(
    workspace: &Workspace,
    input: &Input<'_>,
    kind: TaskAgent,
    agent: &str,
    message: &str,
) -> Result<Answer, Failure> {
    let _lock = Pending::lock(&workspace.layout)?;
    let (stage, named) = match kind {
        TaskAgent::Reviewer => (TaskStage::Reviewing, signed_nonce(message)),
        TaskAgent::Parser => (TaskStage::Parsing, nonce(message)),
    };
    let now = clock::milliseconds();
    let mut waiting = Pending::of_session(&workspace.layout, &workspace.homes, &input.session_id, now)?;
    waiting.retain(|pending| pending.task.as_ref().is_some_and(|task| task.stage == stage));
    let Some(mut pending) = waiting_for(waiting, agent, named) else { return Ok(Answer::silent()) };
    let Some(reading) = pending.task.clone() else { return Ok(Answer::silent()) };
    if !is_under_way(workspace, &reading)? {
        tidy(workspace, &pending)?;
        return Ok(Answer::silent());
    }
    let taken = match kind {
        TaskAgent::Reviewer => reviewed(workspace, &pending, &reading, message)?,
        TaskAgent::Parser => parsed(workspace, &pending, &reading, message)?,
    };
    let answer = match taken {
        Taken::Counts(answer) => answer,
        Taken::Lacks(problems) if pending.tries < TRIES && !pending.is_late(now) => {
            pending.tries += 1;
            pending.agent = Some(agent.to_owned());
            pending.write(&workspace.layout, &workspace.homes)?;
            return Ok(Answer::block(retry_message(&problems, TRIES - pending.tries + 1)));
        }
        Taken::Lacks(problems) => {
            let why = problems.first().map(String::as_str).unwrap_or_default();
            malformed(workspace, reading.task, &reading.review, why, Some(message))?
        }
    };
    tidy(workspace, &pending)?;
    Ok(answer)
}

enum Taken {
    Counts(Answer),
    Lacks(Vec<String>),
}

/// A review that was withdrawn, blocked or started again meanwhile has no answer any more.
fn is_under_way(workspace: &Workspace, reading: &TaskReading) -> Result<bool, Failure> {
    Ok(find(workspace, reading.task)?.state().review.is_some_and(|review| review.id == reading.review))
}

fn reviewed(
    workspace: &Workspace,
    pending: &Pending,
    reading: &TaskReading,
    message: &str,
) -> Result<Taken, Failure> {
    let files = pending.files.iter().map(String::as_str);
    if digest(&pending.folder, files).ok().as_deref() != Some(pending.digest.as_str()) {
        let why = "the files that the reviewer was given were changed while it read";
        return Ok(Taken::Counts(malformed(workspace, reading.task, &reading.review, why, Some(message))?));
    }
    let words = match signature(message, &pending.nonce, &pending.marks) {
        Ok(words) if pending.unseen().is_empty() => words,
        Ok(_) => return Ok(Taken::Lacks(pending.unseen())),
        Err(problems) => return Ok(Taken::Lacks(problems)),
    };
    let (raw, digest) = keep(workspace, reading, &words)?;
    act(workspace, reading.task, TaskAction::GiveReview { review: reading.review.clone(), raw, digest })?;
    Ok(Taken::Counts(Answer::silent()))
}

fn parsed(
    workspace: &Workspace,
    pending: &Pending,
    reading: &TaskReading,
    message: &str,
) -> Result<Taken, Failure> {
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let task = find(workspace, reading.task)?;
    let Some(review) = task.state().review else { return Ok(Taken::Counts(Answer::silent())) };
    let changed = changed(workspace, &change, &task, &review);
    let mut read: TaskAnswer = read(message, &pending.nonce);
    if changed.is_none() {
        for (number, issue) in read.issues.iter().enumerate() {
            let problem = citation(&change, issue)?.and_then(|citation| citation.problem(issue));
            read.problems.extend(problem.map(|problem| format!("issues[{number}]: {problem}")));
        }
    }
    if !read.problems.is_empty() {
        return Ok(Taken::Lacks(read.problems));
    }
    let conclusion = Conclusion {
        review: reading.review.clone(),
        result: read.result,
        issues: read.issues.into_iter().map(without_secrets).collect(),
        summary: redact(&read.summary),
        blocking: read.blocking,
        raw: review.given.map(|(name, _)| name),
        malformed: None,
        changed,
    };
    Ok(Taken::Counts(conclude(workspace, reading.task, conclusion)?))
}

/// Ends a review whose words could not be read; they are kept.
pub(crate) fn malformed(
    workspace: &Workspace,
    task: TaskId,
    review: &str,
    why: &str,
    message: Option<&str>,
) -> Result<Answer, Failure> {
    let given = find(workspace, task)?.state().review.and_then(|review| review.given);
    let reading = TaskReading { task, review: review.to_owned(), stage: TaskStage::Parsing };
    let raw = match (given, message) {
        (Some((name, _)), _) => Some(name),
        (None, Some(words)) => Some(keep(workspace, &reading, words)?.0),
        (None, None) => None,
    };
    let conclusion = Conclusion {
        review: review.to_owned(),
        result: TaskVerdict::NeedsRevision,
        issues: Vec::new(),
        summary: "The review could not be read.".into(),
        blocking: false,
        raw,
        malformed: Some(redact(why)),
        changed: None,
    };
    conclude(workspace, task, conclusion)
}

fn conclude(workspace: &Workspace, id: TaskId, conclusion: Conclusion) -> Result<Answer, Failure> {
    let task = act(workspace, id, TaskAction::Conclude(Box::new(conclusion)))?;
    let Some((_, record)) = task.reviews().next_back() else { return Ok(Answer::silent()) };
    announce(workspace, &task, record);
    let status = record.then.word();
    Ok(match record.then {
        TaskStatus::Complete => Answer::silent(),
        _ => Answer::notice(format!(
            "Plimsoll: review {} of {id}: {}, so that it is {status}. `plimsoll task show {id}` has the rest.",
            record.attempt,
            record.result.word()
        )),
    })
}

/// Which files are other than those that were reviewed.
fn changed(workspace: &Workspace, change: &Change, task: &Task, review: &PendingReview) -> Option<String> {
    const SHOWN: usize = 10;
    if task.state().submitted.is_some_and(|(_, place)| place != workspace.project.as_str()) {
        return Some("another worktree than it was handed in from".into());
    }
    if change.snapshot.tree == review.tree {
        return None;
    }
    let names: Vec<String> = changed_paths(&tasks(workspace).changes(&review.id), &change.pairs)
        .iter()
        .map(ToString::to_string)
        .take(SHOWN)
        .collect();
    Some(if names.is_empty() { "files that nobody can name".into() } else { names.join(", ") })
}

fn citation(change: &Change, issue: &TaskIssue) -> Result<Option<Citation>, Failure> {
    let Some(file) = &issue.file else { return Ok(None) };
    Ok(Some(match text(change, &[], &GitPath::unquote(file))? {
        Text::Missing => Citation::Missing,
        Text::Unshown => Citation::Unseen,
        Text::Known { new, old } => {
            let lines = [new, old].into_iter().flatten().map(|text| text.lines().count()).max();
            lines.map_or(Citation::Unseen, Citation::Lines)
        }
    }))
}

fn without_secrets(issue: TaskIssue) -> TaskIssue {
    TaskIssue { message: redact(&issue.message), file: issue.file.map(|file| redact(&file)), ..issue }
}

/// The words in a file of their own, bounded and without secrets.
fn keep(workspace: &Workspace, reading: &TaskReading, words: &str) -> Result<(String, String), Failure> {
    let cut = |text: &str| text.get(..text.floor_char_boundary(WORDS)).unwrap_or_default().to_owned();
    let words = Redacted::beginning(words, WORDS, cut);
    let name = format!("{}-{}.md", reading.task, reading.review);
    let digest = tasks(workspace).keep_words(&name, &words)?;
    Ok((name, digest))
}

fn tidy(workspace: &Workspace, pending: &Pending) -> Result<(), Failure> {
    pending.remove(&workspace.layout)?;
    if !pending.folder.as_str().is_empty() {
        // The next review removes the rest.
        let _ = folder::remove(&pending.folder);
    }
    Ok(())
}
