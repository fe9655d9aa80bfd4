//! The client ends a hook that takes too long, and an older client then lets the call pass. Before that comes a safe answer.
//!
//! No verdict depends on this: it speaks only where there would be none. It begins where something begins that may take
//! long, which is the shell's parser: linear, except in nests of unclosed brackets that nobody writes by accident. A thread
//! for every call would cost more than most reviews.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

/// The client gives `pre-tool-use` 60 seconds.
const BEFORE_THE_CLIENT: Duration = Duration::from_secs(45);

/// The action of this process when its deadline passes. A process answers one event, so there is one.
static ACT: OnceLock<fn()> = OnceLock::new();
static STARTED: OnceLock<()> = OnceLock::new();

/// Sets what to do when the time has passed.
pub(crate) fn prepare(act: fn()) {
    let _ = ACT.set(act);
}

/// Lets the time run, if that was not done yet and this is a hook that has to answer.
pub(crate) fn start() {
    if let Some(act) = ACT.get().filter(|_| STARTED.set(()).is_ok()) {
        arm(BEFORE_THE_CLIENT, act);
    }
}

/// Acts after that time, unless the process has ended by then.
fn arm(time: Duration, act: impl FnOnce() + Send + 'static) {
    let watch = move || {
        thread::sleep(time);
        act();
    };
    // Without a thread there is no deadline; the client's own remains.
    let _ = thread::Builder::new().name("deadline".into()).spawn(watch);
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
}
