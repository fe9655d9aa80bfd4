//! `user-prompt-review`: the context for `/review`, `/reconcile` and the commands of tasks.

use super::command::{ASK_FOR_LOOPS, answer_once};
use crate::app::failure::Failure;
use crate::app::review::request;
use crate::app::tasks;
use crate::edge::state;
use crate::pure::client::{Answer, Input};

/// `user-prompt-review`: the context for `/review` and `/reconcile`, and for the review of a task.
pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    answer_once(input, &ASK_FOR_LOOPS, Some(tasks::is_command), |workspace, command| {
        if !ASK_FOR_LOOPS.contains(&command.name.as_str()) {
            return tasks::answer_command(workspace, &input.session_id, command);
        }
        let (answer, request) = match command.name.as_str() {
            "reconcile" => request::reconcile(workspace, &command.arguments)?,
            _ => request::review(workspace, &command.arguments)?,
        };
        state::edit(&workspace.layout, &input.session_id, |facts| facts.review = request)?;
        Ok(answer)
    })
}
