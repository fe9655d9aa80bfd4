//! The end of a turn with `session_idle`: what the session worked on goes to review, once for the same content.

use super::asking;
use super::moving::content;
use super::working::{of_session, reviews};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::hook::Answer;
use crate::policy::ReviewTrigger;
use crate::state::{AskedReview, edit_session_task, session_task};
use crate::task::Status;

/// A turn that goes on because of a hook ends whatever that one found.
pub fn idle(scene: &Scene, session: &str, already_blocked: bool) -> Result<Answer, Failure> {
    if already_blocked || session_task(&scene.layout, session)?.working.is_none() {
        return Ok(Answer::silent());
    }
    let settings = scene.settings()?.settings.review;
    if settings.trigger != ReviewTrigger::SessionIdle || !reviews(scene)? {
        return Ok(Answer::silent());
    }
    let Some((task, state)) = of_session(scene, session)? else { return Ok(Answer::silent()) };
    let Some(tree) = content(scene)? else { return Ok(Answer::silent()) };
    let under_way = state.review.as_ref().is_some_and(|review| review.tree == tree);
    let waits = match state.status {
        Status::InProgress | Status::AwaitingReview => !under_way,
        Status::NeedsRevision => state.wanting.as_ref() != Some(&tree),
        Status::Pending | Status::Complete | Status::Blocked => false,
    };
    if !waits || scene.project != task_place(&state) {
        return Ok(Answer::silent());
    }
    let asked = AskedReview { task: task.id, command: settings.command.clone(), time: clock::milliseconds() };
    let first = edit_session_task(&scene.layout, session, |noted| {
        let first = noted.idle.as_ref() != Some(&tree);
        if first {
            noted.idle = Some(tree.clone());
            noted.asked = Some(asked);
        }
        first
    })?;
    if !first {
        return Ok(Answer::silent());
    }
    Ok(match asking::hand_in(scene, task.id)? {
        Ok(_) => Answer::block(asking::steps(scene, &task)),
        Err(_) => Answer::silent(),
    })
}

fn task_place(state: &crate::task::State) -> &str {
    state.worker.as_ref().map(|worker| worker.worktree.as_str()).unwrap_or_default()
}
