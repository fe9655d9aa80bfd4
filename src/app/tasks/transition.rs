//! One move of one task: read under the lock, decided by the pure function, written once.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::worktree_tree;
use crate::edge::state::Tasks;
use crate::pure::review::TreeId;
use crate::pure::task::{State, Task, TaskAction, TaskEvent, TaskId, TaskRefusal, TaskRules, transition};

/// Why nothing happened to a task.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{id}: {refusal}")]
    Refused { id: TaskId, refusal: TaskRefusal },
    #[error("there is no task {0}; `plimsoll task list` shows all")]
    Unknown(TaskId),
}

pub(crate) fn tasks(workspace: &Workspace) -> Tasks<'_> {
    Tasks { layout: &workspace.layout, homes: &workspace.homes }
}

pub(crate) fn rules(workspace: &Workspace) -> Result<TaskRules, Failure> {
    let review = workspace.settings()?.settings.review;
    Ok(TaskRules { enabled: review.enabled, max_revisions: review.max_revisions })
}

/// The content as it is; none without git.
pub(crate) fn content(workspace: &Workspace) -> Result<Option<TreeId>, Failure> {
    match workspace.git()? {
        Some(git) => Ok(Some(worktree_tree(&git, &[])?.tree)),
        None => Ok(None),
    }
}

pub(crate) fn find(workspace: &Workspace, id: TaskId) -> Result<Task, Failure> {
    Ok(tasks(workspace).get(id)?.ok_or(Error::Unknown(id))?)
}

/// The task after the move.
pub(crate) fn act(workspace: &Workspace, id: TaskId, action: TaskAction) -> Result<Task, Failure> {
    act_if(workspace, id, |_| Some(action))
}

/// The same where the move depends on how the task stands; `None` leaves it as it is.
pub(crate) fn act_if(
    workspace: &Workspace,
    id: TaskId,
    choose: impl FnOnce(&State) -> Option<TaskAction>,
) -> Result<Task, Failure> {
    let rules = rules(workspace)?;
    let tasks = tasks(workspace);
    let _lock = tasks.lock()?;
    let mut task = tasks.get(id)?.ok_or(Error::Unknown(id))?;
    let state = task.state();
    let Some(action) = choose(&state) else { return Ok(task) };
    let what = transition(&state, action, rules).map_err(|refusal| Error::Refused { id, refusal })?;
    let sequence = tasks.read()?.sequence() + 1;
    task.history.push(TaskEvent { sequence, time: clock::milliseconds(), change: what });
    tasks.write(&task)?;
    Ok(task)
}
