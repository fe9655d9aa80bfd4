//! Asks git which names are ignored, as many at a time as there are in a folder, through one process.

use crate::edge::git::{Conversation, GitCommand};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};

/// `check-ignore` for one repository, alive as long as it is asked.
pub(super) struct IgnoreCheck {
    git: Conversation,
    /// To a thread that writes, because git answers while it still reads.
    questions: Sender<Vec<u8>>,
}

pub(super) const ARGUMENTS: [&str; 6] =
    ["check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin"];

impl IgnoreCheck {
    /// The deadline of `command` is for the answers to one question.
    pub(super) fn start(command: GitCommand) -> io::Result<Self> {
        let mut git = command.converse().map_err(io::Error::other)?;
        let mut stdin = git.questions.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (questions, waiting) = mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            // A git that died is noticed by the missing answer.
            while waiting.recv().is_ok_and(|bytes| stdin.write_all(&bytes).is_ok()) {}
        });
        Ok(Self { git, questions })
    }

    /// For each path, relative to the worktree, whether it is ignored.
    pub(super) fn ask(&mut self, paths: &[Vec<u8>]) -> io::Result<Vec<bool>> {
        self.git.renew();
        // Without the dot, a name that begins with a colon would be taken for more than a name.
        let question = paths.iter().flat_map(|path| b"./".iter().chain(path).chain(&[0])).copied().collect();
        self.questions.send(question).map_err(|_| io::ErrorKind::BrokenPipe)?;
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
        self.git.answers.read_until(0, &mut bytes)?;
        if bytes.pop() == Some(0) { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
