//! A handler of the user's own: gets the issue as JSON, says which intervention it wants. Its failure is told and costs nothing.

use crate::app::workspace::Workspace;
use crate::edge::config::Environment;
use crate::edge::run::{Job, run_fed};
use crate::pure::monitor::interventions::{
    HANDLER_SECONDS, HandlerAnswer, HandlerError, parse_handler_answer,
};
use std::time::Duration;

/// A hook waits for it, so it has to be quick.
const DEADLINE: Duration = Duration::from_secs(HANDLER_SECONDS);

pub(crate) fn ask(
    workspace: &Workspace,
    argv: &[String],
    issue: &serde_json::Value,
) -> Result<HandlerAnswer, String> {
    let job = Job {
        argv: argv.to_vec(),
        directory: workspace.project.clone(),
        environment: Environment::variables(),
        deadline: DEADLINE,
        slow_after: DEADLINE,
    };
    let ended = run_fed(&job, issue.to_string().into_bytes());
    match ended.how.failure(argv.first().map_or("", String::as_str), DEADLINE) {
        Some(why) => Err(why),
        None => answer_in(&ended.output.bytes()).map_err(|error| error.to_string()),
    }
}

/// The answer is the last thing that the handler prints.
fn answer_in(printed: &[u8]) -> Result<HandlerAnswer, HandlerError> {
    let whole = printed.trim_ascii();
    let last_line = whole.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    parse_handler_answer(whole).or_else(|error| parse_handler_answer(last_line).map_err(|_| error))
}
