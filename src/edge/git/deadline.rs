//! A deadline for a git that is not read to its end at once: the process is ended with everything that it started.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Ends the child's group when the time has passed. The child has to lead a group of its own.
pub(super) struct ProcessDeadline {
    group: Pid,
    pub(super) patience: Duration,
    until: Arc<Mutex<Instant>>,
    cancel: Option<Sender<()>>,
    /// Returns whether it had to end the child.
    guard: Option<JoinHandle<bool>>,
}

impl ProcessDeadline {
    pub(super) fn start(child: &Child, patience: Duration) -> Self {
        let group = Pid::from_child(child);
        let until = Arc::new(Mutex::new(Instant::now() + patience));
        let (cancel, cancelled) = channel::<()>();
        let shared = Arc::clone(&until);
        let guard = move || {
            loop {
                let until = *shared.lock().unwrap_or_else(PoisonError::into_inner);
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // An empty group is what we want.
                    let _ = kill_process_group(group, Signal::KILL);
                    return true;
                }
                match cancelled.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
                }
            }
        };
        // Without a thread there is no deadline; the hook has one of its own.
        let guard = thread::Builder::new().name("git-deadline".into()).spawn(guard).ok();
        Self { group, patience, until, cancel: Some(cancel), guard }
    }

    /// Gives the child the whole time again.
    pub(super) fn restart(&self) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + self.patience;
    }

    /// Waits for the end of the child. `None`: the time had passed.
    pub(super) fn wait(&mut self, child: &mut Child) -> io::Result<Option<ExitStatus>> {
        // As long as it is not reaped nobody else has its number, so that no stranger is hit.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.group), options), Err(Errno::INTR)) {}
        let ended = self.cancel();
        let status = child.wait()?;
        Ok((!ended).then_some(status))
    }

    /// Returns whether the child was ended by the deadline.
    pub(super) fn cancel(&mut self) -> bool {
        drop(self.cancel.take());
        self.guard.take().and_then(|guard| guard.join().ok()).unwrap_or_default()
    }
}

impl Drop for ProcessDeadline {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    fn child(script: &str) -> Child {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).process_group(0).stdin(Stdio::piped()).spawn().unwrap()
    }

    #[test]
    fn a_child_that_waits_forever_is_ended_with_what_it_started() {
        let mut child = child("cat & cat <&0; wait");
        let mut deadline = ProcessDeadline::start(&child, Duration::ZERO);
        assert_eq!(deadline.wait(&mut child).unwrap(), None);
    }

    #[test]
    fn a_child_that_ends_by_itself_keeps_its_status() {
        let mut child = child("exit 3");
        let mut deadline = ProcessDeadline::start(&child, Duration::from_secs(600));
        assert_eq!(deadline.wait(&mut child).unwrap().and_then(|status| status.code()), Some(3));
    }
}
