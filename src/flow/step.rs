//! Before a tool call: event → survey → questions → decision → journal → answer.

use super::answering::answer;
use super::history::history;
use super::recovering::{self, Standing};
use super::remembered::{CacheUse, weigh_or_remember};
use super::reviewed::Reviewed;
use super::serve::{Failure, Reply, chain};
use super::weigh::{Circumstances, Weighed};
use super::wording::phrase;
use super::{checkpointing, clock, floor, intervening, loop_agent, loop2, prompt};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Decision, Event, Input, Tool};
use crate::shell::Reading;
use crate::state;
use crate::step::{self, Level, Mode, Timing, catalogue};
use std::mem::ManuallyDrop;
use std::time::Instant;

pub fn before_tool(bytes: &[u8]) -> Result<Reply, Failure> {
    let begun = clock::begin();
    let input = Input::parse(bytes)?;
    let Event::PreToolUse(call) = &input.event else {
        let refusal = floor::refusal(bytes, Reading::Thorough, "nobody knows its event");
        return Ok(refusal.unwrap_or_else(|| Reply::new(input.name, Answer::silent())));
    };
    // Never taken apart: the hook ends right after this.
    let scene = ManuallyDrop::new(Scene::of_event(&input.cwd)?);
    let lock = match recovering::standing(&scene, &input, call) {
        Standing::Free => None,
        Standing::Held(lock) => Some(lock),
        Standing::Answered(answer) => {
            let locked = Reviewed::new(answer, recovering::RULE);
            return answered(&scene, &input, call, locked, begun);
        }
    };
    if let Some(refusal) = loop2::guard(&scene, &input, call) {
        let refused = Reviewed::new(refusal, loop_agent::READER);
        return answered(&scene, &input, call, refused, begun);
    }
    let reviewed = match Tool::parse(call) {
        None => of_another_shape(&scene, &input, call),
        Some(Tool::Agent(agent)) => {
            Reviewed::new(loop_agent::start(&scene, &input, &agent)?, loop_agent::CONFIRMATION)
        }
        Some(Tool::Skill { name, arguments }) => {
            Reviewed::new(prompt::by_the_model(&scene, &input, &name, &arguments)?, "")
        }
        Some(tool) => review(&scene, &input, call, &tool)?,
    };
    let reviewed = match lock {
        Some(lock) => recovering::under(&lock, call, reviewed),
        None => reviewed,
    };
    let reviewed = intervening::obey(&scene, &input, call, reviewed)?;
    let reviewed = checkpointing::before_step(&scene, &input, call, reviewed)?;
    answered(&scene, &input, call, reviewed, begun)
}

/// A call that does not have its tool's own shape.
fn of_another_shape(scene: &Scene, input: &Input<'_>, call: &Call<'_>) -> Reviewed {
    match floor::finding(call, &scene.place(&input.cwd), Reading::Thorough) {
        Some(finding) => Reviewed::new(Answer::deny(phrase(&finding, "")), finding.rule.as_str()),
        None => {
            let question =
                format!("Plimsoll does not understand this {} call; the user should look at it", call.tool);
            Reviewed::new(Answer::ask(question), catalogue::OPAQUE.name)
        }
    }
}

/// Records an answer and gives it.
fn answered(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    reviewed: Reviewed,
    begun: Instant,
) -> Result<Reply, Failure> {
    let answer = match reviewed.record(scene, input, call, begun) {
        Ok(()) => reviewed.answer,
        // What is refused stays refused.
        Err(failure) if reviewed.answer.decision() == Some(Decision::Deny) => {
            let why = chain(failure.as_ref());
            reviewed.answer.with_notice(format!("Plimsoll could not record this refusal: {why}"))
        }
        Err(failure) => return Err(failure),
    };
    Ok(Reply::new(input.name.clone(), answer))
}

fn review(scene: &Scene, input: &Input<'_>, call: &Call<'_>, tool: &Tool) -> Result<Reviewed, Failure> {
    let Looked { weighed, circumstances, cache } = look(scene, input, call, tool, Timing::Before)?;
    let decision = weighed.decide(scene, &circumstances, Mode::Enforce)?;
    let by_a_step_rule = decision.findings.iter().any(|finding| finding.level == Level::Step);
    let decision = match by_a_step_rule && paused(scene) {
        true => weighed.decide(scene, &circumstances, Mode::Observe)?,
        false => decision,
    };
    let reviewed = answer(scene, input, call, &weighed.survey, &decision)?;
    let limit = circumstances.policy.settings.performance.max_review_time_ms;
    let need = checkpointing::need(&weighed, decision.nature, &circumstances.policy);
    Ok(reviewed.with_decision(decision, &weighed.action, cache, limit).needing(need))
}

/// What a decision about a call rests on.
struct Looked<'a> {
    /// Never taken apart: a hook ends right after this.
    weighed: ManuallyDrop<Weighed<'a>>,
    circumstances: Circumstances,
    cache: CacheUse,
}

/// The session is read only where it can matter.
fn look<'a>(
    scene: &Scene,
    input: &Input<'_>,
    call: &'a Call<'_>,
    tool: &'a Tool,
    timing: Timing,
) -> Result<Looked<'a>, Failure> {
    let policy = scene.step_policy();
    let (mut weighed, cache) = weigh_or_remember(scene, &input.cwd, tool, call.input.get(), &policy)?;
    weighed.action = weighed.action.called(&call.tool);
    let mut circumstances = Circumstances::new(policy, input.agent_type.clone());
    circumstances.timing = timing;
    if weighed.needs_session(&circumstances) {
        // A journal that cannot be read cannot be written either, and then the call is not passed over in silence.
        circumstances.history = history(scene, input, call).unwrap_or_default();
        circumstances.goal = state::goal(&scene.layout, &input.session_id);
    }
    Ok(Looked { weighed: ManuallyDrop::new(weighed), circumstances, cache })
}

/// The assessment that a call of little risk did not get before it ran.
pub fn assess_later(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
) -> Result<Option<step::Assessment>, Failure> {
    let Some(tool) = Tool::parse(call) else { return Ok(None) };
    let Looked { weighed, circumstances, .. } = look(scene, input, call, &tool, Timing::After)?;
    Ok(weighed.decide(scene, &circumstances, Mode::Enforce)?.assessment)
}

/// Whether a person switched the step review off for a while.
pub fn paused(scene: &Scene) -> bool {
    let pause = state::read_json::<Pause>(&scene.homes.pause(&scene.project), 1).ok().flatten();
    pause.is_some_and(|pause| pause.until > clock::milliseconds())
}

/// A person's pause of the step review.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Pause {
    pub version: u64,
    /// Milliseconds since 1970.
    pub until: u64,
}
