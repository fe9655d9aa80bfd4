//! What a worker or a person does to a task: none of it records a review.

use super::moving::{act, content, known, rules, tasks};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::secret::redact;
use crate::state::{SessionTask, TaskList, edit_session_task, session_task};
use crate::task::{Action, Definition, Event, State, Task, TaskId, What, Worker};

pub fn list(scene: &Scene) -> Result<TaskList, Failure> {
    Ok(tasks(scene).read()?)
}

pub fn show(scene: &Scene, id: TaskId) -> Result<Task, Failure> {
    known(scene, id)
}

pub fn add(scene: &Scene, definition: Definition) -> Result<Task, Failure> {
    let definition = without_secrets(definition).checked()?;
    let tasks = tasks(scene);
    let _lock = tasks.lock()?;
    let list = tasks.read()?;
    let added = Event { sequence: list.sequence() + 1, time: clock::milliseconds(), what: What::Added };
    let task = Task { id: TaskId::new(list.highest + 1), definition, source: None, history: vec![added] };
    tasks.write(&task)?;
    Ok(task)
}

/// As it is kept: what is not kept is not compared either.
pub(super) fn without_secrets(definition: Definition) -> Definition {
    let list = |entries: Vec<String>| entries.iter().map(|entry| redact(entry)).collect();
    Definition {
        title: redact(&definition.title),
        scope: list(definition.scope),
        acceptance: list(definition.acceptance),
        notes: redact(&definition.notes),
    }
}

/// From now on the session works on it, and keeps to its scope.
pub fn begin(scene: &Scene, id: TaskId, session: Option<String>, take_over: bool) -> Result<Task, Failure> {
    known(scene, id)?;
    if let Some(session) = &session {
        // First: a note about a task that the session does not work on means nothing, the other way round would.
        let tree = content(scene)?;
        edit_session_task(&scene.layout, session, |noted| {
            if noted.working != Some(id) {
                *noted =
                    SessionTask { working: Some(id), asked: noted.asked.take(), ..SessionTask::default() };
            }
            // What is there before anybody worked needs no review.
            noted.idle = tree;
        })?;
    }
    let worker = Worker { session, worktree: scene.project.to_string() };
    act(scene, id, Action::Start { worker, take_over })
}

pub fn release(scene: &Scene, id: TaskId) -> Result<Task, Failure> {
    act(scene, id, Action::Release)
}

pub fn withdraw(scene: &Scene, id: TaskId) -> Result<Task, Failure> {
    act(scene, id, Action::Withdraw)
}

pub fn block(scene: &Scene, id: TaskId, reason: &str) -> Result<Task, Failure> {
    act(scene, id, Action::Block { reason: reason.to_owned() })
}

/// For a person: whoever calls this has made sure of that.
pub fn reopen(scene: &Scene, id: TaskId, reason: &str) -> Result<Task, Failure> {
    act(scene, id, Action::Reopen { reason: reason.to_owned() })
}

/// Blocks what the session works on, if it works on anything.
pub fn block_of_session(scene: &Scene, session: &str, reason: &str) -> Result<Option<Task>, Failure> {
    match of_session(scene, session)? {
        Some((task, _)) => Ok(Some(block(scene, task.id, reason)?)),
        None => Ok(None),
    }
}

/// What the session works on, and how that stands.
pub(super) fn of_session(scene: &Scene, session: &str) -> Result<Option<(Task, State)>, Failure> {
    let Some(id) = session_task(&scene.layout, session)?.working else { return Ok(None) };
    let Some(task) = tasks(scene).get(id)? else { return Ok(None) };
    let state = task.state();
    let by_it = state.worker.as_ref().is_some_and(|worker| worker.session.as_deref() == Some(session));
    Ok((by_it && state.status.is_worked_on()).then_some((task, state)))
}

/// What the session's task lets it touch. `None`: it declared nothing, or the session works on no task.
pub fn contract(scene: &Scene, session: &str) -> Result<Option<Vec<String>>, Failure> {
    let scope = of_session(scene, session)?.map(|(task, _)| task.definition.scope);
    Ok(scope.filter(|scope| !scope.is_empty()))
}

/// Whether reviews are made at all.
pub(super) fn reviews(scene: &Scene) -> Result<bool, Failure> {
    Ok(rules(scene)?.enabled)
}
