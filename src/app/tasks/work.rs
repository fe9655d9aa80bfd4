//! Actions of a worker or a person on a task. None of them records a review.

use super::announcement::announce_block;
use super::transition::{act, content, find, rules, tasks};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{SessionTask, TaskList, edit_session_task, session_task};
use crate::pure::secret::redact;
use crate::pure::task::{Definition, State, Task, TaskAction, TaskChange, TaskEvent, TaskId, Worker};

pub fn list(workspace: &Workspace) -> Result<TaskList, Failure> {
    Ok(tasks(workspace).read()?)
}

pub fn show(workspace: &Workspace, id: TaskId) -> Result<Task, Failure> {
    find(workspace, id)
}

pub fn add(workspace: &Workspace, definition: Definition) -> Result<Task, Failure> {
    let definition = without_secrets(definition).checked()?;
    let tasks = tasks(workspace);
    let _lock = tasks.lock()?;
    let list = tasks.read()?;
    let added =
        TaskEvent { sequence: list.sequence() + 1, time: clock::milliseconds(), change: TaskChange::Added };
    let task = Task { id: TaskId::new(list.highest + 1), definition, source: None, history: vec![added] };
    tasks.write(&task)?;
    Ok(task)
}

/// As it is kept: what is not kept is not compared either.
pub(crate) fn without_secrets(definition: Definition) -> Definition {
    let list = |entries: Vec<String>| entries.iter().map(|entry| redact(entry)).collect();
    Definition {
        title: redact(&definition.title),
        scope: list(definition.scope),
        acceptance: list(definition.acceptance),
        notes: redact(&definition.notes),
    }
}

/// From now on the session works on it, and keeps to its scope.
pub fn begin(
    workspace: &Workspace,
    id: TaskId,
    session: Option<String>,
    take_over: bool,
) -> Result<Task, Failure> {
    find(workspace, id)?;
    if let Some(session) = &session {
        // First: a note about a task that the session does not work on means nothing, the other way round would.
        let tree = content(workspace)?;
        edit_session_task(&workspace.layout, session, |noted| {
            if noted.working != Some(id) {
                *noted =
                    SessionTask { working: Some(id), asked: noted.asked.take(), ..SessionTask::default() };
            }
            // Content from before the work needs no review.
            noted.idle = tree;
        })?;
    }
    let worker = Worker { session, worktree: workspace.project.to_string() };
    act(workspace, id, TaskAction::Start { worker, take_over })
}

pub fn release(workspace: &Workspace, id: TaskId) -> Result<Task, Failure> {
    act(workspace, id, TaskAction::Release)
}

pub fn withdraw(workspace: &Workspace, id: TaskId) -> Result<Task, Failure> {
    act(workspace, id, TaskAction::Withdraw)
}

pub fn block(workspace: &Workspace, id: TaskId, reason: &str) -> Result<Task, Failure> {
    let task = act(workspace, id, TaskAction::Block { reason: reason.to_owned() })?;
    announce_block(workspace, &task, reason);
    Ok(task)
}

/// For a person: whoever calls this has made sure of that.
pub fn reopen(workspace: &Workspace, id: TaskId, reason: &str) -> Result<Task, Failure> {
    act(workspace, id, TaskAction::Reopen { reason: reason.to_owned() })
}

/// Blocks what the session works on, if it works on anything.
pub fn block_of_session(workspace: &Workspace, session: &str, reason: &str) -> Result<Option<Task>, Failure> {
    match of_session(workspace, session)? {
        // The stop that blocks it is announced by itself.
        Some((task, _)) => {
            Ok(Some(act(workspace, task.id, TaskAction::Block { reason: reason.to_owned() })?))
        }
        None => Ok(None),
    }
}

/// The task of the session, and its state.
pub(crate) fn of_session(workspace: &Workspace, session: &str) -> Result<Option<(Task, State)>, Failure> {
    let Some(id) = session_task(&workspace.layout, session)?.working else { return Ok(None) };
    let Some(task) = tasks(workspace).get(id)? else { return Ok(None) };
    let state = task.state();
    let by_it = state.worker.as_ref().is_some_and(|worker| worker.session.as_deref() == Some(session));
    Ok((by_it && state.status.is_worked_on()).then_some((task, state)))
}

/// The paths that the session's task allows. `None`: it declares no scope, or the session works on no task.
pub fn contract(workspace: &Workspace, session: &str) -> Result<Option<Vec<String>>, Failure> {
    let scope = of_session(workspace, session)?.map(|(task, _)| task.definition.scope);
    Ok(scope.filter(|scope| !scope.is_empty()))
}

/// Whether reviews are made at all.
pub(crate) fn reviews(workspace: &Workspace) -> Result<bool, Failure> {
    Ok(rules(workspace)?.enabled)
}
