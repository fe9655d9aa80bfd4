//! Asks git which names are ignored, as many at a time as there are in a folder, through one process.

use super::leash::Leash;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

/// `check-ignore` for one repository, alive as long as it is asked.
pub(super) struct Excluded {
    child: Child,
    leash: Leash,
    /// To a thread that writes, because git answers while it still reads.
    questions: Option<Sender<Vec<u8>>>,
    answers: BufReader<ChildStdout>,
}

pub(super) const ARGUMENTS: [&str; 6] =
    ["check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin"];

impl Excluded {
    /// `patience`: for the answers to one question.
    pub(super) fn start(mut command: Command, patience: Duration) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let leash = Leash::hold(&child, patience);
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (questions, waiting) = mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            // A git that died is noticed by the missing answer.
            while waiting.recv().is_ok_and(|bytes| stdin.write_all(&bytes).is_ok()) {}
        });
        Ok(Self { child, leash, questions: Some(questions), answers: BufReader::new(stdout) })
    }

    /// For each path, relative to the worktree, whether it is ignored.
    pub(super) fn ask(&mut self, paths: &[Vec<u8>]) -> io::Result<Vec<bool>> {
        self.leash.renew();
        // Without the dot, a name that begins with a colon would be taken for more than a name.
        let question = paths.iter().flat_map(|path| b"./".iter().chain(path).chain(&[0])).copied().collect();
        let sent = self.questions.as_ref().is_some_and(|questions| questions.send(question).is_ok());
        if !sent {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        paths.iter().map(|_| self.answer()).collect()
    }

    /// `<source> <line> <pattern> <path>`, each ended by a zero byte; without a source nothing matched.
    fn answer(&mut self) -> io::Result<bool> {
        let source = self.field()?;
        self.field()?;
        let pattern = self.field()?;
        self.field()?;
        Ok(!source.is_empty() && !pattern.starts_with(b"!"))
    }

    fn field(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.answers.read_until(0, &mut bytes)?;
        if bytes.pop() == Some(0) { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Drop for Excluded {
    fn drop(&mut self) {
        drop(self.questions.take());
        self.leash.release();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
