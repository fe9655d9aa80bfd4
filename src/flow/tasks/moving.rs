//! One move of one task: read under the lock, decided by the pure function, written once.

use super::error::Error;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::repo::{Git, worktree_tree};
use crate::review::TreeId;
use crate::state::Tasks;
use crate::task::{Action, Event, Rules, State, Task, TaskId, transition};

pub(super) fn tasks(scene: &Scene) -> Tasks<'_> {
    Tasks { layout: &scene.layout, homes: &scene.homes }
}

pub(super) fn rules(scene: &Scene) -> Result<Rules, Failure> {
    let review = scene.settings()?.settings.review;
    Ok(Rules { enabled: review.enabled, max_revisions: review.max_revisions })
}

/// The content as it is; none without git.
pub(super) fn content(scene: &Scene) -> Result<Option<TreeId>, Failure> {
    match &scene.repo {
        Some(repo) => Ok(Some(worktree_tree(&Git::open(repo.clone()), &[])?.tree)),
        None => Ok(None),
    }
}

pub(super) fn known(scene: &Scene, id: TaskId) -> Result<Task, Failure> {
    Ok(tasks(scene).get(id)?.ok_or(Error::Unknown(id))?)
}

/// The task after the move.
pub(super) fn act(scene: &Scene, id: TaskId, action: Action) -> Result<Task, Failure> {
    act_if(scene, id, |_| Some(action))
}

/// The same where the move depends on how the task stands; `None` leaves it as it is.
pub(super) fn act_if(
    scene: &Scene,
    id: TaskId,
    choose: impl FnOnce(&State) -> Option<Action>,
) -> Result<Task, Failure> {
    let rules = rules(scene)?;
    let tasks = tasks(scene);
    let _lock = tasks.lock()?;
    let mut task = tasks.get(id)?.ok_or(Error::Unknown(id))?;
    let state = task.state();
    let Some(action) = choose(&state) else { return Ok(task) };
    let what = transition(&state, action, rules).map_err(|refusal| Error::Refused { id, refusal })?;
    let sequence = tasks.read()?.sequence() + 1;
    task.history.push(Event { sequence, time: clock::milliseconds(), what });
    tasks.write(&task)?;
    Ok(task)
}
