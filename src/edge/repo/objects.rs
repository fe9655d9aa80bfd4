//! Reads the content of many objects through few processes, a bounded number of bytes at a time.

use super::error::{Error, Result};
use super::git::Git;
use crate::pure::review::ObjectId;
use std::collections::VecDeque;

/// How many bytes of content are held at once, apart from a single larger object.
const BATCH: u64 = 16 * 1024 * 1024;

/// The content of an object. An object above the limit was *not* read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Bytes(Vec<u8>),
    TooLarge(u64),
}

/// The objects asked for, in order; `objects` makes it.
pub struct Objects<'git> {
    git: &'git Git,
    waiting: VecDeque<(ObjectId, u64)>,
    ready: VecDeque<(ObjectId, Content)>,
    limit: u64,
}

/// The content of `ids`, each up to `limit` bytes. An object that is not there is an error.
pub(crate) fn objects<'git>(git: &'git Git, ids: &[ObjectId], limit: u64) -> Result<Objects<'git>> {
    let mut waiting = VecDeque::with_capacity(ids.len());
    for (id, found) in ids.iter().zip(check(git, ids.iter().map(ObjectId::as_str))?) {
        let (_, _, size) = found.ok_or_else(|| Error::MissingObject { id: id.clone() })?;
        waiting.push_back((id.clone(), size));
    }
    Ok(Objects { git, waiting, ready: VecDeque::new(), limit })
}

/// For each name what it leads to: id, type and size, or nothing.
pub(super) fn check<'a>(
    git: &Git,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Option<(ObjectId, String, u64)>>> {
    let names: Vec<_> = names.into_iter().collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut input = names.join("\n").into_bytes();
    input.push(b'\n');
    let printed = git.call(["cat-file", "--batch-check"]).input(input).bytes()?;
    let text = String::from_utf8(printed).map_err(|_| unexpected())?;
    let found: Vec<_> = text.lines().map(header).collect();
    if found.len() == names.len() { Ok(found) } else { Err(unexpected()) }
}

fn header(line: &str) -> Option<(ObjectId, String, u64)> {
    let mut words = line.split(' ');
    let id = ObjectId::parse(words.next()?)?;
    Some((id, words.next()?.to_owned(), words.next()?.parse().ok()?))
}

fn unexpected() -> Error {
    Error::unexpected("cat-file")
}

impl Objects<'_> {
    fn read_batch(&mut self) -> Result<()> {
        let (mut bytes, mut input) = (0, Vec::new());
        while let Some((_, size)) = self.waiting.front() {
            let wanted = if *size > self.limit { 0 } else { *size };
            if bytes > 0 && bytes + wanted > BATCH {
                break;
            }
            let Some((id, size)) = self.waiting.pop_front() else { break };
            if size > self.limit {
                self.ready.push_back((id, Content::TooLarge(size)));
                continue;
            }
            bytes += size;
            input.extend_from_slice(format!("{id}\n").as_bytes());
            self.ready.push_back((id, Content::Bytes(Vec::new())));
        }
        if input.is_empty() {
            return Ok(());
        }
        // Each answer adds a line of id, type and size.
        let room = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(self.ready.len() * 128);
        let printed = self.git.call(["cat-file", "--batch"]).input(input).limit(room).bytes()?;
        self.fill(&printed).ok_or_else(unexpected)
    }

    fn fill(&mut self, mut printed: &[u8]) -> Option<()> {
        for (id, content) in &mut self.ready {
            let Content::Bytes(bytes) = content else { continue };
            let end = printed.iter().position(|byte| *byte == b'\n')?;
            let (found, _, size) = header(std::str::from_utf8(printed.get(..end)?).ok()?)?;
            let (body, rest) = printed.get(end + 1..)?.split_at_checked(usize::try_from(size).ok()?)?;
            if found != *id {
                return None;
            }
            bytes.extend_from_slice(body);
            printed = rest.strip_prefix(b"\n")?;
        }
        Some(())
    }
}

impl Iterator for Objects<'_> {
    type Item = Result<(ObjectId, Content)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && let Err(error) = self.read_batch()
        {
            self.waiting.clear();
            self.ready.clear();
            return Some(Err(error));
        }
        self.ready.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    fn blob(fixture: &Fixture, content: &[u8]) -> ObjectId {
        fixture.write("blob", content);
        ObjectId::parse(&fixture.git(&["hash-object", "-w", "blob"])).unwrap()
    }

    #[test]
    fn content_comes_back_byte_for_byte_and_in_order() {
        let fixture = Fixture::new();
        let contents = [&b"plain\n"[..], b"", b"\0\xff no newline", b"deadbeef blob 3\nabc\n"];
        let ids: Vec<_> = contents.iter().map(|content| blob(&fixture, content)).collect();
        let git = fixture.open();
        let read: Result<Vec<_>> = objects(&git, &ids, 1000).unwrap().collect();
        let expected: Vec<_> =
            ids.into_iter().zip(contents.map(|content| Content::Bytes(content.to_vec()))).collect();
        assert_eq!(read.unwrap(), expected);
    }

    #[test]
    fn a_blob_over_the_limit_is_reported_not_passed_over() {
        let fixture = Fixture::new();
        let ids = [blob(&fixture, b"12345"), blob(&fixture, b"123456")];
        let git = fixture.open();
        let read: Vec<_> = objects(&git, &ids, 5).unwrap().map(|item| item.unwrap().1).collect();
        assert_eq!(read, [Content::Bytes(b"12345".to_vec()), Content::TooLarge(6)]);
    }

    #[test]
    fn more_than_one_batch_is_read_through() {
        let fixture = Fixture::new();
        let size = usize::try_from(BATCH / 2 + 1).unwrap();
        let ids = [b'x', b'y', b'z'].map(|byte| blob(&fixture, &vec![byte; size]));
        let git = fixture.open();
        let read: Vec<_> = objects(&git, &ids, BATCH).unwrap().map(|item| item.unwrap().1).collect();
        assert_eq!(read, [b'x', b'y', b'z'].map(|byte| Content::Bytes(vec![byte; size])));
    }

    #[test]
    fn a_missing_object_is_an_error() {
        let fixture = Fixture::with_commit();
        let git = fixture.open();
        let id = ObjectId::parse(&"1".repeat(40)).unwrap();
        assert!(matches!(objects(&git, &[id], 10), Err(Error::MissingObject { .. })));
    }
}
