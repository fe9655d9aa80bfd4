//! `plimsoll task done`: the content is handed in, and where the settings say so a headless client reviews it.

use super::asking::submit;
use super::moving::known;
use crate::config::{Environment, Invocation};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::policy::{ReviewTrigger, Settings};
use crate::run::{self, How, Job};
use crate::state;
use crate::task::{Status, Task, TaskId};
use std::time::Duration;

const CLIENT: &str = "claude";
/// What a reviewing client may do without asking anybody.
const TOOLS: &str = "Agent,Task,Read,Bash(plimsoll task show:*)";
/// Besides the two agents' own time.
const AROUND: u64 = 300;
const SAID: usize = 600;

/// How handing in ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is complete, or back with its worker, or blocked.
    Settled,
    /// Somebody or something else starts the review.
    Waits(String),
    /// A review should have been made and was not.
    Unreviewed(String),
}

pub fn done(scene: &Scene, id: TaskId) -> Result<(Task, Ended), Failure> {
    let task = submit(scene, id)?;
    if task.state().status != Status::AwaitingReview {
        return Ok((task, Ended::Settled));
    }
    let settings = scene.settings()?.settings;
    let waits = |how: String| Ended::Waits(format!("{id} awaits its review: {how}"));
    match settings.review.trigger {
        ReviewTrigger::ScriptCompletion => {}
        ReviewTrigger::Explicit => {
            let command = prompt(scene, &settings, id);
            return Ok((task, waits(format!("type {command} in the client"))));
        }
        ReviewTrigger::SessionIdle => {
            return Ok((task, waits("it is made when the session that works on it ends its turn".into())));
        }
    }
    let unmade = review(scene, &settings, id)?;
    let task = known(scene, id)?;
    let ended = match task.state().status {
        Status::AwaitingReview => {
            let why = unmade.unwrap_or_else(|| "the client ended without a result".into());
            let command = prompt(scene, &settings, id);
            Ended::Unreviewed(format!(
                "{id} stays AWAITING_REVIEW: {why}. Type {command} in the client, or run `plimsoll task done {id}` again"
            ))
        }
        Status::Pending | Status::InProgress | Status::NeedsRevision | Status::Complete | Status::Blocked => {
            Ended::Settled
        }
    };
    Ok((task, ended))
}

/// Runs the configured runner to its end; why there can be no review, if there can be none.
fn review(scene: &Scene, settings: &Settings, id: TaskId) -> Result<Option<String>, Failure> {
    let argv = argv(scene, settings, id);
    let program = argv.first().cloned().unwrap_or_default();
    let deadline = Duration::from_secs(settings.loop2.timeout.saturating_mul(2).saturating_add(AROUND));
    let job = Job {
        argv,
        directory: scene.project.clone(),
        environment: environment(scene)?,
        deadline,
        slow_after: deadline,
    };
    let ended = run::run(&job, || ());
    let said = String::from_utf8_lossy(&ended.output.bytes()).into_owned();
    let said = crate::review::tamed(&crate::secret::redact(&said), SAID);
    Ok(match ended.how {
        How::Exited(0) => None,
        How::Exited(code) => Some(format!("`{program}` exited with {code}: {said}")),
        How::Signalled(signal) => Some(format!("`{program}` was ended by signal {signal}")),
        How::TimedOut => Some(format!("`{program}` took longer than {} s", deadline.as_secs())),
        How::NotFound => Some(format!("there is no `{program}` on PATH (review.runner)")),
        How::CouldNotStart(error) => Some(format!("`{program}` could not be started: {error}")),
    })
}

/// The runner with the prompt where it says `{prompt}`, else at its end.
fn argv(scene: &Scene, settings: &Settings, id: TaskId) -> Vec<String> {
    const PLACE: &str = "{prompt}";
    let prompt = prompt(scene, settings, id);
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
fn prompt(scene: &Scene, settings: &Settings, id: TaskId) -> String {
    let command = &settings.review.command;
    let name = command.strip_prefix('/').unwrap_or(command);
    let file = format!("commands/{name}.md");
    let installed = scene.project.join(".claude").join(&file).exists()
        || scene.environment.claude_home.join(&file).exists();
    let ours = name == "review-task";
    if ours && !installed { format!("/plimsoll:{name} {id}") } else { format!("/{name} {id}") }
}

/// A client of its own: nothing of the session that started us, and its programs as the client itself found them.
fn environment(scene: &Scene) -> Result<Vec<(String, String)>, Failure> {
    let invocation = Invocation::read();
    let session = invocation.session_id.unwrap_or_default();
    let recorded = match invocation.under_agent {
        true => state::read(&scene.layout, &session)?.environment,
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
