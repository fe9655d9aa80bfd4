//! Secrets in blobs. Only for suspects the old side and the project's baseline are read.

use crate::app::failure::Failure;
use crate::edge::repo::{Content, Git, file_at, objects};
use crate::pure::review::{GitPath, ObjectId, Pair};
use crate::pure::secret::{Baseline, ChangedFile, Match, is_suspect, scan_change};

/// One file's content, and what the other side already has under the same path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob {
    pub path: GitPath,
    pub new: ObjectId,
    pub old: Option<ObjectId>,
}

/// The result for a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scanned {
    Matches(Vec<Match>),
    /// It was not looked at.
    TooLarge(u64),
}

impl Blob {
    /// The content of a change, unless it is a submodule's.
    pub fn of(pair: &Pair) -> Option<Self> {
        let file =
            |side: &Option<crate::pure::review::Side>| side.clone().filter(|side| !side.is_submodule());
        let new = file(&pair.new)?.id;
        Some(Self { path: pair.path.clone(), new, old: file(&pair.old).map(|side| side.id) })
    }
}

/// The secrets in `blobs`, by their number; blobs without a match are left out. The baseline is that of `base`: nobody has seen
/// what a change itself declares to be known.
pub(crate) fn scan_blobs(
    git: &Git,
    blobs: &[Blob],
    base: Option<&ObjectId>,
    limit: u64,
) -> Result<Vec<(usize, Scanned)>, Failure> {
    let ids: Vec<ObjectId> = blobs.iter().map(|blob| blob.new.clone()).collect();
    let (mut suspects, mut scanned) = (Vec::new(), Vec::new());
    for ((number, blob), object) in blobs.iter().enumerate().zip(objects(git, &ids, limit)?) {
        match object?.1 {
            Content::TooLarge(size) => scanned.push((number, Scanned::TooLarge(size))),
            Content::Bytes(bytes) if is_suspect(&blob.path.to_string(), &bytes) => {
                suspects.push((number, blob))
            }
            Content::Bytes(_) => {}
        }
    }
    if !suspects.is_empty() {
        scanned.extend(compare(git, &suspects, &baseline(git, base)?, limit)?);
        scanned.sort_by_key(|(number, _)| *number);
    }
    Ok(scanned)
}

fn compare(
    git: &Git,
    suspects: &[(usize, &Blob)],
    baseline: &Baseline,
    limit: u64,
) -> Result<Vec<(usize, Scanned)>, Failure> {
    let both = suspects.iter().flat_map(|(_, blob)| [Some(&blob.new), blob.old.as_ref()]);
    let ids: Vec<ObjectId> = both.flatten().cloned().collect();
    let mut contents = objects(git, &ids, limit)?;
    let mut next = || -> Result<Option<Vec<u8>>, Failure> {
        Ok(match contents.next().transpose()? {
            Some((_, Content::Bytes(bytes))) => Some(bytes),
            Some((_, Content::TooLarge(_))) | None => None,
        })
    };
    let mut found = Vec::new();
    for (number, blob) in suspects {
        let new = next()?.ok_or("an object vanished while it was looked at")?;
        let old = if blob.old.is_some() { next()?.or(Some(Vec::new())) } else { None };
        let path = blob.path.to_string();
        let matches = scan_change(ChangedFile { path: &path, old: old.as_deref(), new: &new }, baseline);
        if !matches.is_empty() {
            found.push((*number, Scanned::Matches(matches)));
        }
    }
    Ok(found)
}

fn baseline(git: &Git, base: Option<&ObjectId>) -> Result<Baseline, Failure> {
    let Some(base) = base else { return Ok(Baseline::default()) };
    let mut lists = Vec::new();
    for name in Baseline::FILES {
        if let Some(content) = file_at(git, base, name)? {
            lists.push((name, content));
        }
    }
    Ok(Baseline::read(lists.iter().map(|(name, content)| (*name, content.as_slice()))))
}
