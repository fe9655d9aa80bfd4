//! Reads the store: what a tree lists, what a blob holds, how two trees differ as text.

use super::error::{Error, Result};
use super::store::Store;
use crate::edge::git::Conversation;
use crate::pure::review::{GitPath, ObjectId, TreeId};
use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::os::unix::ffi::OsStringExt;

const MOST_NAMES: usize = 1 << 30;
const LARGEST: u64 = 1 << 30;

/// Every file and link of a tree with its mode, by path.
pub fn listing(store: &Store, tree: &TreeId) -> Result<Vec<(GitPath, u32, ObjectId)>> {
    let unexpected = || Error::unexpected("ls-tree");
    let listed =
        store.git(["ls-tree", "-r", "-z", "--full-tree", tree.0.as_str()]).limit(MOST_NAMES).names()?;
    listed.iter().map(|entry| parse(entry).ok_or_else(unexpected)).collect()
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
pub(crate) fn difference(
    store: &Store,
    from: &TreeId,
    to: &TreeId,
    unshown: &[GitPath],
    limit: usize,
) -> Result<Vec<u8>> {
    let arguments = ["diff-tree", "-r", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
    let exclude = |path: &GitPath| OsString::from_vec([b":(exclude,literal)", path.0.as_slice()].concat());
    let command = store.git(arguments).arguments([from.0.as_str(), to.0.as_str(), "--", "."]);
    Ok(command.arguments(unshown.iter().map(exclude)).limit(limit).beginning()?)
}

/// Blobs, one after the other, through one process.
pub struct StoreObjects {
    git: Conversation,
}

impl StoreObjects {
    pub fn open(store: &Store) -> Result<Self> {
        Ok(Self { git: store.git(["cat-file", "--batch"]).converse()? })
    }

    /// The whole blob, or an error.
    pub fn read(&mut self, id: &ObjectId) -> Result<Vec<u8>> {
        match self.ask(id) {
            Some(bytes) => Ok(bytes),
            None => Err(Error::Blob { id: id.clone(), source: self.git.give_up() }),
        }
    }

    /// `<id> blob <size>\n<bytes>\n`
    fn ask(&mut self, id: &ObjectId) -> Option<Vec<u8>> {
        self.git.renew();
        let stdin = self.git.questions.as_mut()?;
        stdin.write_all(format!("{id}\n").as_bytes()).and_then(|()| stdin.flush()).ok()?;
        let mut head = String::new();
        self.git.answers.read_line(&mut head).ok()?;
        let mut words = head.trim_end().split(' ');
        (words.next() == Some(id.as_str()) && words.next() == Some("blob")).then_some(())?;
        let size: u64 = words.next()?.parse().ok().filter(|size| *size <= LARGEST)?;
        let mut bytes = Vec::new();
        self.git.answers.by_ref().take(size).read_to_end(&mut bytes).ok()?;
        let mut end = [0];
        self.git.answers.read_exact(&mut end).ok()?;
        (bytes.len() as u64 == size && end == *b"\n").then_some(bytes)
    }
}
