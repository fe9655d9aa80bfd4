//! The client ends a hook that takes too long, and an older client then lets the call pass. Before that comes a safe answer.
//!
//! No verdict depends on this: it speaks only where there would be none.

use std::thread;
use std::time::Duration;

/// The client gives `pre-tool-use` 60 seconds.
pub const BEFORE_THE_CLIENT: Duration = Duration::from_secs(45);

/// Acts after that time, unless the process has ended by then.
pub fn arm(time: Duration, act: impl FnOnce() + Send + 'static) {
    let watch = move || {
        thread::sleep(time);
        act();
    };
    // Without a thread there is no deadline; the client's own remains.
    let _ = thread::Builder::new().name("deadline".into()).spawn(watch);
}

/// Whether an event may keep the shell's parser busy: it is linear, except in nests of unclosed brackets that nobody
/// writes by accident.
pub fn may_take_long(event: &[u8]) -> bool {
    memchr::memchr2(b'(', b'`', event).is_some()
        || ["${", "{{", "case"].iter().any(|text| memchr::memmem::find(event, text.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn it_acts_when_nothing_else_does() {
        let (sender, receiver) = channel();
        arm(Duration::ZERO, move || sender.send(()).unwrap());
        receiver.recv().unwrap();
    }

    #[test]
    fn nests_are_watched_and_plain_commands_are_not() {
        for event in [r#"{"command":"x=(${x$("}"#, r#"{"command":"`"}"#, r#"{"command":"(case x in"}"#] {
            assert!(may_take_long(event.as_bytes()), "{event}");
        }
        assert!(!may_take_long(br#"{"tool_input":{"command":"git status && npm test | tail -3"}}"#));
    }
}
