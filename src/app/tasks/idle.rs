//! The end of a turn with `session_idle`: what the session worked on goes to review, once for the same content.

use super::request;
use super::transition::content;
use super::work::{of_session, reviews};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{AskedReview, edit_session_task, session_task};
use crate::pure::client::Answer;
use crate::pure::policy::ReviewTrigger;
use crate::pure::task::TaskStatus;

/// A turn that goes on because of a hook ends whatever that one found.
pub(crate) fn idle(workspace: &Workspace, session: &str, already_blocked: bool) -> Result<Answer, Failure> {
    if already_blocked || session_task(&workspace.layout, session)?.working.is_none() {
        return Ok(Answer::silent());
    }
    let settings = workspace.settings()?.settings.review;
    if settings.trigger != ReviewTrigger::SessionIdle || !reviews(workspace)? {
        return Ok(Answer::silent());
    }
    let Some((task, state)) = of_session(workspace, session)? else { return Ok(Answer::silent()) };
    let Some(tree) = content(workspace)? else { return Ok(Answer::silent()) };
    let under_way = state.review.as_ref().is_some_and(|review| review.tree == tree);
    let waits = match state.status {
        TaskStatus::InProgress | TaskStatus::AwaitingReview => !under_way,
        TaskStatus::NeedsRevision => state.failed_tree.as_ref() != Some(&tree),
        TaskStatus::Pending | TaskStatus::Complete | TaskStatus::Blocked => false,
    };
    if !waits || workspace.project != task_place(&state) {
        return Ok(Answer::silent());
    }
    let asked = AskedReview { task: task.id, command: settings.command.clone(), time: clock::milliseconds() };
    let first = edit_session_task(&workspace.layout, session, |noted| {
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
    Ok(match request::hand_in(workspace, task.id)? {
        Ok(_) => Answer::block(request::steps(workspace, &task)),
        Err(_) => Answer::silent(),
    })
}

fn task_place(state: &crate::pure::task::State) -> &str {
    state.worker.as_ref().map(|worker| worker.worktree.as_str()).unwrap_or_default()
}
