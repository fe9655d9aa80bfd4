//! Before a step that changes something: a checkpoint, or copies of the files that it takes away.

use super::checkpoints::{self, Attempt, Why};
use super::reviewed::Reviewed;
use super::serve::{Failure, chain};
use super::weigh::Weighed;
use crate::config::StepPolicy;
use crate::flow::scene::Scene;
use crate::hook::{Call, Decision, Input, Tool};
use crate::repo::{Copies, Losses};
use crate::restore::{MIB, Reason};
use crate::state::{read_bounded, write_atomic};
use crate::step::{Losing, Loss, More, Nature, Need};
use camino::{Utf8Path, Utf8PathBuf};

/// In place of nothing in the mark of a prompt: its first checkpoint is taken as soon as the capture is ready.
const WAITING: &[u8] = b"waiting";

/// What has to be kept before a step, under these settings.
pub fn need(weighed: &Weighed<'_>, nature: Nature, policy: &StepPolicy) -> Need {
    match are_on(policy) {
        true => Need::of(&weighed.survey, &weighed.place, &weighed.known, nature),
        false => Need::default(),
    }
}

fn are_on(policy: &StepPolicy) -> bool {
    let settings = &policy.interventions.checkpoint_rollback;
    policy.interventions.enabled && settings.enabled && settings.before_changes
}

/// Of which files copies are taken before a step here.
pub fn copies(scene: &Scene) -> Copies {
    let policy = scene.step_policy();
    match are_on(&policy) && checkpoints::covers(scene) {
        true => Copies::UpTo(policy.interventions.checkpoint_rollback.max_file_mb * MIB),
        false => Copies::Off,
    }
}

/// The answer after what the step takes away was kept. Where that cannot be done, it needs a person.
pub fn before_step(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    mut reviewed: Reviewed,
) -> Result<Reviewed, Failure> {
    let need = std::mem::take(&mut reviewed.need);
    let refused = reviewed.answer.decision() == Some(Decision::Deny);
    if need.is_nothing() || refused || !checkpoints::covers(scene) {
        return Ok(reviewed);
    }
    let mark = scene.layout.captured(&input.session_id);
    let marked = read_bounded(&mark)?;
    let waits = marked.as_deref() == Some(WAITING);
    let first = marked.is_none() || (waits && !checkpoints::background::is_running(scene));
    let paths: Vec<Utf8PathBuf> = need.copies.iter().cloned().collect();
    let copied = checkpoints::keep_files(scene, &input.session_id, &paths);
    if !first {
        keep_new_file(scene, input, call, &need)?;
    }
    if !first && need.more == More::Nothing && copied.is_ok() {
        return Ok(reviewed);
    }
    let why = match need.more {
        _ if first => Why::FirstChange,
        More::Overwrites => Why::BeforeOverwrite(call.tool.clone()),
        More::Nothing | More::Deletes | More::DeletesUnknown => Why::BeforeStep(call.tool.clone()),
    };
    let attempt = checkpoints::take_within(scene, &input.session_id, why, checkpoints::budget(scene));
    let goes_on = matches!(&attempt, Ok(Attempt::NotReady(how_far)) if how_far.goes_on);
    if first || waits {
        write_atomic(&mark, if goes_on { WAITING } else { b"" })?;
    }
    let taken = match attempt {
        Ok(Attempt::Taken(taken)) if need.more > More::Nothing => {
            let kept = checkpoints::keep_ignored(scene, &input.session_id, &taken.id);
            kept.map(|_| taken).map_err(|failure| chain(failure.as_ref()))
        }
        Ok(Attempt::Taken(taken)) => Ok(taken),
        Ok(Attempt::NotReady(how_far)) => Err(how_far.to_string()),
        Err(failure) => Err(chain(failure.as_ref())),
    };
    if first && taken.is_err() {
        keep_new_file(scene, input, call, &need)?;
    }
    let not_kept = match (taken, copied) {
        (Ok(taken), Ok(())) if need.more == More::DeletesUnknown => left_out(scene, &taken.id),
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
            reviewed.asking(question, "no_checkpoint")
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

/// So many files that a checkpoint left out are looked at.
const MOST_LEFT_OUT: usize = 32;

/// What a checkpoint left out although neither git nor a build brings it back.
fn left_out(scene: &Scene, id: &str) -> Option<NotKept> {
    let around = match checkpoints::surroundings(scene, id) {
        Ok((_, around)) => around,
        Err(failure) => return Some(NotKept::Loss(chain(failure.as_ref()))),
    };
    let mut losses = Losses::new(&scene.project, copies(scene));
    let paths =
        around.left_out.iter().filter(|one| matches!(one.why, Reason::TooLarge(_) | Reason::NextTime(_)));
    let paths = paths.filter_map(|one| std::str::from_utf8(&one.path.0).ok());
    paths.take(MOST_LEFT_OUT).find_map(|path| {
        let path = scene.project.join(path);
        match losses.of(&Losing::Path { path, recursive: false }) {
            Loss::TooLarge(what) | Loss::Matters(what) => {
                Some(NotKept::Loss(format!("it may delete {what}")))
            }
            Loss::Nothing | Loss::Copies(_) | Loss::Unkept | Loss::Unknown(_) => None,
        }
    })
}

/// A file that a tool makes: a restore takes it away again, also where git ignores it.
fn keep_new_file(scene: &Scene, input: &Input<'_>, call: &Call<'_>, need: &Need) -> Result<(), Failure> {
    // Reading a long command again would only show that it is none.
    let written = if call.tool == "Bash" { None } else { Tool::parse(call) };
    let Some(Tool::Write { path, .. }) = written else { return Ok(()) };
    let path = Utf8Path::new(&input.cwd).join(path);
    if path.starts_with(&scene.project) && !need.copies.contains(&path) {
        checkpoints::keep_file(scene, &input.session_id, &path)?;
    }
    Ok(())
}
