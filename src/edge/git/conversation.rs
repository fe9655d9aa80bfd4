//! A git that stays alive and answers one question after the other.

use super::deadline::ProcessDeadline;
use super::error::{Error, Result};
use super::stderr::Stderr;
use std::io::{self, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

/// The process ends when this is dropped.
pub(crate) struct Conversation {
    command: String,
    child: Child,
    deadline: ProcessDeadline,
    /// Taken by whoever writes from another thread, or to end the input.
    pub questions: Option<ChildStdin>,
    pub answers: BufReader<ChildStdout>,
    stderr: Option<Stderr>,
}

impl Conversation {
    pub(super) fn start(mut process: Command, command: String, patience: Duration) -> io::Result<Self> {
        // The deadline ends the whole group. A signal to our own group leaves git the time to finish its files.
        let process = process.process_group(0).stdin(Stdio::piped());
        let mut child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let deadline = ProcessDeadline::start(&child, patience);
        let stderr = child.stderr.take().map(Stderr::of);
        let answers = BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?);
        let questions = child.stdin.take();
        Ok(Self { command, child, deadline, questions, answers, stderr })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Gives git the whole time again for the next question.
    pub fn renew(&self) {
        self.deadline.restart();
    }

    /// Waits for git to end by itself after its last answer; an error if it failed or ran out of time.
    pub fn finish(&mut self) -> Result<()> {
        drop(self.questions.take());
        let lost = |source| Error::Pipe { command: self.command.clone(), source };
        match self.deadline.wait(&mut self.child).map_err(lost)? {
            None => Err(Error::Deadline {
                command: self.command.clone(),
                seconds: self.deadline.patience.as_secs(),
            }),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(self.failure(status)),
        }
    }

    /// Ends git after an answer that made no sense.
    pub fn give_up(&mut self) -> Error {
        drop(self.questions.take());
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => self.failure(status),
            Err(source) => Error::Pipe { command: self.command.clone(), source },
        }
    }

    fn failure(&self, status: ExitStatus) -> Error {
        let stderr = self.stderr.as_ref().map(Stderr::text).unwrap_or_default();
        Error::Failed { command: self.command.clone(), status: status.to_string(), stderr }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.questions.take());
        self.deadline.cancel();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
