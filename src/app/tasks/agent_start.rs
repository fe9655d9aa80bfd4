//! Before one of our two agents starts: was it asked for, as itself, with our own words.

use super::agent_answer;
use super::context::TaskContextFiles;
use super::transition::{act, find, tasks};
use crate::app::failure::{Failure, chain};
use crate::app::review::agent_input::canonical;
use crate::app::review::change::Change;
use crate::app::review::loop2::{digest, folder_name, pending, sweep};
use crate::app::review::shadowed::shadowed;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{AskedReview, Pending, TaskReading, TaskStage, random_token, session_task};
use crate::pure::client::{AgentCall, Answer};
use crate::pure::review::ReviewScope;
use crate::pure::step::TaskAgent;
use crate::pure::task::{Task, TaskAction, parser_prompt, reviewer_prompt};
use camino::Utf8Path;

const FAST: &str = "haiku";
const REVIEW_ID: usize = 12;

/// The answer to the call that starts one of them: our own input for it, or why there is none.
pub(crate) fn start(event: ToolEvent<'_>, call: &AgentCall, agent: TaskAgent) -> Result<Answer, Failure> {
    let ToolEvent { workspace, input, .. } = event;
    let refuse = |why: String| Ok(Answer::deny(format!("Plimsoll [task review]: {why}.")));
    let asked = session_task(&workspace.layout, &input.session_id)?.asked;
    let Some(asked) = asked.filter(|asked| asked.is_recent(clock::milliseconds())) else {
        return refuse(format!(
            "nobody asked for the review of a task within the last hour; {} ID asks for one",
            workspace.command("review-task")
        ));
    };
    if let Err(why) =
        shadowed(agent.name(), &workspace.environment, &workspace.project, Utf8Path::new(&input.cwd))
    {
        return refuse(why);
    }
    // An agent that cannot start properly does not start at all.
    let started = match agent {
        TaskAgent::Reviewer => reviewer(event, call, &asked),
        TaskAgent::Parser => parser(event, call, &asked),
    };
    started.or_else(|failure| refuse(chain(failure.as_ref())))
}

fn reviewer(event: ToolEvent<'_>, call: &AgentCall, asked: &AskedReview) -> Result<Answer, Failure> {
    let workspace = event.workspace;
    let task = find(workspace, asked.task)?;
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let model = match &change.settings.review.model {
        Some(model) => Some(family(model).ok_or_else(|| {
            format!("review.model is \"{model}\"; the client's agents know opus, sonnet and haiku")
        })?),
        None => None,
    };
    // Remains of a crash; a failure to remove them prevents no review.
    let _ = sweep(workspace, &change);
    let review: String = random_token()?.chars().take(REVIEW_ID).collect();
    let reading = TaskReading { task: asked.task, review: review.clone(), stage: TaskStage::Reviewing };
    let mut pending = Pending {
        model: model.unwrap_or_default().to_owned(),
        task: Some(reading),
        ..pending(&event.input.session_id, &change)?
    };
    let context = TaskContextFiles::write(workspace, &change, &task, &folder_name(&pending.nonce))?;
    pending.files = context.marks.iter().map(|(name, _)| name.clone()).collect();
    pending.marks = context.marks;
    pending.folder = context.folder;
    let begun = begin(workspace, &mut pending, &change, asked, review);
    if let Err(failure) = begun {
        let _ = pending.remove(&workspace.layout);
        let _ = folder::remove(&pending.folder);
        return Err(failure);
    }
    let files: Vec<&str> = pending.files.iter().map(String::as_str).collect();
    let prompt = reviewer_prompt(
        asked.task,
        pending.folder.as_str(),
        &pending.nonce,
        &files,
        change.settings.loop2.timeout,
    );
    canonical(call, &format!("Review task {}", asked.task), &prompt, model)
}

/// The record that the answer is held against comes first: a review that is said to be under way can be answered.
fn begin(
    workspace: &Workspace,
    pending: &mut Pending,
    change: &Change,
    asked: &AskedReview,
    review: String,
) -> Result<Task, Failure> {
    pending.digest = digest(&pending.folder, pending.files.iter().map(String::as_str))?;
    pending.write(&workspace.layout, &workspace.homes)?;
    tasks(workspace).keep_changes(&review, &change.pairs)?;
    let begin = TaskAction::BeginReview {
        review,
        tree: change.snapshot.tree.clone(),
        worktree: workspace.project.to_string(),
        command: asked.command.clone(),
        model: pending.model.clone(),
    };
    act(workspace, asked.task, begin)
}

fn parser(event: ToolEvent<'_>, call: &AgentCall, asked: &AskedReview) -> Result<Answer, Failure> {
    let workspace = event.workspace;
    let task = find(workspace, asked.task)?;
    let given = task.state().review.and_then(|review| Some((review.id, review.given?)));
    let Some((review, (name, expected))) = given else {
        return Err(format!("{} has no review that waits to be read", asked.task).into());
    };
    let Some(words) = tasks(workspace).words(&name, &expected)? else {
        let why = "what the reviewer said is gone, or is not what was kept";
        agent_answer::malformed(workspace, asked.task, &review, why, None)?;
        return Err(format!("{why}; {} needs revision", asked.task).into());
    };
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let reading = TaskReading { task: asked.task, review, stage: TaskStage::Parsing };
    let pending =
        Pending { model: FAST.to_owned(), task: Some(reading), ..pending(&event.input.session_id, &change)? };
    pending.write(&workspace.layout, &workspace.homes)?;
    let prompt = parser_prompt(asked.task, &pending.nonce, &words);
    canonical(call, &format!("Parse the review of task {}", asked.task), &prompt, Some(FAST))
}

/// The word by which the client's agents know a model.
fn family(model: &str) -> Option<&'static str> {
    let model = model.to_ascii_lowercase();
    ["opus", "sonnet", "haiku"].into_iter().find(|family| model.contains(family))
}
