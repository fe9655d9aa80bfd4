//! The one door to a hook's stdin and stdout. Whatever happens, exactly one JSON object comes out.

use super::{deadline, floor};
use crate::hook::{self, Answer, Hook, repaired, whole_characters};
use crate::run;
use crate::shell::Reading;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// More than this is no tool call that a person could have looked at.
const INPUT_LIMIT: u64 = 8 * 1024 * 1024;
/// A hook that was started anew by itself.
const AGAIN: &str = "--again";

/// Why a hook could not do its job; turned into the safe answer of its event.
pub type Failure = Box<dyn std::error::Error>;

/// What a hook answers, and to which event.
pub struct Reply {
    pub event: String,
    pub answer: Answer,
}

/// The event of this process, for the answer that takes the place of a review.
static EVENT: OnceLock<Vec<u8>> = OnceLock::new();

/// Runs one hook: reads the event, answers it once, and answers safely if anything goes wrong on the way.
pub fn serve(hook: Hook, handle: fn(&[u8]) -> Result<Reply, Failure>) -> ExitCode {
    let argument = std::env::args_os().nth(1);
    if argument.as_ref().is_some_and(|argument| argument == "--version") {
        return emit(hook, &format!("plimsoll {}", env!("CARGO_PKG_VERSION"))).into();
    }
    let may_write = match argument {
        None => run::start_anew_where_writing_kills(AGAIN),
        Some(_) => Ok(()),
    };
    // A panic must neither be silent (the client would go on unguarded) nor leave half a line behind.
    std::panic::set_hook(Box::new(move |panic| {
        static FIRST: AtomicBool = AtomicBool::new(true);
        let why = format!("it stopped at {}", panic.location().map_or(0, |place| place.line()));
        let answer = match FIRST.swap(false, Ordering::SeqCst) {
            true => safe_after_panic(hook, why),
            false => hook_answer(hook, &why),
        };
        std::process::exit(emit(hook, &answer).into());
    }));
    let outcome = read().and_then(|event| {
        let event = EVENT.get_or_init(|| event);
        if matches!(hook, Hook::PreToolUse) {
            deadline::prepare(|| {
                let answer = safe(Hook::PreToolUse, "it took too long", Reading::Quick);
                std::process::exit(emit(Hook::PreToolUse, &answer).into());
            });
        }
        may_write?;
        handle_nearly(event, handle)
    });
    let answer = match outcome {
        Ok(reply) => reply.answer.encode(&reply.event),
        Err(failure) => safe(hook, &chain(failure.as_ref()), Reading::Thorough),
    };
    emit(hook, &answer).into()
}

/// Handles the event, and if it is only nearly one, what can be made of it.
fn handle_nearly(event: &[u8], handle: fn(&[u8]) -> Result<Reply, Failure>) -> Result<Reply, Failure> {
    match handle(&whole_characters(event)) {
        Err(failure) if failure.is::<hook::Error>() => match repaired(event) {
            Some(event) => handle(&event),
            None => Err(failure),
        },
        outcome => outcome,
    }
}

fn read() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(8 * 1024);
    std::io::stdin().lock().take(INPUT_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err("the event is larger than 8 MiB".into());
    }
    Ok(bytes)
}

/// The answer of a hook that broke. What no setting permits is refused all the same.
fn safe(hook: Hook, why: &str, reading: Reading) -> String {
    let event = EVENT.get().filter(|_| matches!(hook, Hook::PreToolUse));
    match event.and_then(|event| floor::refusal(event, reading, why)) {
        Some(refusal) => refusal.answer.encode(&refusal.event),
        None => hook_answer(hook, why),
    }
}

/// The same in a thread of its own: a second panic in this one would end the process without a word.
fn safe_after_panic(hook: Hook, why: String) -> String {
    let said = why.clone();
    let thread = std::thread::Builder::new().spawn(move || safe(hook, &said, Reading::Thorough));
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| hook_answer(hook, &why))
}

fn hook_answer(hook: Hook, why: &str) -> String {
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

/// One write, so that a reader never sees half a line; and one answer, whoever is first to have one. Gives the exit code.
fn emit(hook: Hook, line: &str) -> u8 {
    static ANSWERED: AtomicBool = AtomicBool::new(false);
    if ANSWERED.swap(true, Ordering::SeqCst) {
        return 0;
    }
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush());
    let guards = matches!(hook, Hook::PreToolUse | Hook::ConfigChange) && line != "{}";
    match written {
        // A stdout that was closed is `/dev/null` by now.
        Ok(()) if guards && run::leads_nowhere(&stdout) => REFUSED,
        Ok(()) => 0,
        Err(_) => REFUSED,
    }
}

/// To the client the exit code of a refusal, where the answer itself cannot reach it.
const REFUSED: u8 = 2;

impl Reply {
    pub fn new(event: impl Into<String>, answer: Answer) -> Self {
        Self { event: event.into(), answer }
    }
}
