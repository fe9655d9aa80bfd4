//! When one of our two agents stops: the reviewer's words are kept, the parser's answer becomes the result. Nobody else's.

use super::moving::{act, known, tasks};
use super::telling::announce;
use crate::flow::change::Change;
use crate::flow::clock;
use crate::flow::loop2::{addressed, digest, text};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::hook::{Answer, Input};
use crate::review::loop2::{Text, nonce};
use crate::review::{GitPath, Scope, differing};
use crate::secret::{Redacted, redact};
use crate::state::{Pending, Stage, TaskReading};
use crate::step::TaskAgent;
use crate::task::{
    Action, Citation, Conclusion, Issue, Read, Review, Status, Task, TaskId, Verdict, once_more, read,
    signature, signed_nonce,
};

/// How often an agent is asked to answer again.
const TRIES: u32 = 3;
const WORDS: usize = 64 * 1024;

/// Takes the last message of one of our two agents.
pub fn stopped(
    scene: &Scene,
    input: &Input<'_>,
    kind: TaskAgent,
    agent: &str,
    message: &str,
) -> Result<Answer, Failure> {
    let _lock = Pending::lock(&scene.layout)?;
    let (stage, named) = match kind {
        TaskAgent::Reviewer => (Stage::Reviewing, signed_nonce(message)),
        TaskAgent::Parser => (Stage::Parsing, nonce(message)),
    };
    let now = clock::milliseconds();
    let mut waiting = Pending::of_session(&scene.layout, &scene.homes, &input.session_id, now)?;
    waiting.retain(|pending| pending.task.as_ref().is_some_and(|task| task.stage == stage));
    let Some(mut pending) = addressed(waiting, agent, named) else { return Ok(Answer::silent()) };
    let Some(reading) = pending.task.clone() else { return Ok(Answer::silent()) };
    if !is_under_way(scene, &reading)? {
        tidy(scene, &pending)?;
        return Ok(Answer::silent());
    }
    let taken = match kind {
        TaskAgent::Reviewer => reviewed(scene, &pending, &reading, message)?,
        TaskAgent::Parser => parsed(scene, &pending, &reading, message)?,
    };
    let answer = match taken {
        Taken::Counts(answer) => answer,
        Taken::Lacks(problems) if pending.tries < TRIES && !pending.is_late(now) => {
            pending.tries += 1;
            pending.agent = Some(agent.to_owned());
            pending.write(&scene.layout, &scene.homes)?;
            return Ok(Answer::block(once_more(&problems, TRIES - pending.tries + 1)));
        }
        Taken::Lacks(problems) => {
            let why = problems.first().map(String::as_str).unwrap_or_default();
            malformed(scene, reading.task, &reading.review, why, Some(message))?
        }
    };
    tidy(scene, &pending)?;
    Ok(answer)
}

enum Taken {
    Counts(Answer),
    Lacks(Vec<String>),
}

/// A review that was withdrawn, blocked or begun anew meanwhile has no answer any more.
fn is_under_way(scene: &Scene, reading: &TaskReading) -> Result<bool, Failure> {
    Ok(known(scene, reading.task)?.state().review.is_some_and(|review| review.id == reading.review))
}

fn reviewed(
    scene: &Scene,
    pending: &Pending,
    reading: &TaskReading,
    message: &str,
) -> Result<Taken, Failure> {
    let files = pending.files.iter().map(String::as_str);
    if digest(&pending.folder, files).ok().as_deref() != Some(pending.digest.as_str()) {
        let why = "the files that the reviewer was given were changed while it read";
        return Ok(Taken::Counts(malformed(scene, reading.task, &reading.review, why, Some(message))?));
    }
    let words = match signature(message, &pending.nonce, &pending.marks) {
        Ok(words) => words,
        Err(problems) => return Ok(Taken::Lacks(problems)),
    };
    let (raw, digest) = keep(scene, reading, &words)?;
    act(scene, reading.task, Action::GiveReview { review: reading.review.clone(), raw, digest })?;
    Ok(Taken::Counts(Answer::silent()))
}

fn parsed(scene: &Scene, pending: &Pending, reading: &TaskReading, message: &str) -> Result<Taken, Failure> {
    let change = Change::of(scene, Scope::default(), None)?;
    let task = known(scene, reading.task)?;
    let Some(review) = task.state().review else { return Ok(Taken::Counts(Answer::silent())) };
    let changed = changed(scene, &change, &task, &review);
    let mut read: Read = read(message, &pending.nonce);
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
    Ok(Taken::Counts(conclude(scene, reading.task, conclusion)?))
}

/// Ends a review whose words could not be read; they are kept.
pub(super) fn malformed(
    scene: &Scene,
    task: TaskId,
    review: &str,
    why: &str,
    message: Option<&str>,
) -> Result<Answer, Failure> {
    let given = known(scene, task)?.state().review.and_then(|review| review.given);
    let reading = TaskReading { task, review: review.to_owned(), stage: Stage::Parsing };
    let raw = match (given, message) {
        (Some((name, _)), _) => Some(name),
        (None, Some(words)) => Some(keep(scene, &reading, words)?.0),
        (None, None) => None,
    };
    let conclusion = Conclusion {
        review: review.to_owned(),
        result: Verdict::NeedsRevision,
        issues: Vec::new(),
        summary: "The review could not be read.".into(),
        blocking: false,
        raw,
        malformed: Some(redact(why)),
        changed: None,
    };
    conclude(scene, task, conclusion)
}

fn conclude(scene: &Scene, id: TaskId, conclusion: Conclusion) -> Result<Answer, Failure> {
    let task = act(scene, id, Action::Conclude(Box::new(conclusion)))?;
    let Some((_, record)) = task.reviews().next_back() else { return Ok(Answer::silent()) };
    announce(scene, &task, record);
    let status = record.then.word();
    Ok(match record.then {
        Status::Complete => Answer::silent(),
        _ => Answer::notice(format!(
            "Plimsoll: review {} of {id}: {}, so that it is {status}. `plimsoll task show {id}` has the rest.",
            record.attempt,
            record.result.word()
        )),
    })
}

/// Which files are other than those that were reviewed.
fn changed(scene: &Scene, change: &Change, task: &Task, review: &Review) -> Option<String> {
    const SHOWN: usize = 10;
    if task.state().submitted.is_some_and(|(_, place)| place != scene.project.as_str()) {
        return Some("another worktree than it was handed in from".into());
    }
    if change.snapshot.tree == review.tree {
        return None;
    }
    let names: Vec<String> = differing(&tasks(scene).changes(&review.id), &change.pairs)
        .iter()
        .map(ToString::to_string)
        .take(SHOWN)
        .collect();
    Some(if names.is_empty() { "files that nobody can name".into() } else { names.join(", ") })
}

fn citation(change: &Change, issue: &Issue) -> Result<Option<Citation>, Failure> {
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

fn without_secrets(issue: Issue) -> Issue {
    Issue { message: redact(&issue.message), file: issue.file.map(|file| redact(&file)), ..issue }
}

/// The words in a file of their own, bounded and without secrets.
fn keep(scene: &Scene, reading: &TaskReading, words: &str) -> Result<(String, String), Failure> {
    let cut = |text: &str| text.get(..text.floor_char_boundary(WORDS)).unwrap_or_default().to_owned();
    let words = Redacted::beginning(words, WORDS, cut);
    let name = format!("{}-{}.md", reading.task, reading.review);
    let digest = tasks(scene).keep_words(&name, &words)?;
    Ok((name, digest))
}

fn tidy(scene: &Scene, pending: &Pending) -> Result<(), Failure> {
    pending.remove(&scene.layout)?;
    if !pending.folder.as_str().is_empty() {
        // What is left of it is swept away with the next review.
        let _ = std::fs::remove_dir_all(&pending.folder);
    }
    Ok(())
}
