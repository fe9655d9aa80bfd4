//! Blobs that a push would add, each with the place where it first appears.

use super::changes::{RAW, parse};
use super::error::{Error, Result};
use super::git::Git;
use crate::pure::review::{GitPath, ObjectId};
use std::collections::{BTreeMap, BTreeSet};

/// Content that the remote does not have yet, even if a later commit removes it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IntroducedBlob {
    pub id: ObjectId,
    pub path: GitPath,
    pub commit: ObjectId,
}

/// The range that git walks: from `tip` back to the commits that the remote has.
pub(super) fn range(tip: &ObjectId, known: &[ObjectId]) -> Vec<u8> {
    let mut input = format!("{tip}\n");
    known.iter().for_each(|id| input.push_str(&format!("^{id}\n")));
    input.into_bytes()
}

pub(super) fn introduced(
    git: &Git,
    tip: &ObjectId,
    commits: &[ObjectId],
    known: &[ObjectId],
) -> Result<Vec<IntroducedBlob>> {
    let arguments = ["rev-list", "--stdin", "--objects", "--no-object-names", "--filter=object:type=blob"];
    let call = git.call(arguments.into_iter().chain(["--filter-provided-objects"]));
    let mut missing: BTreeSet<_> = ids(&call.input(range(tip, known)).bytes()?)?.into_iter().collect();
    let mut found = Vec::new();
    for (id, (path, commit)) in first_places(git, commits)? {
        if missing.remove(&id) {
            found.push(IntroducedBlob { id, path, commit });
        }
    }
    // The walk may also name blobs of older history, which no new commit touches; better too many than too few.
    found.extend(missing.into_iter().map(|id| IntroducedBlob {
        id,
        path: GitPath::new(""),
        commit: tip.clone(),
    }));
    found.sort_by(|one, other| (&one.path, &one.id).cmp(&(&other.path, &other.id)));
    Ok(found)
}

/// For every blob in the changes of `commits` (oldest first) the path and commit it first appears in. Merges are
/// compared with each parent, so that content made up in the merge itself is seen.
fn first_places(git: &Git, commits: &[ObjectId]) -> Result<BTreeMap<ObjectId, (GitPath, ObjectId)>> {
    let input = commits.iter().map(|id| format!("{id}\n")).collect::<String>().into_bytes();
    let arguments = ["diff-tree", "--stdin", "-m", "--root"].into_iter().chain(RAW);
    let printed = git.call(arguments).input(input).bytes()?;
    let unexpected = || Error::unexpected("diff-tree");
    let mut places = BTreeMap::new();
    let mut commit = None;
    let mut tokens = printed.split(|byte| *byte == 0);
    while let Some(token) = tokens.next() {
        if token.first() == Some(&b':') {
            let pair = tokens.next().and_then(|path| parse(token, path)).ok_or_else(unexpected)?;
            let (Some(new), Some(commit)) = (pair.new, &commit) else { continue };
            places.entry(new.id).or_insert_with(|| (pair.path, ObjectId::clone(commit)));
        } else if !token.is_empty() {
            let header = std::str::from_utf8(token).ok().and_then(|text| text.split([' ', '\n']).next());
            commit = Some(header.and_then(ObjectId::parse).ok_or_else(unexpected)?);
        }
    }
    Ok(places)
}

pub(super) fn ids(printed: &[u8]) -> Result<Vec<ObjectId>> {
    let text = String::from_utf8_lossy(printed);
    let ids = text.lines().map(|line| ObjectId::parse(line).ok_or_else(unexpected_list));
    ids.collect()
}

fn unexpected_list() -> Error {
    Error::unexpected("rev-list")
}
