//! Before a step that changes something: a checkpoint, so that what it takes away can be had back.

use super::checkpoints::{self, Attempt, Why};
use super::reviewed::Reviewed;
use super::serve::{Failure, chain};
use crate::config::StepPolicy;
use crate::flow::scene::Scene;
use crate::hook::{Call, Decision, Input, Tool};
use crate::state::{read_bounded, write_atomic};
use crate::step::{Effect, Found, Nature, Survey};
use camino::Utf8Path;

/// In place of nothing in the mark of a prompt: its first checkpoint is taken as soon as the capture is ready.
const WAITING: &[u8] = b"waiting";

/// What a step asks for before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Need {
    #[default]
    Nothing,
    /// It changes something.
    Change,
    /// It takes something away.
    Loss,
}

impl Need {
    /// `nature`: of all that was found, redirections included; the survey's own is that of the programs.
    pub fn of(survey: &Survey, nature: Nature, policy: &StepPolicy) -> Self {
        let settings = &policy.interventions.checkpoint_rollback;
        if !(policy.interventions.enabled && settings.enabled && settings.before_changes) {
            return Self::Nothing;
        }
        if survey.found.iter().any(takes_away) {
            return Self::Loss;
        }
        match nature {
            Nature::Read | Nature::Network => Self::Nothing,
            Nature::Creation | Nature::Modification | Nature::System | Nature::Deletion => Self::Change,
        }
    }
}

fn takes_away(found: &Found) -> bool {
    matches!(found.effect, Effect::Delete { .. } | Effect::Discard { .. })
}

/// The answer after the checkpoint was taken. Without one, a step that takes something away needs a person.
pub fn before_step(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    reviewed: Reviewed,
) -> Result<Reviewed, Failure> {
    let need = reviewed.need;
    let refused = reviewed.answer.decision() == Some(Decision::Deny);
    if need == Need::Nothing || refused || !checkpoints::covers(scene) {
        return Ok(reviewed);
    }
    let mark = scene.layout.captured(&input.session_id);
    let first = match read_bounded(&mark)? {
        None => true,
        Some(text) => text == WAITING && !checkpoints::background::is_running(scene),
    };
    if !first && need == Need::Change {
        keep_written_file(scene, input, call)?;
        return Ok(reviewed);
    }
    let why = if first { Why::FirstChange } else { Why::BeforeStep(call.tool.clone()) };
    let budget = checkpoints::budget(scene);
    let taken = checkpoints::take_within(scene, &input.session_id, why, budget);
    let goes_on = matches!(&taken, Ok(Attempt::NotReady(how_far)) if how_far.goes_on);
    write_atomic(&mark, if goes_on { WAITING } else { b"" })?;
    Ok(match (taken, need) {
        (Ok(Attempt::Taken(_)), _) => reviewed,
        (Ok(Attempt::NotReady(how_far)), Need::Loss) if reviewed.answer.decision().is_none() => {
            let question = format!(
                "Plimsoll: this step takes something away, and there is no checkpoint to bring it back from: {how_far}. Run it all \
                 the same?"
            );
            reviewed.asking(question, "no_checkpoint")
        }
        (Ok(Attempt::NotReady(how_far)), _) => {
            keep_written_file(scene, input, call)?;
            let notice = format!("Plimsoll has no checkpoint from before this change: {how_far}.");
            reviewed.with_notice(notice)
        }
        (Err(failure), Need::Loss) if reviewed.answer.decision().is_none() => {
            let why = chain(failure.as_ref());
            let question = format!(
                "Plimsoll: this step takes something away, and no checkpoint could be taken before it: {why}. Run it all the \
                 same?"
            );
            reviewed.asking(question, "no_checkpoint")
        }
        (Err(failure), _) => {
            let why = chain(failure.as_ref());
            let notice = format!("Plimsoll could not take a checkpoint before this change: {why}");
            reviewed.with_notice(notice)
        }
    })
}

/// The file as it is before a tool writes it: later changes of a prompt do not copy the whole project again.
fn keep_written_file(scene: &Scene, input: &Input<'_>, call: &Call<'_>) -> Result<(), Failure> {
    // Reading a long command again would only show that it is none.
    let written = if call.tool == "Bash" { None } else { Tool::parse(call) };
    let Some(Tool::Write { path, .. }) = written else { return Ok(()) };
    let path = Utf8Path::new(&input.cwd).join(path);
    if path.starts_with(&scene.project) {
        checkpoints::keep_file(scene, &input.session_id, &path)?;
    }
    Ok(())
}
