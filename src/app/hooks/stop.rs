//! `stop`: the answer of one of our agents is taken, and a turn is held up if it claims more than was seen.

use crate::app::failure::Failure;
use crate::app::review::loop2;
use crate::app::workspace::Workspace;
use crate::app::{monitor, tasks};
use crate::pure::client::{Answer, Event, Input};
use crate::pure::policy::LoopNumber;
use crate::pure::step::{loop_agent, task_agent};

/// `stop`: the last message of our reviewer is its review; any other turn ends if it claims no more than was seen.
pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    Ok(match (&input.event, &input.agent_id, &input.agent_type) {
        (Event::SubagentStop { last_message, .. }, Some(agent), Some(kind))
            if loop_agent(kind).is_some_and(|agent| agent.number == LoopNumber::Two) =>
        {
            loop2::take_answer(&Workspace::of_event(&input.cwd)?, input, agent, last_message)?
        }
        (Event::SubagentStop { last_message, .. }, Some(agent), Some(kind)) => match task_agent(kind) {
            Some(ours) => {
                tasks::take_answer(&Workspace::of_event(&input.cwd)?, input, ours, agent, last_message)?
            }
            None => Answer::silent(),
        },
        (Event::Stop { already_blocked, last_message }, None, _) => {
            turn_ended(&Workspace::of_event(&input.cwd)?, input, *already_blocked, last_message)?
        }
        _ => Answer::silent(),
    })
}

/// A claim that nothing shows comes before the review of a task: it would be reviewed without its evidence.
fn turn_ended(
    workspace: &Workspace,
    input: &Input<'_>,
    already_blocked: bool,
    last_message: &str,
) -> Result<Answer, Failure> {
    let claims = match already_blocked {
        true => Answer::silent(),
        false => monitor::claims(workspace, input, last_message),
    };
    match claims.reason() {
        Some(_) => Ok(claims),
        None => Ok(claims.merge(tasks::idle(workspace, &input.session_id, already_blocked)?)),
    }
}
