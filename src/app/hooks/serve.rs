//! Runs a hook: event in, answer out. Whatever happens, exactly one JSON object comes out.

use super::floor;
use crate::app::failure::{Failure, chain};
use crate::app::presence;
use crate::edge::run::{deadline, start_anew_where_writing_kills, stdio};
use crate::pure::client::{self, Answer, Event, Hook, Input, repair, whole_characters};
use crate::pure::shell::Reading;
use std::mem::ManuallyDrop;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// More than this is no tool call that a person could have looked at.
const INPUT_LIMIT: u64 = 8 * 1024 * 1024;
/// The argument of a hook that started itself again.
const AGAIN: &str = "--again";
/// The answer that says nothing.
const SILENCE: &str = "{}";
/// To the client the exit code of a refusal, where the answer itself cannot reach it.
const REFUSED: u8 = 2;

/// The event of this process, for the answer that takes the place of a review.
static EVENT: OnceLock<Vec<u8>> = OnceLock::new();

type Handler = fn(&Input<'_>) -> Result<Answer, Failure>;

/// Reads the event, answers it once, and answers safely if anything goes wrong on the way.
pub fn serve(hook: Hook, handle: Handler) -> ExitCode {
    let argument = stdio::arguments().into_iter().next();
    if argument.as_deref() == Some("--version") {
        return emit(hook, &format!("plimsoll {}", env!("CARGO_PKG_VERSION"))).into();
    }
    let may_write = match argument {
        None => start_anew_where_writing_kills(AGAIN),
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
        stdio::exit(emit(hook, &answer));
    }));
    let answer = stdio::read_stdin(INPUT_LIMIT).map_err(Failure::from).and_then(|event| {
        let event = EVENT.get_or_init(|| event);
        if matches!(hook, Hook::PreToolUse) {
            deadline::prepare(|| {
                let answer = safe(Hook::PreToolUse, "it took too long", Reading::Quick);
                stdio::exit(emit(Hook::PreToolUse, &answer));
            });
        }
        if let Some(why) = presence::stranger()? {
            return Err(why.into());
        }
        may_write?;
        match answer_to(hook, &whole_characters(event), handle) {
            // Nearly an event: what can be made of it is answered.
            Err(failure) if failure.is::<client::Error>() => match repair(event) {
                Some(event) => answer_to(hook, &event, handle),
                None => Err(failure),
            },
            answer => answer,
        }
    });
    let answer = answer.unwrap_or_else(|failure| safe(hook, &chain(failure.as_ref()), Reading::Thorough));
    emit(hook, &answer).into()
}

fn answer_to(hook: Hook, event: &[u8], handle: Handler) -> Result<String, Failure> {
    // Never dropped: a hook ends right after this.
    let input = ManuallyDrop::new(Input::parse(event)?);
    let answer = handle(&input)?.encode(&input.name);
    let unknown = matches!(hook, Hook::PreToolUse) && !matches!(input.event, Event::PreToolUse(_));
    // The event may still carry a tool call.
    let refusal = (unknown && answer == SILENCE)
        .then(|| floor::refusal(event, Reading::Thorough, "its event is unknown"));
    Ok(refusal.flatten().unwrap_or(answer))
}

/// The answer of a hook that broke. What no setting permits is refused all the same.
fn safe(hook: Hook, why: &str, reading: Reading) -> String {
    let event = EVENT.get().filter(|_| matches!(hook, Hook::PreToolUse));
    let refusal = event.and_then(|event| floor::refusal(event, reading, why));
    refusal.unwrap_or_else(|| hook_answer(hook, why))
}

/// The same in a thread of its own: a second panic in this one would end the process without an answer.
fn safe_after_panic(hook: Hook, why: String) -> String {
    let reason = why.clone();
    let thread = std::thread::Builder::new().spawn(move || safe(hook, &reason, Reading::Thorough));
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

/// Writes one answer, whoever is first to have one. Returns the exit code.
fn emit(hook: Hook, line: &str) -> u8 {
    static ANSWERED: AtomicBool = AtomicBool::new(false);
    if ANSWERED.swap(true, Ordering::SeqCst) {
        return 0;
    }
    let guards = matches!(hook, Hook::PreToolUse | Hook::ConfigChange) && line != SILENCE;
    match stdio::write_stdout(line) {
        Ok(reaches_somebody) if reaches_somebody || !guards => 0,
        Ok(_) | Err(_) => REFUSED,
    }
}
