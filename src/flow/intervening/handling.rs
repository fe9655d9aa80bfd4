//! A handler of the user's own: gets the issue as JSON, says which intervention it wants. Its failure is told and costs nothing.

use crate::config::Environment;
use crate::flow::scene::Scene;
use crate::intervene::{HANDLER_SECONDS, HandlerAnswer, HandlerError, parse_handler_answer};
use crate::run::{How, Job, run_fed};
use std::time::Duration;

/// A hook waits for it, so it has to be quick.
const DEADLINE: Duration = Duration::from_secs(HANDLER_SECONDS);

pub fn ask(scene: &Scene, argv: &[String], issue: &serde_json::Value) -> Result<HandlerAnswer, String> {
    let job = Job {
        argv: argv.to_vec(),
        directory: scene.project.clone(),
        environment: Environment::variables(),
        deadline: DEADLINE,
        slow_after: DEADLINE,
    };
    let ended = run_fed(&job, issue.to_string().into_bytes());
    match ended.how {
        How::Exited(0) => answer_in(&ended.output.bytes()).map_err(|error| error.to_string()),
        How::Exited(code) => Err(format!("it ended with {code}")),
        How::Signalled(signal) => Err(format!("signal {signal} ended it")),
        How::TimedOut => Err(format!("it took longer than {} s", DEADLINE.as_secs())),
        How::NotFound => Err("there is no such program".into()),
        How::CouldNotStart(error) => Err(format!("it could not be started: {error}")),
    }
}

/// What else the handler prints, it prints before.
fn answer_in(printed: &[u8]) -> Result<HandlerAnswer, HandlerError> {
    let whole = printed.trim_ascii();
    let last_line = whole.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    parse_handler_answer(whole).or_else(|error| parse_handler_answer(last_line).map_err(|_| error))
}
