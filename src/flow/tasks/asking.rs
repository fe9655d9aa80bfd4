//! `/review-task` and `/parse-review`: what the model is told, and the request that our agents start for.

use super::error::Error;
use super::moving::{act_if, content, known};
use super::working::reviews;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::{Failure, chain};
use crate::hook::{Answer, SlashCommand};
use crate::policy::ReviewTrigger;
use crate::state::{AskedReview, edit_session_task};
use crate::step::TaskAgent;
use crate::task::{Action, Refusal, State, Status, Task, TaskId};
use serde_json::json;

const PARSE: &str = "parse-review";
const REVIEW: &str = "review-task";

/// Whether a slash command is about the review of a task: ours, or the one that the settings name.
pub fn is_command(scene: &Scene, name: &str) -> bool {
    let configured = |loaded: crate::config::Loaded| {
        SlashCommand::parse(&loaded.settings.review.command).is_some_and(|command| command.name == name)
    };
    [PARSE, REVIEW].contains(&name) || scene.settings().is_ok_and(configured)
}

/// The context for a command that somebody typed.
pub fn asked(scene: &Scene, session: &str, command: &SlashCommand) -> Result<Answer, Failure> {
    note(scene, session, command, |id| match command.name.as_str() {
        PARSE => parse(scene, id),
        _ => match hand_in(scene, id)? {
            Err(why) => Ok(Answer::block(why)),
            Ok(task) => preview(scene, &task, "Task review requested."),
        },
    })
}

/// The same for a command that the model calls by itself.
pub fn by_the_model(scene: &Scene, session: &str, command: &SlashCommand) -> Result<Answer, Failure> {
    if !is_command(scene, &command.name) {
        return Ok(Answer::silent());
    }
    let trigger = scene.settings()?.settings.review.trigger;
    if trigger == ReviewTrigger::Explicit && command.name != PARSE {
        return Ok(Answer::deny(format!(
            "Plimsoll: review.trigger is explicit, so that the user asks for a review: they type {} ID",
            scene.command(&command.name)
        )));
    }
    let answer = asked(scene, session, command)?;
    // A block stops a prompt; for a tool call the same words are a denial.
    Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
}

fn parse(scene: &Scene, id: TaskId) -> Result<Answer, Failure> {
    let task = known(scene, id)?;
    match task.state().review.filter(|review| review.given.is_some()) {
        None => Ok(Answer::block(format!("{id} has no review that waits to be read."))),
        Some(_) => preview(scene, &task, "Parsing of a task review requested."),
    }
}

/// Remembers what was asked for, unless there is something against it.
fn note(
    scene: &Scene,
    session: &str,
    command: &SlashCommand,
    answer: impl FnOnce(TaskId) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let typed = scene.command(&command.name);
    let Some(id) = TaskId::parse(&command.arguments) else {
        return Ok(Answer::block(format!("usage: {typed} ID; `plimsoll task list` shows the ids")));
    };
    if !reviews(scene)? {
        return Ok(Answer::block(
            "Reviews of tasks are switched off (review.enabled): `plimsoll task done ID` completes one.",
        ));
    }
    let answer = answer(id).unwrap_or_else(|failure| Answer::block(chain(failure.as_ref())));
    if answer.reason().is_none() {
        let asked =
            AskedReview { task: id, command: format!("/{}", command.name), time: clock::milliseconds() };
        edit_session_task(&scene.layout, session, |noted| noted.asked = Some(asked))?;
    }
    Ok(answer)
}

/// The task with its content handed in as it is now; without reviews it is complete.
pub(super) fn submit(scene: &Scene, id: TaskId) -> Result<Task, Failure> {
    let reviewed = reviews(scene)?;
    let tree = if reviewed { content(scene)? } else { None };
    let worktree = scene.project.to_string();
    let is_in = |state: &State| {
        state
            .submitted
            .as_ref()
            .is_some_and(|(handed_in, place)| Some(handed_in) == tree.as_ref() && *place == worktree)
    };
    act_if(scene, id, |state| {
        let given = state.review.as_ref().is_some_and(|review| review.given.is_some());
        let as_it_is = reviewed && state.status == Status::AwaitingReview && (given || is_in(state));
        (!as_it_is).then(|| Action::Submit { tree: tree.clone(), worktree: worktree.clone() })
    })
}

/// The same, with a refusal in words.
pub(super) fn hand_in(scene: &Scene, id: TaskId) -> Result<Result<Task, String>, Failure> {
    match submit(scene, id) {
        Ok(task) => Ok(Ok(task)),
        Err(failure) => match failure.downcast::<Error>() {
            Ok(error) => Ok(Err(match error.as_ref() {
                Error::Refused { refusal: Refusal::Status(status), .. } => match status {
                    Status::Pending => format!("{id} is PENDING: `plimsoll task start {id}` comes first."),
                    Status::Blocked => {
                        format!("{id} is BLOCKED: a person types `plimsoll task reopen {id}` in a terminal.")
                    }
                    _ => format!("{id} is {}.", status.word()),
                },
                error => error.to_string(),
            })),
            Err(failure) => Err(failure),
        },
    }
}

fn preview(scene: &Scene, task: &Task, heading: &str) -> Result<Answer, Failure> {
    let settings = scene.settings()?.settings.review;
    let state = task.state();
    let given = state.review.as_ref().is_some_and(|review| review.given.is_some());
    let definition = &task.definition;
    let context = json!({
        "task": task.id,
        "title": definition.title,
        "scope": definition.scope,
        "acceptance": definition.acceptance,
        "attempt": state.attempt(),
        "max_revisions": settings.max_revisions,
        "stage": if given { "parse" } else { "review" },
        "agents": {
            "review": { "agent": agent_name(scene, TaskAgent::Reviewer), "model": settings.model },
            "parse": { "agent": agent_name(scene, TaskAgent::Parser), "model": "haiku" },
        },
        "then": format!("plimsoll task show {}", task.id),
    });
    Ok(Answer::context(format!("{heading}\n{}", serde_json::to_string_pretty(&context)?)))
}

fn agent_name(scene: &Scene, agent: TaskAgent) -> String {
    let prefix = if scene.environment.plugin_root.is_some() { "plimsoll:" } else { "" };
    format!("{prefix}{}", agent.name())
}

/// The same in words, for a model that typed no command.
pub(super) fn steps(scene: &Scene, task: &Task) -> String {
    let id = task.id;
    format!(
        "Plimsoll: task {id} ({}) goes to review now (review.trigger is session_idle). Do exactly this and nothing else:\n\
         1. one Agent call to `{}` with `run_in_background: false`, prompt \"Review task {id}\";\n\
         2. then one Agent call to `{}` the same way, prompt \"Parse the review of task {id}\";\n\
         3. then `plimsoll task show {id}` in Bash, and end your turn with its result. Change no file in between.",
        task.definition.title,
        agent_name(scene, TaskAgent::Reviewer),
        agent_name(scene, TaskAgent::Parser),
    )
}
