//! `/review-task` and `/parse-review`: what the model is told, and the request that our agents start for.

use super::transition::{Error, act_if, content, find};
use super::work::reviews;
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{AskedReview, edit_session_task};
use crate::pure::client::{Answer, SlashCommand};
use crate::pure::policy::ReviewTrigger;
use crate::pure::step::TaskAgent;
use crate::pure::task::{State, Task, TaskAction, TaskId, TaskRefusal, TaskStatus};
use serde_json::json;

const PARSE: &str = "parse-review";
const REVIEW: &str = "review-task";

/// Whether a slash command is about the review of a task: ours, or the one that the settings name.
pub(crate) fn is_command(workspace: &Workspace, name: &str) -> bool {
    let configured = |loaded: crate::edge::config::Loaded| {
        SlashCommand::parse(&loaded.settings.review.command).is_some_and(|command| command.name == name)
    };
    [PARSE, REVIEW].contains(&name) || workspace.settings().is_ok_and(configured)
}

/// The context for a command that somebody typed.
pub(crate) fn answer_command(
    workspace: &Workspace,
    session: &str,
    command: &SlashCommand,
) -> Result<Answer, Failure> {
    note(workspace, session, command, |id| match command.name.as_str() {
        PARSE => parse(workspace, id),
        _ => match hand_in(workspace, id)? {
            Err(why) => Ok(Answer::block(why)),
            Ok(task) => preview(workspace, &task, "Task review requested."),
        },
    })
}

/// The same for a command that the model calls by itself.
pub(crate) fn by_the_model(
    workspace: &Workspace,
    session: &str,
    command: &SlashCommand,
) -> Result<Answer, Failure> {
    if !is_command(workspace, &command.name) {
        return Ok(Answer::silent());
    }
    let trigger = workspace.settings()?.settings.review.trigger;
    if trigger == ReviewTrigger::Explicit && command.name != PARSE {
        return Ok(Answer::deny(format!(
            "Plimsoll: review.trigger is explicit, so that the user asks for a review: they type {} ID",
            workspace.command(&command.name)
        )));
    }
    let answer = answer_command(workspace, session, command)?;
    // A block stops a prompt; for a tool call the same words are a denial.
    Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
}

fn parse(workspace: &Workspace, id: TaskId) -> Result<Answer, Failure> {
    let task = find(workspace, id)?;
    match task.state().review.filter(|review| review.given.is_some()) {
        None => Ok(Answer::block(format!("{id} has no review that waits to be read."))),
        Some(_) => preview(workspace, &task, "Parsing of a task review requested."),
    }
}

/// Remembers what was asked for, unless there is something against it.
fn note(
    workspace: &Workspace,
    session: &str,
    command: &SlashCommand,
    answer: impl FnOnce(TaskId) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let typed = workspace.command(&command.name);
    let Some(id) = TaskId::parse(&command.arguments) else {
        return Ok(Answer::block(format!("usage: {typed} ID; `plimsoll task list` shows the ids")));
    };
    if !reviews(workspace)? {
        return Ok(Answer::block(
            "Reviews of tasks are switched off (review.enabled): `plimsoll task done ID` completes one.",
        ));
    }
    let answer = answer(id).unwrap_or_else(|failure| Answer::block(chain(failure.as_ref())));
    if answer.reason().is_none() {
        let asked =
            AskedReview { task: id, command: format!("/{}", command.name), time: clock::milliseconds() };
        edit_session_task(&workspace.layout, session, |noted| noted.asked = Some(asked))?;
    }
    Ok(answer)
}

/// The task with its content handed in as it is now; without reviews it is complete.
pub(crate) fn submit(workspace: &Workspace, id: TaskId) -> Result<Task, Failure> {
    let reviewed = reviews(workspace)?;
    let tree = if reviewed { content(workspace)? } else { None };
    let worktree = workspace.project.to_string();
    let is_in = |state: &State| {
        state
            .submitted
            .as_ref()
            .is_some_and(|(handed_in, place)| Some(handed_in) == tree.as_ref() && *place == worktree)
    };
    act_if(workspace, id, |state| {
        let given = state.review.as_ref().is_some_and(|review| review.given.is_some());
        let as_it_is = reviewed && state.status == TaskStatus::AwaitingReview && (given || is_in(state));
        (!as_it_is).then(|| TaskAction::Submit { tree: tree.clone(), worktree: worktree.clone() })
    })
}

/// Submits the task; a refusal comes as text.
pub(crate) fn hand_in(workspace: &Workspace, id: TaskId) -> Result<Result<Task, String>, Failure> {
    match submit(workspace, id) {
        Ok(task) => Ok(Ok(task)),
        Err(failure) => match failure.downcast::<Error>() {
            Ok(error) => Ok(Err(match error.as_ref() {
                Error::Refused { refusal: TaskRefusal::Status(status), .. } => match status {
                    TaskStatus::Pending => {
                        format!("{id} is PENDING: `plimsoll task start {id}` comes first.")
                    }
                    TaskStatus::Blocked => {
                        format!(
                            "{id} is BLOCKED: a person types `plimsoll task reopen {id} --reason …` in a terminal."
                        )
                    }
                    _ => format!("{id} is {}.", status.word()),
                },
                error => error.to_string(),
            })),
            Err(failure) => Err(failure),
        },
    }
}

fn preview(workspace: &Workspace, task: &Task, heading: &str) -> Result<Answer, Failure> {
    let settings = workspace.settings()?.settings.review;
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
            "review": { "agent": agent_name(workspace, TaskAgent::Reviewer), "model": settings.model },
            "parse": { "agent": agent_name(workspace, TaskAgent::Parser), "model": "haiku" },
        },
        "then": format!("plimsoll task show {}", task.id),
    });
    Ok(Answer::context(format!("{heading}\n{}", serde_json::to_string_pretty(&context)?)))
}

fn agent_name(workspace: &Workspace, agent: TaskAgent) -> String {
    let prefix = if workspace.environment.plugin_root.is_some() { "plimsoll:" } else { "" };
    format!("{prefix}{}", agent.name())
}

/// The answer as text, for a model that typed no command.
pub(crate) fn steps(workspace: &Workspace, task: &Task) -> String {
    let id = task.id;
    format!(
        "Plimsoll: task {id} ({}) goes to review now (review.trigger is session_idle). Do exactly this and nothing else:\n\
         1. one Agent call to `{}` with `run_in_background: false`, prompt \"Review task {id}\";\n\
         2. then one Agent call to `{}` the same way, prompt \"Parse the review of task {id}\";\n\
         3. then `plimsoll task show {id}` in Bash, and end your turn with its result. Change no file in between.",
        task.definition.title,
        agent_name(workspace, TaskAgent::Reviewer),
        agent_name(workspace, TaskAgent::Parser),
    )
}
