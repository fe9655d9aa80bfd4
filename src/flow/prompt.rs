//! A prompt: our commands get their context, a yes confirms a review, anything else is the goal.

use super::serve::{Failure, Reply};
use super::ship::ship_context;
use super::{after, allowing, asking, clock, intervening, recovering, tasks};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Event, Input, SlashCommand, is_machine_text, is_yes};
use crate::review::{GitPath, words};
use crate::secret::Redacted;
use crate::state::{self, Journal, Kind, Outcome, OverrideRequest, Record, ReviewRequest};

/// A goal is a reminder, not an archive.
const GOAL_LIMIT: usize = 2_000;
/// Commands that ask for loops.
const ASK_FOR_LOOPS: [&str; 2] = ["review", "reconcile"];

/// `user-prompt-start`: records the goal, and a yes to a pending review.
pub fn start(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let Event::UserPromptSubmit { prompt } = &input.event else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    if is_machine_text(prompt) {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let scene = Scene::of_event(&input.cwd)?;
    Journal::open(&scene.layout.journal(&input.session_id))?.append(&Record::new(
        Kind::Prompt,
        Outcome::None,
        clock::milliseconds(),
    ))?;
    state::remove(&scene.layout.captured(&input.session_id))?;
    let command = SlashCommand::parse(prompt);
    let goal = if is_yes(prompt) || command.is_some() { "" } else { prompt };
    let watched = intervening::prompted(&scene, &input, goal);
    if is_yes(prompt) {
        after::confirm(&scene, &input.session_id, |review| !review.passed_over)?;
        return told(&scene, input, watched);
    }
    state::edit(&scene.layout, &input.session_id, |facts| {
        // The hook that answers these runs at the same time; what it notes is the newer request.
        if let Some(review) = &mut facts.review
            && command.as_ref().is_none_or(|command| !ASK_FOR_LOOPS.contains(&command.name.as_str()))
        {
            review.passed_over = true;
        }
        if command.is_none() {
            facts.goal = Some(goal_of(prompt));
        }
    })?;
    told(&scene, input, watched)
}

fn goal_of(prompt: &str) -> Redacted {
    Redacted::beginning(prompt, 4 * GOAL_LIMIT, |text| text.chars().take(GOAL_LIMIT).collect())
}

/// What the session has to hear about the task it works on.
fn told(scene: &Scene, input: Input<'_>, watched: Answer) -> Result<Reply, Failure> {
    let told = tasks::tell(scene, &input.session_id)?;
    Ok(Reply::new(input.name, watched.joined(told.map_or_else(Answer::silent, Answer::context))))
}

/// `user-prompt-review`: the context for `/review` and `/reconcile`, and for the review of a task.
pub fn review(bytes: &[u8]) -> Result<Reply, Failure> {
    addressed(bytes, &ASK_FOR_LOOPS, Some(tasks::is_command), |scene, input, command| {
        if !ASK_FOR_LOOPS.contains(&command.name.as_str()) {
            return tasks::asked(scene, &input.session_id, command);
        }
        let (answer, request) = match command.name.as_str() {
            "reconcile" => asking::reconcile(scene, &command.arguments)?,
            _ => asking::review(scene, &command.arguments)?,
        };
        state::edit(&scene.layout, &input.session_id, |facts| facts.review = request)?;
        Ok(answer)
    })
}

/// `user-prompt-ship`: the gate's answer for `/ship`, and the wishes behind `/allow` and `/recover`.
pub fn ship(bytes: &[u8]) -> Result<Reply, Failure> {
    addressed(bytes, &["ship", "allow", "recover"], None, |scene, input, command| {
        match command.name.as_str() {
            "allow" => allowing::typed(scene, &command.arguments),
            "recover" => recovering::typed(scene, input, &command.arguments),
            _ => answer_ship(scene, input, &command.arguments),
        }
    })
}

fn answer_ship(scene: &Scene, input: &Input<'_>, arguments: &str) -> Result<Answer, Failure> {
    let options = match ShipOptions::parse(arguments) {
        Ok(options) => options,
        Err(problem) => {
            return Ok(Answer::block(format!(
                "{problem}\nusage: {} [--leave-out PATH]… [--override \"reason\"]",
                scene.command("ship")
            )));
        }
    };
    if let Some(reason) = &options.r#override {
        let request = OverrideRequest { reason: Redacted::new(reason), time: clock::milliseconds() };
        state::edit(&scene.layout, &input.session_id, |facts| facts.r#override = Some(request))?;
    }
    let mut text = ship_context(scene, &options.leave_out)?;
    if let Some(reason) = options.r#override {
        text += &format!(
            "\nThe user asked to override the gate (\"{reason}\"). The next `git push` that is a command of its own opens a \
             dialog in which they decide; nothing is approved before that.\n"
        );
    }
    Ok(Answer::context(text))
}

/// A command that the model invokes by itself gets the same context, but nobody has confirmed it.
pub fn by_the_model(
    scene: &Scene,
    input: &Input<'_>,
    name: &str,
    arguments: &str,
) -> Result<Answer, Failure> {
    match SlashCommand::new(name, arguments).name.as_str() {
        "review" => {
            let (answer, request) = asking::review(scene, arguments)?;
            let request = request.map(|request| ReviewRequest { confirmed: false, ..request });
            state::edit(&scene.layout, &input.session_id, |facts| facts.review = request)?;
            // A block stops a prompt; for a tool call the same words are a denial.
            Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
        }
        "reconcile" => {
            let (answer, request) = asking::reconcile(scene, arguments)?;
            let request = request.map(|request| ReviewRequest { confirmed: false, ..request });
            state::edit(&scene.layout, &input.session_id, |facts| {
                // A review that the person asked for goes on.
                let asked = facts.review.as_ref().is_some_and(|asked| asked.is_recent(clock::milliseconds()));
                if !asked {
                    facts.review = request;
                }
            })?;
            Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
        }
        "ship" => Ok(Answer::deny(format!(
            "Plimsoll: shipping is the user's decision. They type {}",
            scene.command("ship")
        ))),
        "allow" => Ok(Answer::deny(format!(
            "Plimsoll: letting a refused step run is the user's decision. They type {} and its id",
            scene.command("allow")
        ))),
        "recover" => Ok(Answer::deny(format!(
            "Plimsoll: how a stopped project goes on is the user's decision. They type {}",
            scene.command("recover")
        ))),
        _ => tasks::by_the_model(scene, &input.session_id, &SlashCommand::new(name, arguments)),
    }
}

/// Runs `act` if the prompt is one of these commands, once per prompt whichever of its two events comes first.
fn addressed(
    bytes: &[u8],
    names: &[&str],
    configured: Option<fn(&Scene, &str) -> bool>,
    act: impl FnOnce(&Scene, &Input<'_>, &SlashCommand) -> Result<Answer, Failure>,
) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let command = match &input.event {
        Event::UserPromptSubmit { prompt } => SlashCommand::parse(prompt),
        Event::UserPromptExpansion { command, arguments } => Some(SlashCommand::new(command, arguments)),
        _ => None,
    };
    let is_named = |command: &SlashCommand| names.contains(&command.name.as_str());
    let Some(command) = command.filter(|command| configured.is_some() || is_named(command)) else {
        return Ok(Reply::new(input.name, Answer::silent()));
    };
    let scene = Scene::of_event(&input.cwd)?;
    if !is_named(&command) && configured.is_none_or(|configured| !configured(&scene, &command.name)) {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let prompt = input.prompt_id.clone().unwrap_or_else(|| format!("{} {}", command.name, command.arguments));
    if !state::edit(&scene.layout, &input.session_id, |facts| facts.first_time(&command.name, &prompt))? {
        return Ok(Reply::new(input.name, Answer::silent()));
    }
    let answer = act(&scene, &input, &command)?;
    Ok(Reply::new(input.name, answer))
}

/// What stands behind `/ship`.
#[derive(Debug, Default, PartialEq, Eq)]
struct ShipOptions {
    leave_out: Vec<GitPath>,
    r#override: Option<String>,
}

impl ShipOptions {
    fn parse(arguments: &str) -> Result<Self, String> {
        let mut words = words(arguments).map_err(|error| error.to_string())?.into_iter();
        let mut options = Self::default();
        while let Some(word) = words.next() {
            let value = match word.as_str() {
                "--leave-out" | "--override" => words.next().ok_or(format!("`{word}` needs a value"))?,
                other => return Err(format!("unknown option `{other}`")),
            };
            match word.as_str() {
                "--leave-out" => options.leave_out.push(GitPath::new(&value)),
                _ if value.trim().is_empty() => return Err("an override needs a reason".into()),
                _ => options.r#override = Some(value),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_without_a_reason_is_no_override() {
        assert!(ShipOptions::parse("--override").is_err());
        assert!(ShipOptions::parse("--override ''").is_err());
        assert!(ShipOptions::parse("--force").is_err());
        let options = ShipOptions::parse("--leave-out 'a b' --override \"hot fix\"").unwrap();
        assert_eq!(options.r#override.as_deref(), Some("hot fix"));
        assert_eq!(options.leave_out, [GitPath::new("a b")]);
    }
}
