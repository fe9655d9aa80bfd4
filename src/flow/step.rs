//! Before a tool call: event → survey → questions → decision → journal → answer.

use super::allowing::{Refused, Verdict};
use super::audit::{Answered, AuditLine};
use super::serve::{Failure, Reply, chain};
use super::weigh::{Weighed, weigh};
use super::wording::{phrase, rewritten};
use super::{after, clock, loop_agent, overriding, prompt};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Decision, Event, Input, Tool};
use crate::policy::StepMode;
use crate::state::{self, Journal, Kind, Outcome, Record, Remark, fingerprint};
use crate::step::{self, Course, Finding, Level, Mode, catalogue};
use std::time::Instant;

pub fn before_tool(bytes: &[u8]) -> Result<Reply, Failure> {
    let begun = clock::begin();
    let input = Input::parse(bytes)?;
    let Event::PreToolUse(call) = &input.event else { return Ok(Reply::new(input.name, Answer::silent())) };
    let scene = Scene::of_event(&input.cwd)?;
    let reviewed = match Tool::parse(call) {
        None => Reviewed::new(
            Answer::ask(format!(
                "Plimsoll does not understand this {} call; the user should look at it",
                call.tool
            )),
            catalogue::OPAQUE.name,
        ),
        Some(Tool::Agent(agent)) => {
            Reviewed::new(loop_agent::start(&scene, &input, &agent)?, loop_agent::CONFIRMATION)
        }
        Some(Tool::Skill { name, arguments }) => {
            Reviewed::new(prompt::by_the_model(&scene, &input, &name, &arguments)?, "")
        }
        Some(tool) => review(&scene, &input, call, &tool)?,
    };
    let recorded = record(&scene, &input, call, &reviewed, begun);
    let answer = match recorded {
        Ok(()) => reviewed.answer,
        // What is refused stays refused.
        Err(failure) if reviewed.answer.decision() == Some(Decision::Deny) => {
            let why = chain(failure.as_ref());
            reviewed.answer.with_notice(format!("Plimsoll could not record this refusal: {why}"))
        }
        Err(failure) => return Err(failure),
    };
    Ok(Reply::new(input.name, answer))
}

/// The answer to a call, and what the records keep of it.
struct Reviewed {
    answer: Answer,
    answered: Answered,
    rule: String,
    /// What would have been said if it were not only observed.
    noted: Vec<Finding>,
    weighed: Option<Weighed>,
    /// The command that it was given instead.
    rewritten: Option<String>,
    risk: Option<f64>,
}

impl Reviewed {
    /// `rule` is what the answer rests on, if it says something.
    fn new(answer: Answer, rule: &str) -> Self {
        let (answered, rule) = match answer.decision() {
            Some(Decision::Ask) => (Answered::Ask, rule),
            Some(Decision::Deny) => (Answered::Deny, rule),
            None => (Answered::Silent, ""),
        };
        let rule = rule.to_owned();
        Self { answer, answered, rule, noted: Vec::new(), weighed: None, rewritten: None, risk: None }
    }

    fn as_course(self, answered: Answered, rule: &str) -> Self {
        Self { answered, rule: rule.to_owned(), ..self }
    }
}

fn review(scene: &Scene, input: &Input<'_>, call: &Call<'_>, tool: &Tool) -> Result<Reviewed, Failure> {
    let weighed = weigh(scene, &input.cwd, tool, call.input.get())?;
    let decision = decide(scene, &weighed);
    let reviewed = match decision.findings.first() {
        None => Reviewed::new(Answer::silent(), ""),
        Some(finding) => answer(scene, input, call, &weighed, &decision, finding)?,
    };
    let risk = decision.assessment.map(|assessment| assessment.risk.score);
    Ok(Reviewed { noted: decision.noted, weighed: Some(weighed), risk, ..reviewed })
}

fn decide(scene: &Scene, weighed: &Weighed) -> step::Decision {
    let decision = weighed.decide(Mode::Enforce);
    let by_a_step_rule = decision.findings.iter().any(|finding| finding.level == Level::Step);
    if by_a_step_rule && observing(scene) { weighed.decide(Mode::Observe) } else { decision }
}

fn answer(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    weighed: &Weighed,
    decision: &step::Decision,
    finding: &Finding,
) -> Result<Reviewed, Failure> {
    let rule = finding.rule.as_str();
    let refuse = || match Refused::new(scene, input, call, finding).answer() {
        Verdict::Deny(answer) => Reviewed::new(answer, rule),
        Verdict::Ask(answer) => Reviewed::new(answer, rule).as_course(Answered::AllowOnce, rule),
    };
    Ok(match decision.course {
        Course::Allow => Reviewed::new(Answer::silent(), ""),
        Course::Warn => {
            Reviewed::new(Answer::context(phrase(finding, "")), "").as_course(Answered::Warn, rule)
        }
        Course::Modify => match rewrite(scene, input, call, finding)? {
            Some((answer, command)) => Reviewed {
                rewritten: Some(command),
                ..Reviewed::new(answer, "").as_course(Answered::Modify, rule)
            },
            None => refuse(),
        },
        Course::Ask => Reviewed::new(Answer::ask(phrase(finding, "")), rule),
        Course::Block if rule == catalogue::SHIP_GATE.name => {
            match overriding::ask_instead(scene, input, call, &weighed.survey, finding)? {
                Some(answer) => Reviewed::new(answer, rule),
                None => refuse(),
            }
        }
        Course::Block => refuse(),
    })
}

/// The same call with the safer command, told to model and person; `None` if that would not pass either.
fn rewrite(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    finding: &Finding,
) -> Result<Option<(Answer, String)>, Failure> {
    let Some(command) = finding.instead.clone().filter(|_| call.tool == "Bash") else { return Ok(None) };
    let changed = call.with_command(|_| command.clone())?;
    let tool = Tool::Bash { command: command.clone() };
    let again = weigh(scene, &input.cwd, &tool, changed.get())?.decide(Mode::Enforce);
    if again.course > Course::Warn {
        return Ok(None);
    }
    let told = rewritten(finding, &command);
    let answer = Answer::context(told.as_str()).with_notice(told).with_input(changed);
    Ok(Some((answer, command)))
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

/// Where the settings do not say how long a review may take.
const SLOW_MICROSECONDS: u32 = 100_000;

fn record(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    reviewed: &Reviewed,
    begun: Instant,
) -> Result<(), Failure> {
    let (outcome, remark) = match reviewed.answered {
        Answered::Warn => (Outcome::Context, Remark::None),
        Answered::Modify => (Outcome::Rewritten, Remark::None),
        Answered::Ask => (Outcome::Ask, Remark::None),
        Answered::AllowOnce => (Outcome::Ask, Remark::AllowedOnce),
        Answered::Deny => (Outcome::Deny, Remark::None),
        _ if reviewed.noted.is_empty() => (Outcome::Silent, Remark::None),
        _ => (Outcome::Silent, Remark::Noted),
    };
    let survey = reviewed.weighed.as_ref().map(|weighed| &weighed.survey);
    let family = reviewed.weighed.as_ref().map_or("", |weighed| weighed.family.as_str());
    let microseconds = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
    let record = Record {
        family: after::family(&call.tool, family),
        rule: fingerprint(reviewed.rule.as_bytes()),
        nature: survey.map(|survey| survey.nature).unwrap_or_default(),
        result: reviewed.rewritten.as_ref().map_or(0, |command| fingerprint(command.as_bytes())),
        remark,
        microseconds,
        slow: microseconds > SLOW_MICROSECONDS,
        ..after::record_of(Kind::Before, outcome, clock::milliseconds(), input, call)
    };
    Journal::open(&scene.layout.journal(&input.session_id))?.append(&record)?;
    let line = |answered| AuditLine {
        what: family.to_owned(),
        risk: reviewed.risk,
        ..AuditLine::new(input, call, answered)
    };
    if reviewed.answered != Answered::Silent {
        let reason = reviewed.answer.told().to_owned();
        AuditLine { rule: reviewed.rule.clone(), reason, ..line(reviewed.answered) }
            .append(scene, &input.session_id)?;
    }
    for finding in &reviewed.noted {
        let (rule, reason) = (finding.rule.as_str().to_owned(), finding.reason.clone());
        AuditLine { rule, reason, ..line(Answered::Observed) }.append(scene, &input.session_id)?;
    }
    Ok(())
}
