//! Before a tool call: event → survey → questions → decision → journal → answer.

use super::serve::{Failure, Reply};
use super::{after, clock, door, overriding, prompt};
use crate::flow::scene::{Scene, real_path};
use crate::hook::{AgentCall, Answer, Call, Decision, Event, Input, Tool};
use crate::policy::StepMode;
use crate::repo::{Git, alias, read_text};
use crate::state::{self, Journal, Kind, Outcome};
use crate::step::{
    Action, Addressed, Known, Level, Mode, Place, Question, Refusal, Ruling, decide, loop_agent, survey,
};
use serde_json::value::RawValue;

/// A script that is longer is looked at as far as this.
const SCRIPT_LIMIT: u64 = 64 * 1024;
/// Aliases may lead to scripts and scripts to aliases; after this many rounds it is opaque.
const ROUNDS: usize = 3;

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
            "opaque",
        ),
        Some(Tool::Agent(agent)) => start_agent(&scene, &input, &agent)?,
        Some(Tool::Skill { name, arguments }) => {
            (prompt::by_the_model(&scene, &input, &name, &arguments)?, "")
        }
        Some(tool) => review(&scene, &input, call, &tool)?,
    };
    record(&scene, &input, call, &answer, rule)?;
    Ok(Reply::new(input.name, answer))
}

/// The answer, and the rule that it rests on.
type Ruled = (Answer, &'static str);

fn review(scene: &Scene, input: &Input<'_>, call: &Call<'_>, tool: &Tool) -> Result<Ruled, Failure> {
    let mut place = scene.place(&input.cwd);
    let mut known = Known::default();
    let action = Action::read(tool, call.input.get());
    let mut looked = survey(&action, &place, &known);
    for _ in 0..ROUNDS {
        if looked.questions.is_empty() {
            break;
        }
        for question in looked.questions {
            answer(scene, &mut place, &mut known, question)?;
        }
        looked = survey(&action, &place, &known);
    }
    if !looked.questions.is_empty() {
        return Ok((
            Answer::ask(
                "Plimsoll followed this command through too many aliases and scripts; the user should look at it",
            ),
            "opaque",
        ));
    }
    // A way around the gate counts where the push goes from, whatever repository the session began in.
    if known.gate.values().any(|word| word.gated) {
        known.gated = Some(true);
    }
    let ruling = match decide(&looked.effects, &place, &known, Mode::Enforce) {
        // What would have been said is in the audit log; what is firmer than a step rule is said all the same.
        Ruling::Deny(Refusal { level: Level::Step, rule, .. })
        | Ruling::Ask(Refusal { level: Level::Step, rule, .. })
            if observing(scene) =>
        {
            match decide(&looked.effects, &place, &known, Mode::Observe) {
                Ruling::Silent => return Ok((Answer::silent(), rule)),
                firmer => firmer,
            }
        }
        ruling => ruling,
    };
    match ruling {
        Ruling::Silent => Ok((Answer::silent(), "")),
        Ruling::Ask(refusal) => Ok((Answer::ask(phrase(&refusal)), refusal.rule)),
        Ruling::Deny(refusal) if refusal.rule == "ship-gate" => {
            let overridden = overriding::ask_instead(scene, input, call, &looked.effects, &refusal)?;
            Ok((overridden.unwrap_or_else(|| Answer::deny(phrase(&refusal))), refusal.rule))
        }
        Ruling::Deny(refusal) => Ok((Answer::deny(phrase(&refusal)), refusal.rule)),
    }
}

/// What is refused, which rule, what to do instead; short, since the model reads it in full.
fn phrase(refusal: &Refusal) -> String {
    const LONGEST: usize = 290;
    let text = format!("Plimsoll [{}]: {}", refusal.rule, refusal.reason);
    if text.chars().count() <= LONGEST {
        text
    } else {
        text.chars().take(LONGEST - 1).chain(['…']).collect()
    }
}

/// Whether rules above floor and gate are only noted. Unreadable settings enforce.
fn observing(scene: &Scene) -> bool {
    let paused = state::read_json::<Pause>(&scene.homes.pause(&scene.project), 1)
        .ok()
        .flatten()
        .is_some_and(|pause| pause.until > clock::milliseconds());
    paused
        || scene.settings().is_ok_and(|loaded| {
            !loaded.settings.step_reviewer.enabled || loaded.settings.step_reviewer.mode != StepMode::Blocking
        })
}

/// A person's pause of the step review.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Pause {
    pub version: u64,
    /// Milliseconds since 1970.
    pub until: u64,
}

fn answer(scene: &Scene, place: &mut Place, known: &mut Known, question: Question) -> Result<(), Failure> {
    match question {
        Question::Script(path) => {
            let text = read_text(&path, SCRIPT_LIMIT);
            known.scripts.insert(path, text);
        }
        Question::Alias(repository, name) => {
            let text = match &repository {
                Addressed::Directory(directory) => match crate::repo::Repo::discover(directory) {
                    Ok(Some(repo)) => alias(&Git::open(repo), &name)?,
                    Ok(None) | Err(_) => None,
                },
                Addressed::Unknown => None,
            };
            known.aliases.insert((repository, name), text);
        }
        Question::Real(path) => {
            let real = real_path(&path);
            scene.protect_around(&real, &mut place.protected);
            known.real.insert(path, real);
        }
        Question::Gated => {
            let bound = |scene: Scene| scene.enrolment().map(|enrolment| enrolment.is_some());
            let here = scene.of_directory(&place.cwd)?.map(bound).transpose()?;
            known.gated = Some(scene.enrolment()?.is_some() || here == Some(true));
        }
        Question::Gate(what) => {
            let word = door::word(scene, &what)?;
            known.gate.insert(what, word);
        }
    }
    Ok(())
}

/// Our loop agents start only after a person said yes, and always with our own words.
fn start_agent(scene: &Scene, input: &Input<'_>, agent: &AgentCall) -> Result<Ruled, Failure> {
    let Some(ours) = loop_agent(&agent.subagent_type) else { return Ok((Answer::silent(), "")) };
    let review = scene.command("review");
    let asked = state::read(&scene.layout, &input.session_id)?.review;
    let Some(request) = asked.filter(|request| request.is_recent(clock::milliseconds())) else {
        return Ok((
            Answer::deny(format!(
                "Plimsoll [confirmation]: nobody asked for a review within the last hour. The user starts one with {review}"
            )),
            "confirmation",
        ));
    };
    if !request.confirmed && request.passed_over {
        let reason = format!(
            "Plimsoll [confirmation]: the user has not confirmed this review, and said other things since. Ask \"Proceed with \
             review?\" in a dialog, or have them type {review} again"
        );
        return Ok((Answer::deny(reason), "confirmation"));
    }
    if !request.confirmed {
        let reason = "Plimsoll [confirmation]: the user has not confirmed this review yet. Show the preview, ask \"Proceed with review?\" and wait for their yes";
        return Ok((Answer::deny(reason), "confirmation"));
    }
    if !request.loops.contains(&ours.number) {
        let reason = format!(
            "Plimsoll [confirmation]: loop {} is not part of the review that the user asked for",
            ours.number
        );
        return Ok((Answer::deny(reason), "confirmation"));
    }
    let canonical = serde_json::json!({
        "description": format!("Review loop {}", ours.number),
        "prompt": ours.prompt(&request.options),
        "subagent_type": agent.subagent_type,
        "run_in_background": false,
    });
    Ok((Answer::silent().with_input(RawValue::from_string(canonical.to_string())?), ""))
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
