//! Reads the store: what a tree lists, what a blob holds, how two trees differ as text.

use super::error::{Error, Result};
use super::git::{PATIENCE, in_store, printed, said, talk};
use super::leash::Leash;
use super::store::Store;
use crate::review::{GitPath, ObjectId, TreeId};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const MOST_NAMES: u64 = 1 << 30;
const LARGEST: u64 = 1 << 30;

/// Every file and link of a tree with its mode, by path.
pub fn listing(store: &Store, tree: &TreeId) -> Result<Vec<(GitPath, u32, ObjectId)>> {
    let unexpected = || Error::Unexpected { command: "ls-tree" };
    let command =
        in_store(store.path().as_std_path(), &["ls-tree", "-r", "-z", "--full-tree", tree.0.as_str()]);
    let listed = printed(command, "ls-tree", MOST_NAMES, PATIENCE)?;
    let entries = listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(|entry| parse(entry).ok_or_else(unexpected)).collect()
}

/// `<mode> blob <id>\t<path>`
fn parse(entry: &[u8]) -> Option<(GitPath, u32, ObjectId)> {
    let tab = entry.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = entry.split_at_checked(tab)?;
    let mut words = std::str::from_utf8(head).ok()?.split(' ');
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    let id = words.nth(1).and_then(ObjectId::parse)?;
    Some((GitPath(path.get(1..)?.to_vec()), mode, id))
}

/// The changes from one tree to another as text, without the content of `unshown`, cut at `limit` bytes.
pub fn difference(
    store: &Store,
    from: &TreeId,
    to: &TreeId,
    unshown: &[GitPath],
    limit: usize,
) -> Result<Vec<u8>> {
    let arguments = ["diff-tree", "-r", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
    let mut command = in_store(store.path().as_std_path(), &arguments);
    command.args([from.0.as_str(), to.0.as_str(), "--", "."]);
    command.args(
        unshown.iter().map(|path| OsString::from_vec([b":(exclude,literal)", path.0.as_slice()].concat())),
    );
    printed(command, "diff-tree", u64::try_from(limit).unwrap_or(u64::MAX), PATIENCE)
}

/// Blobs, one after the other, through one process.
pub struct Objects {
    child: Child,
    leash: Leash,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    talk: Option<super::git::Talk>,
}

impl Objects {
    pub fn open(store: &Store) -> Result<Self> {
        let mut command = in_store(store.path().as_std_path(), &["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).spawn().map_err(|source| Error::Start { source })?;
        let leash = Leash::hold(&child, PATIENCE);
        let talk = talk(&mut child);
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => {
                Ok(Self { child, leash, questions: Some(stdin), answers: BufReader::new(stdout), talk })
            }
            _ => Err(Error::Unexpected { command: "cat-file" }),
        }
    }

    /// The whole blob, or an error.
    pub fn read(&mut self, id: &ObjectId) -> Result<Vec<u8>> {
        match self.ask(id) {
            Some(bytes) => Ok(bytes),
            None => Err(Error::Git { command: "cat-file", said: self.said(id) }),
        }
    }

    /// `<id> blob <size>\n<bytes>\n`
    fn ask(&mut self, id: &ObjectId) -> Option<Vec<u8>> {
        self.leash.renew();
        let stdin = self.questions.as_mut()?;
        stdin.write_all(format!("{id}\n").as_bytes()).and_then(|()| stdin.flush()).ok()?;
        let mut head = String::new();
        self.answers.read_line(&mut head).ok()?;
        let mut words = head.trim_end().split(' ');
        (words.next() == Some(id.as_str()) && words.next() == Some("blob")).then_some(())?;
        let size: u64 = words.next()?.parse().ok().filter(|size| *size <= LARGEST)?;
        let mut bytes = Vec::new();
        self.answers.by_ref().take(size).read_to_end(&mut bytes).ok()?;
        let mut end = [0];
        self.answers.read_exact(&mut end).ok()?;
        (bytes.len() as u64 == size && end == *b"\n").then_some(bytes)
    }

    fn said(&mut self, id: &ObjectId) -> String {
        drop(self.questions.take());
        let _ = self.child.kill();
        format!("{id} could not be read; {}", said(self.talk.take()))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        drop(self.questions.take());
        self.leash.release();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
