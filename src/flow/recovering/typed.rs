//! `/recover` in the client: shows how things stand, or notes what the person wants. It decides nothing by itself.

use super::choice::Choice;
use super::status::status;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::hook::{Answer, Input};
use crate::state::{self, ProjectLock, RecoveryRequest};

pub fn typed(scene: &Scene, input: &Input<'_>, arguments: &str) -> Result<Answer, Failure> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let choice = match words.as_slice() {
        [] => return Ok(Answer::block(status(scene).trim_end())),
        [word] => Choice::parse(word),
        _ => None,
    };
    let Some(choice) = choice else {
        let names = Choice::ALL.map(Choice::name).join("|");
        return Ok(Answer::block(format!("usage: {} [{names}]", scene.command("recover"))));
    };
    let locked = ProjectLock::read(&scene.homes, &scene.layout);
    if let Some(why) = choice.unfit(&locked) {
        return Ok(Answer::block(format!("Plimsoll: {why}")));
    }
    let request = RecoveryRequest { choice: choice.name().into(), time: clock::milliseconds() };
    state::edit(&scene.layout, &input.session_id, |facts| facts.recovery = Some(request))?;
    Ok(Answer::context(format!(
        "Recovery: the user asked for {} ({}). Run exactly `{}` now, as a Bash command of its own, and nothing else. A dialog \
         opens in which they decide; nothing is approved before that. It holds for one call within ten minutes.",
        choice.name(),
        choice.meaning(),
        choice.command()
    )))
}
