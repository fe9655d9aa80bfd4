//! The one door to a hook's stdin and stdout. Whatever happens, exactly one JSON object comes out.

use super::deadline;
use crate::hook::{Answer, Hook};
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// More than this is no tool call that a person could have looked at.
const INPUT_LIMIT: u64 = 8 * 1024 * 1024;

/// Why a hook could not do its job; turned into the safe answer of its event.
pub type Failure = Box<dyn std::error::Error>;

/// What a hook answers, and to which event.
pub struct Reply {
    pub event: String,
    pub answer: Answer,
}

/// Runs one hook: reads the event, answers it once, and answers safely if anything goes wrong on the way.
pub fn serve(hook: Hook, handle: fn(&[u8]) -> Result<Reply, Failure>) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "--version") {
        return emit(&format!("plimsoll {}", env!("CARGO_PKG_VERSION")));
    }
    // A panic must neither be silent (the client would go on unguarded) nor leave half a line behind.
    std::panic::set_hook(Box::new(move |panic| {
        emit(&safe(hook, &format!("it stopped at {}", panic.location().map_or(0, |place| place.line()))));
        std::process::exit(0);
    }));
    let outcome = read().and_then(|bytes| {
        if matches!(hook, Hook::PreToolUse) {
            deadline::prepare(|| {
                emit(&safe(Hook::PreToolUse, "it took too long"));
                std::process::exit(0);
            });
        }
        handle(&bytes)
    });
    emit(&match outcome {
        Ok(reply) => reply.answer.encode(&reply.event),
        Err(failure) => safe(hook, &chain(failure.as_ref())),
    })
}

fn read() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(8 * 1024);
    std::io::stdin().lock().take(INPUT_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err("the event is larger than 8 MiB".into());
    }
    Ok(bytes)
}

fn safe(hook: Hook, why: &str) -> String {
    let event = match hook {
        Hook::PreToolUse => "PreToolUse",
        Hook::ConfigChange => "ConfigChange",
        // These answer only with a notice, which carries no event name.
        Hook::SessionStart
        | Hook::UserPromptStart
        | Hook::UserPromptReview
        | Hook::UserPromptShip
        | Hook::PostToolUse
        | Hook::Stop => "",
    };
    hook.safe_answer(why).encode(event)
}

/// The error with its causes, in one line.
pub fn chain(failure: &dyn std::error::Error) -> String {
    let mut text = failure.to_string();
    let mut cause = failure.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// One write, so that a reader never sees half a line; and one answer, whoever is first to have one.
fn emit(line: &str) -> ExitCode {
    static ANSWERED: AtomicBool = AtomicBool::new(false);
    if ANSWERED.swap(true, Ordering::SeqCst) {
        return ExitCode::SUCCESS;
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

impl Reply {
    pub fn new(event: impl Into<String>, answer: Answer) -> Self {
        Self { event: event.into(), answer }
    }
}
