//! Before a step that changes something: a checkpoint, or copies of the files that it takes away.

use super::assessment::AssessedCall;
use super::pause::only_observed;
use super::reviewed_call::ReviewedCall;
use crate::app::checkpoints::{self, Attempt, CheckpointReason};
use crate::app::failure::{Failure, chain};
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::config::StepPolicy;
use crate::edge::repo::Losses;
use crate::edge::state::{read_bounded, write_atomic};
use crate::pure::client::Tool;
use crate::pure::restore::LeftOutReason;
use crate::pure::step::{Decision, Losing, Loss, More, Nature, Need};
use camino::{Utf8Path, Utf8PathBuf};

/// In place of nothing in the mark of a prompt: its first checkpoint is taken as soon as the capture is ready.
const WAITING: &[u8] = b"waiting";

/// The name of the question before something is lost, in journal, audit log and statistics.
const NO_CHECKPOINT: &str = "no_checkpoint";

/// The files to keep before a tool call, under these settings.
pub(crate) fn need(weighed: &AssessedCall<'_>, nature: Nature, policy: &StepPolicy) -> Need {
    match checkpoints::before_changes(policy) {
        true => Need::of(&weighed.survey, &weighed.place, &weighed.known, nature),
        false => Need::default(),
    }
}

/// The answer after what the step takes away was kept. Where that cannot be done, it needs a person.
pub(crate) fn preserve(event: ToolEvent<'_>, mut reviewed: ReviewedCall) -> Result<ReviewedCall, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let need = std::mem::take(&mut reviewed.need);
    if need.is_nothing() || reviewed.is_denied() || !checkpoints::covers(workspace) {
        return Ok(reviewed);
    }
    let mark = workspace.layout.captured_mark(&input.session_id);
    let marked = read_bounded(&mark)?;
    let waits = marked.as_deref() == Some(WAITING);
    let first = marked.is_none() || (waits && !checkpoints::background::is_running(workspace));
    let paths: Vec<Utf8PathBuf> = need.copies.iter().cloned().collect();
    let copied = checkpoints::keep_files(workspace, &input.session_id, &paths);
    if !first {
        keep_new_file(event, &need)?;
    }
    if !first && need.more == More::Nothing && copied.is_ok() {
        return Ok(reviewed);
    }
    let why = match need.more {
        _ if first => CheckpointReason::FirstChange,
        More::Overwrites => CheckpointReason::BeforeOverwrite(call.tool.clone()),
        More::Nothing | More::Deletes | More::DeletesUnknown => {
            CheckpointReason::BeforeStep(call.tool.clone())
        }
    };
    let attempt = checkpoints::take_within(workspace, &input.session_id, why, checkpoints::budget(workspace));
    let goes_on = matches!(&attempt, Ok(Attempt::NotReady(how_far)) if how_far.goes_on);
    if first || waits {
        write_atomic(&mark, if goes_on { WAITING } else { b"" })?;
    }
    let taken = match attempt {
        Ok(Attempt::Taken(taken)) if need.more > More::Nothing => {
            let kept = checkpoints::keep_ignored(workspace, &input.session_id, &taken.id);
            kept.map(|_| taken).map_err(|failure| chain(failure.as_ref()))
        }
        Ok(Attempt::Taken(taken)) => Ok(taken),
        Ok(Attempt::NotReady(how_far)) => Err(how_far.to_string()),
        Err(failure) => Err(chain(failure.as_ref())),
    };
    if first && taken.is_err() {
        keep_new_file(event, &need)?;
    }
    let not_kept = match (taken, copied) {
        (Ok(taken), Ok(())) if need.more == More::DeletesUnknown => left_out(workspace, &taken.id),
        (Ok(_), Ok(())) => return Ok(reviewed),
        (Ok(_), Err(failure)) => Some(NotKept::Loss(chain(failure.as_ref()))),
        (Err(why), copied) => {
            let loses = need.more >= More::Deletes || copied.is_err();
            Some(if loses { NotKept::Loss(why) } else { NotKept::Change(why) })
        }
    };
    Ok(match not_kept {
        None => reviewed,
        Some(NotKept::Loss(why)) if reviewed.answer.decision().is_none() => {
            let question = format!(
                "Plimsoll: this step takes something away that no checkpoint holds: {why}. Run it all the same?"
            );
            match only_observed(workspace, input.agent_type.as_deref()) {
                true => reviewed.would_have(Decision::Ask, NO_CHECKPOINT, &question),
                false => reviewed.asking(question, NO_CHECKPOINT),
            }
        }
        // Said once for a prompt.
        Some(NotKept::Loss(why) | NotKept::Change(why)) if first => {
            reviewed.with_notice(format!("Plimsoll has no checkpoint from before this change: {why}"))
        }
        Some(NotKept::Loss(_) | NotKept::Change(_)) => reviewed,
    })
}

/// Why not everything could be kept that a step takes away, or may take away.
enum NotKept {
    Loss(String),
    Change(String),
}

/// The most files that are examined of those that a checkpoint left out.
const MOST_LEFT_OUT: usize = 32;

/// Files that a checkpoint left out although neither git nor a build restores them.
fn left_out(workspace: &Workspace, id: &str) -> Option<NotKept> {
    let around = match checkpoints::surroundings(workspace, id) {
        Ok((_, around)) => around,
        Err(failure) => return Some(NotKept::Loss(chain(failure.as_ref()))),
    };
    let mut losses = Losses::new(&workspace.project, checkpoints::copies_before_changes(workspace));
    let paths = around
        .left_out
        .iter()
        .filter(|one| matches!(one.why, LeftOutReason::TooLarge(_) | LeftOutReason::NextTime(_)));
    let paths = paths.filter_map(|one| std::str::from_utf8(&one.path.0).ok());
    paths.take(MOST_LEFT_OUT).find_map(|path| {
        let path = workspace.project.join(path);
        match losses.of(&Losing::Path { path, recursive: false }) {
            Loss::TooLarge(what) | Loss::Matters(what) => {
                Some(NotKept::Loss(format!("it may delete {what}")))
            }
            Loss::Nothing | Loss::Copies(_) | Loss::Unkept | Loss::Unknown(_) => None,
        }
    })
}

/// A file that a tool makes: a restore takes it away again, also where git ignores it.
fn keep_new_file(event: ToolEvent<'_>, need: &Need) -> Result<(), Failure> {
    let ToolEvent { workspace, input, call } = event;
    // Reading a long command again would only show that it is none.
    let written = if call.tool == "Bash" { None } else { Tool::parse(call) };
    let Some(Tool::Write { path, .. }) = written else { return Ok(()) };
    let path = Utf8Path::new(&input.cwd).join(path);
    if path.starts_with(&workspace.project) && !need.copies.contains(&path) {
        checkpoints::keep_file(workspace, &input.session_id, &path)?;
    }
    Ok(())
}
