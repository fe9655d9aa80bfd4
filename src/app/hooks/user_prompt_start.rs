//! `user-prompt-start`: a yes confirms a review, our commands have their own hooks, anything else is the goal.

use super::command::ASK_FOR_LOOPS;
use crate::app::failure::Failure;
use crate::app::review::confirmation;
use crate::app::workspace::Workspace;
use crate::app::{monitor, tasks};
use crate::edge::clock;
use crate::edge::state::{self, Journal, JournalRecord, Outcome, RecordKind};
use crate::pure::client::{Answer, Event, Input, SlashCommand, is_machine_text, is_yes};
use crate::pure::secret::Redacted;

/// A goal is a reminder, not an archive.
const GOAL_LIMIT: usize = 2_000;

/// `user-prompt-start`: records the goal, and a yes to a pending review.
pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    let Event::UserPromptSubmit { prompt } = &input.event else {
        return Ok(Answer::silent());
    };
    if is_machine_text(prompt) {
        return Ok(Answer::silent());
    }
    let workspace = Workspace::of_event(&input.cwd)?;
    Journal::open(&workspace.layout.journal(&input.session_id))?.append(&JournalRecord::new(
        RecordKind::Prompt,
        Outcome::None,
        clock::milliseconds(),
    ))?;
    state::remove(&workspace.layout.captured_mark(&input.session_id))?;
    let command = SlashCommand::parse(prompt);
    let goal = if is_yes(prompt) || command.is_some() { "" } else { prompt };
    let watched = monitor::observe_prompt(&workspace, input, goal);
    if is_yes(prompt) {
        confirmation::confirm(&workspace, &input.session_id, |review| !review.passed_over)?;
        return with_task_news(&workspace, input, watched);
    }
    state::edit(&workspace.layout, &input.session_id, |facts| {
        // The hook that answers these runs at the same time; what it notes is the newer request.
        if let Some(review) = &mut facts.review
            && command.as_ref().is_none_or(|command| !ASK_FOR_LOOPS.contains(&command.name.as_str()))
        {
            review.passed_over = true;
        }
        if command.is_none() {
            facts.goal = Some(goal_of(prompt));
        }
    })?;
    with_task_news(&workspace, input, watched)
}

fn goal_of(prompt: &str) -> Redacted {
    Redacted::beginning(prompt, 4 * GOAL_LIMIT, |text| text.chars().take(GOAL_LIMIT).collect())
}

/// Adds news about the task that the session works on.
fn with_task_news(workspace: &Workspace, input: &Input<'_>, answer: Answer) -> Result<Answer, Failure> {
    let news = tasks::tell(workspace, &input.session_id)?;
    Ok(answer.merge(news.map_or_else(Answer::silent, Answer::context)))
}
