//! Allow once: a person's wish turns one refused step into a question that only a person can answer.

use super::audit::secrets_of;
use super::clock;
use super::serve::Failure;
use super::wording::phrase;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input};
use crate::state::{Allowed, Denial, Denials, Named};
use crate::step::{Finding, Level};

/// A refused step, as the wish for it would name it.
pub struct Refused<'a> {
    pub scene: &'a Scene,
    pub finding: &'a Finding,
    call: &'a Call<'a>,
    action: String,
}

/// The answer to a refused step.
pub enum Verdict {
    /// The refusal stands.
    Deny(Answer),
    /// A person wanted it to be asked.
    Ask(Answer),
}

impl<'a> Refused<'a> {
    pub fn new(scene: &'a Scene, input: &Input<'_>, call: &'a Call<'_>, finding: &'a Finding) -> Self {
        let action = Denials::action(&[&call.tool, &input.cwd, &essence(call)]);
        Self { scene, finding, call, action }
    }

    /// The refusal, or the question that takes its place. That the refusal could not be noted does not soften it.
    pub fn answer(&self) -> Verdict {
        let denials = Denials::of(&self.scene.homes, &self.scene.project);
        let firm = self.finding.level != Level::Step;
        let mut notice = None;
        if !firm {
            match denials.take(&self.action, clock::milliseconds()) {
                Ok(Allowed::Yes) => {
                    return Verdict::Ask(Answer::ask(phrase(
                        self.finding,
                        "You allowed this once. Run it now?",
                    )));
                }
                Ok(Allowed::Damaged(path)) => {
                    notice =
                        Some(format!("Plimsoll ignored a damaged allowance, {path}; allow the step again"));
                }
                Ok(Allowed::No) | Err(_) => {}
            }
        }
        let reason = secrets_of(self.call).redact(&self.finding.reason);
        let denial =
            Denial::new(clock::milliseconds(), &self.call.tool, self.finding.rule.as_str(), reason, firm);
        let id = denials.note(&self.action, &denial, clock::system()).ok().filter(|_| !firm);
        let end =
            id.map(|id| format!("To let it run once, the user types {} {id}", self.scene.command("allow")));
        let answer = Answer::deny(phrase(self.finding, &end.unwrap_or_default()));
        Verdict::Deny(match notice {
            Some(notice) => answer.with_notice(notice),
            None => answer,
        })
    }
}

/// What a call does, without what is said about it.
fn essence(call: &Call<'_>) -> String {
    let raw = call.input.get();
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(raw) {
        Ok(mut input) => {
            if call.tool == "Bash" {
                input.remove("description");
            }
            serde_json::to_string(&input).unwrap_or_else(|_| raw.to_owned())
        }
        Err(_) => raw.to_owned(),
    }
}

/// What became of a person's wish.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    /// The next refusal of exactly this step becomes a question.
    Granted(Denial),
    /// In words for the person.
    Refused(String),
}

/// Notes the wish to let the step of this id run once.
pub fn allow(scene: &Scene, id: &str) -> Result<Wish, Failure> {
    let denials = Denials::of(&scene.homes, &scene.project);
    Ok(match denials.named(id) {
        Named::Nothing => Wish::Refused(format!(
            "no step with the id {id} was refused in {} within a day; `plimsoll allow` lists those that were",
            scene.project
        )),
        Named::Several => Wish::Refused(format!("{id} names more than one refused step; type more of it")),
        Named::One { denial, .. } if denial.firm => Wish::Refused(format!(
            "{} belongs to the floor or to the ship gate and holds in any case. What has to be done in spite of it, a person \
             does in a terminal; for a push there is {} --override \"reason\"",
            denial.rule,
            scene.command("ship")
        )),
        Named::One { action, denial } => {
            denials.allow(&action, clock::milliseconds())?;
            Wish::Granted(denial)
        }
    })
}

/// `/allow` in the client.
pub fn typed(scene: &Scene, arguments: &str) -> Result<Answer, Failure> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let [id] = words.as_slice() else {
        let usage = format!("usage: {} ID\n{}", scene.command("allow"), listing(scene));
        return Ok(Answer::block(usage.trim_end()));
    };
    Ok(match allow(scene, id)? {
        Wish::Refused(why) => Answer::block(format!("Plimsoll: {why}")),
        Wish::Granted(denial) => Answer::context(format!(
            "Allow once: the user asked to let the refused step {id} ({} call, rule {}) run. Repeat exactly that call now, with \
             the same input, in the same directory. A dialog opens in which they decide; nothing is approved before that. It \
             holds for one call within ten minutes.",
            denial.tool, denial.rule
        )),
    })
}

/// The refusals of the last day, the newest first.
pub fn listing(scene: &Scene) -> String {
    let recent = Denials::of(&scene.homes, &scene.project).recent();
    let mut text = String::new();
    if recent.denials.is_empty() {
        text += &format!("No step was refused in {} within a day.\n", scene.project);
    }
    for (id, denial) in &recent.denials {
        let id = if denial.firm { "holds" } else { id };
        let Denial { tool, rule, reason, .. } = denial;
        let line = format!("{id:<8} {}  {tool} [{rule}]: {reason}", clock::moment(denial.time));
        // A tool's name and a reason may quote what the agent wrote; nothing of it may steer the terminal.
        text += &format!("{}\n", line.replace(char::is_control, " "));
    }
    for path in &recent.damaged {
        text += &format!("damaged and ignored: {path}\n");
    }
    text
}
