//! `plimsoll task done`: the content is handed in, and where the settings say so a headless client reviews it.

use super::request::submit;
use super::transition::{content, find};
use crate::app::failure::Failure;
use crate::app::gate::judge;
use crate::app::workspace::Workspace;
use crate::edge::config::{Environment, HookInvocation};
use crate::edge::run::{self, ExitKind, Job};
use crate::edge::state;
use crate::pure::policy::{LoopNumber, ReviewTrigger, Settings};
use crate::pure::task::{Task, TaskId, TaskStatus};
use crate::pure::text::quoted_where_needed;
use std::time::Duration;

const CLIENT: &str = "claude";
/// The tools that a reviewing client may use without asking.
const TOOLS: &str = "Agent,Task,Read,Bash(plimsoll task show:*)";
/// Besides the two agents' own time.
const AROUND: u64 = 300;
const SAID: usize = 600;

/// How handing in ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Submission {
    /// It is complete, or back with its worker, or blocked.
    Settled,
    /// Somebody or something else starts the review.
    Waits(String),
    /// A review should have been made and was not.
    Unreviewed(String),
}

/// The programs that handing in a task will start.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SubmissionPlan {
    /// Loop 1: the reviewer is to get results, and there are none of this content.
    pub checks: bool,
    /// The command that makes the review, as one would type it.
    pub runner: Option<String>,
}

/// Empty where the task cannot be handed in: `done` says why.
pub fn plan(workspace: &Workspace, id: TaskId) -> Result<SubmissionPlan, Failure> {
    let settings = workspace.settings()?.settings;
    let ready = [TaskStatus::InProgress, TaskStatus::NeedsRevision, TaskStatus::AwaitingReview]
        .contains(&find(workspace, id)?.state().status);
    if !ready || !settings.review.enabled {
        return Ok(SubmissionPlan::default());
    }
    let context = &settings.review.context;
    let wants_results = context.include_test_results || context.include_lint_results;
    let checks = match content(workspace)?.filter(|_| wants_results) {
        Some(tree) => judge::evidence(workspace)?.run(LoopNumber::One, &tree).is_none(),
        None => false,
    };
    let by_us = settings.review.trigger == ReviewTrigger::ScriptCompletion;
    let command = || {
        let words = argv(workspace, &settings, id);
        words.iter().map(|word| quoted_where_needed(word)).collect::<Vec<_>>().join(" ")
    };
    Ok(SubmissionPlan { checks, runner: by_us.then(command) })
}

pub fn done(workspace: &Workspace, id: TaskId) -> Result<(Task, Submission), Failure> {
    let task = submit(workspace, id)?;
    if task.state().status != TaskStatus::AwaitingReview {
        return Ok((task, Submission::Settled));
    }
    let settings = workspace.settings()?.settings;
    let waits = |how: String| Submission::Waits(format!("{id} awaits its review: {how}"));
    match settings.review.trigger {
        ReviewTrigger::ScriptCompletion => {}
        ReviewTrigger::Explicit => {
            let command = prompt(workspace, &settings, id);
            return Ok((task, waits(format!("type {command} in the client"))));
        }
        ReviewTrigger::SessionIdle => {
            return Ok((task, waits("it is made when the session that works on it ends its turn".into())));
        }
    }
    let unmade = review(workspace, &settings, id)?;
    let task = find(workspace, id)?;
    let ended = match task.state().status {
        TaskStatus::AwaitingReview => {
            let why = unmade.unwrap_or_else(|| "the client ended without a result".into());
            let command = prompt(workspace, &settings, id);
            Submission::Unreviewed(format!(
                "{id} stays AWAITING_REVIEW: {why}. Type {command} in the client, or run `plimsoll task done {id}` again"
            ))
        }
        TaskStatus::Pending
        | TaskStatus::InProgress
        | TaskStatus::NeedsRevision
        | TaskStatus::Complete
        | TaskStatus::Blocked => Submission::Settled,
    };
    Ok((task, ended))
}

/// Runs the configured runner to its end; why there can be no review, if there can be none.
fn review(workspace: &Workspace, settings: &Settings, id: TaskId) -> Result<Option<String>, Failure> {
    let argv = argv(workspace, settings, id);
    let program = argv.first().cloned().unwrap_or_default();
    let deadline = Duration::from_secs(settings.loop2.timeout.saturating_mul(2).saturating_add(AROUND));
    let job = Job {
        argv,
        directory: workspace.project.clone(),
        environment: environment(workspace)?,
        deadline,
        slow_after: deadline,
    };
    let ended = run::run(&job, || ());
    let said = String::from_utf8_lossy(&ended.output.bytes()).into_owned();
    let said = crate::pure::review::sanitize(&crate::pure::secret::redact(&said), SAID);
    let failure = ended.how.failure(&format!("`{program}`"), deadline);
    Ok(failure.map(|why| match (&ended.how, said.is_empty()) {
        (ExitKind::NotFound, _) => format!("{why} on PATH (review.runner)"),
        (_, true) => why,
        (_, false) => format!("{why}: {said}"),
    }))
}

/// The runner with the prompt where it says `{prompt}`, else at its end.
fn argv(workspace: &Workspace, settings: &Settings, id: TaskId) -> Vec<String> {
    const PLACE: &str = "{prompt}";
    let prompt = prompt(workspace, settings, id);
    let runner = &settings.review.runner;
    if runner.is_empty() {
        return [CLIENT, "-p", &prompt, "--permission-mode", "default", "--allowedTools", TOOLS]
            .map(str::to_owned)
            .to_vec();
    }
    let mut argv: Vec<String> = runner.iter().map(|word| word.replace(PLACE, &prompt)).collect();
    if !runner.iter().any(|word| word.contains(PLACE)) {
        argv.push(prompt);
    }
    argv
}

/// The command as it is installed: bare in a project or home, with the plugin's name else.
fn prompt(workspace: &Workspace, settings: &Settings, id: TaskId) -> String {
    let command = &settings.review.command;
    let name = command.strip_prefix('/').unwrap_or(command);
    let file = format!("commands/{name}.md");
    let installed = workspace.project.join(".claude").join(&file).exists()
        || workspace.environment.claude_home.join(&file).exists();
    let ours = name == "review-task";
    if ours && !installed { format!("/plimsoll:{name} {id}") } else { format!("/{name} {id}") }
}

/// A client of its own: nothing of the session that started us, and its programs as the client itself found them.
fn environment(workspace: &Workspace) -> Result<Vec<(String, String)>, Failure> {
    let invocation = HookInvocation::read();
    let session = invocation.session_id.unwrap_or_default();
    let recorded = match invocation.under_agent {
        true => state::read(&workspace.layout, &session)?.environment,
        false => Vec::new(),
    };
    let known = |name: &str| recorded.iter().any(|(known, _)| known == name);
    let foreign = |name: &str| {
        name == "CLAUDECODE"
            || name == "CLAUDE_PROJECT_DIR"
            || name.starts_with("CLAUDE_CODE_SESSION")
            || name == "CLAUDE_CODE_ENTRYPOINT"
            || name.starts_with("GIT_") && name != "GIT_CONFIG_GLOBAL" && name != "GIT_CONFIG_NOSYSTEM"
    };
    let own = Environment::variables().into_iter().filter(|(name, _)| !foreign(name) && !known(name));
    Ok(own.chain(recorded.clone()).collect())
}
