//! A deadline for a git process: it is ended with all that it started, and nobody waits for it for ever.

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Ends the child's group once its time is over. The child has to lead a group of its own.
pub(super) struct Leash {
    group: Pid,
    patience: Duration,
    until: Arc<Mutex<Instant>>,
    release: Option<Sender<()>>,
    /// Says whether it had to end the child.
    watch: Option<JoinHandle<bool>>,
}

impl Leash {
    pub(super) fn hold(child: &Child, patience: Duration) -> Self {
        let group = Pid::from_child(child);
        let until = Arc::new(Mutex::new(Instant::now() + patience));
        let (release, released) = channel::<()>();
        let seen = Arc::clone(&until);
        let watch = move || {
            loop {
                let until = *seen.lock().unwrap_or_else(PoisonError::into_inner);
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    // An empty group is what we want.
                    let _ = kill_process_group(group, Signal::KILL);
                    return true;
                }
                match released.recv_timeout(left) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
                }
            }
        };
        // Without a thread there is no deadline; there is one for the hook around it.
        let watch = thread::Builder::new().name("leash".into()).spawn(watch).ok();
        Self { group, patience, until, release: Some(release), watch }
    }

    /// It is at work: its time begins anew.
    pub(super) fn renew(&self) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + self.patience;
    }

    /// Waits for the end of the child. `None`: its time was over.
    pub(super) fn end(mut self, child: &mut Child) -> io::Result<Option<ExitStatus>> {
        // As long as it is not reaped nobody else has its number, so that no stranger is hit.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.group), options), Err(Errno::INTR)) {}
        let ended = self.release();
        let status = child.wait()?;
        Ok((!ended).then_some(status))
    }

    /// No deadline any more. Whether the child was ended by it.
    pub(super) fn release(&mut self) -> bool {
        drop(self.release.take());
        self.watch.take().and_then(|watch| watch.join().ok()).unwrap_or_default()
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.release();
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
    fn a_child_that_waits_for_ever_is_ended_with_what_it_started() {
        let mut child = child("cat & cat <&0; wait");
        let leash = Leash::hold(&child, Duration::ZERO);
        assert_eq!(leash.end(&mut child).unwrap(), None);
    }

    #[test]
    fn a_child_that_ends_by_itself_keeps_its_status() {
        let mut child = child("exit 3");
        let leash = Leash::hold(&child, Duration::from_secs(600));
        assert_eq!(leash.end(&mut child).unwrap().and_then(|status| status.code()), Some(3));
    }
}
