//! Before a tool call: event → survey → questions → decision → journal → answer.

use super::serve::{Failure, Reply};
use super::weigh::{Circumstances, weigh};
use super::{after, clock, overriding, prompt};
use crate::flow::scene::Scene;
use crate::hook::{AgentCall, Answer, Call, Decision, Event, Input, Tool};
use crate::state::{self, Journal, Kind, Outcome};
use crate::step::{Course, Finding, Level, Mode, catalogue, loop_agent};
use serde_json::value::RawValue;

pub fn before_tool(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let Event::PreToolUse(call) = &input.event else { return Ok(Reply::new(input.name, Answer::silent())) };
    let scene = Scene::of_event(&input.cwd)?;
    let (answer, rule) = match Tool::parse(call) {
        None => (
            Answer::ask(format!(
                "Plimsoll does not understand this {} call; the user should look at it",
                call.tool
            )),
            "opaque".to_owned(),
        ),
        Some(Tool::Agent(agent)) => start_agent(&scene, &input, &agent)?,
        Some(Tool::Skill { name, arguments }) => {
            (prompt::by_the_model(&scene, &input, &name, &arguments)?, String::new())
        }
        Some(tool) => review(&scene, &input, call, &tool)?,
    };
    record(&scene, &input, call, &answer, &rule)?;
    Ok(Reply::new(input.name, answer))
}

/// The answer, and the rule that it rests on.
type Ruled = (Answer, String);

fn review(scene: &Scene, input: &Input<'_>, call: &Call<'_>, tool: &Tool) -> Result<Ruled, Failure> {
    let mut weighed = weigh(scene, &input.cwd, tool, call.input.get())?;
    weighed.action = weighed.action.called(&call.tool);
    let circumstances = Circumstances::new(scene.step_policy(), input.agent_type.clone());
    let mut decision = weighed.decide(scene, &circumstances, Mode::Enforce)?;
    if decision.findings.iter().any(|finding| finding.level == Level::Step) && paused(scene) {
        decision = weighed.decide(scene, &circumstances, Mode::Observe)?;
    }
    let Some(finding) = decision.findings.first() else {
        // What would have been said is in the audit log.
        let rule = decision.noted.first().map(|finding| finding.rule.as_str().to_owned());
        return Ok((Answer::silent(), rule.unwrap_or_default()));
    };
    let rule = finding.rule.as_str().to_owned();
    let answer = match decision.course {
        Course::Allow | Course::Warn | Course::Modify => Answer::silent(),
        Course::Ask => Answer::ask(phrase(finding)),
        Course::Block if rule == catalogue::SHIP_GATE.name => {
            let overridden = overriding::ask_instead(scene, input, call, &weighed.survey, finding)?;
            overridden.unwrap_or_else(|| Answer::deny(phrase(finding)))
        }
        Course::Block => Answer::deny(phrase(finding)),
    };
    Ok((answer, rule))
}

/// What is refused, which rule, what to do instead; short, since the model reads it in full.
fn phrase(finding: &Finding) -> String {
    const LONGEST: usize = 290;
    let text = format!("Plimsoll [{}]: {}", finding.rule.as_str(), finding.reason);
    if text.chars().count() <= LONGEST {
        text
    } else {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    }
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

/// Our loop agents start only after a person said yes, and always with our own words.
fn start_agent(scene: &Scene, input: &Input<'_>, agent: &AgentCall) -> Result<Ruled, Failure> {
    let Some(ours) = loop_agent(&agent.subagent_type) else { return Ok((Answer::silent(), String::new())) };
    let review = scene.command("review");
    let asked = state::read(&scene.layout, &input.session_id)?.review;
    let Some(request) = asked.filter(|request| request.is_recent(clock::milliseconds())) else {
        return Ok((
            Answer::deny(format!(
                "Plimsoll [confirmation]: nobody asked for a review within the last hour. The user starts one with {review}"
            )),
            "confirmation".to_owned(),
        ));
    };
    if !request.confirmed && request.passed_over {
        let reason = format!(
            "Plimsoll [confirmation]: the user has not confirmed this review, and said other things since. Ask \"Proceed with \
             review?\" in a dialog, or have them type {review} again"
        );
        return Ok((Answer::deny(reason), "confirmation".to_owned()));
    }
    if !request.confirmed {
        let reason = "Plimsoll [confirmation]: the user has not confirmed this review yet. Show the preview, ask \"Proceed with review?\" and wait for their yes";
        return Ok((Answer::deny(reason), "confirmation".to_owned()));
    }
    if !request.loops.contains(&ours.number) {
        let reason = format!(
            "Plimsoll [confirmation]: loop {} is not part of the review that the user asked for",
            ours.number
        );
        return Ok((Answer::deny(reason), "confirmation".to_owned()));
    }
    let canonical = serde_json::json!({
        "description": format!("Review loop {}", ours.number),
        "prompt": ours.prompt(&request.options),
        "subagent_type": agent.subagent_type,
        "run_in_background": false,
    });
    Ok((Answer::silent().with_input(RawValue::from_string(canonical.to_string())?), String::new()))
}

fn record(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    answer: &Answer,
    rule: &str,
) -> Result<(), Failure> {
    let outcome = match answer.decision() {
        Some(Decision::Ask) => Outcome::Ask,
        Some(Decision::Deny) => Outcome::Deny,
        None => Outcome::Silent,
    };
    let time = clock::milliseconds();
    let record = after::record_of(Kind::Before, outcome, time, input, call);
    Journal::open(&scene.layout.journal(&input.session_id))?.append(&record)?;
    if !rule.is_empty() || answer.decision().is_some() {
        after::audit(scene, input, call, outcome, rule, answer.reason().unwrap_or_default())?;
    }
    Ok(())
}
