//! Versions of files that leave with the history although the tip does not have them.

use super::error::Result;
use super::git::Git;
use super::introduced::{IntroducedBlob, ids};
use super::leaving::commits_here;
use super::objects::{Content, check, objects};
use crate::pure::review::{Draft, GitPath, ObjectId, Pair};
use std::collections::{BTreeMap, BTreeSet};

/// A larger version is shown to nobody.
const LIMIT: u64 = 4 * 1024 * 1024;

/// Versions with a line that neither `ends` have at this path nor `pairs` bring. A part of what was reviewed is no draft.
pub(crate) fn drafts(
    git: &Git,
    introduced: &[IntroducedBlob],
    ends: &[&str],
    pairs: &[Pair],
) -> Result<Vec<Draft>> {
    let new: BTreeSet<&ObjectId> = pairs
        .iter()
        .filter_map(|pair| pair.new.as_ref().filter(|side| !side.is_submodule()))
        .map(|side| &side.id)
        .collect();
    let mut versions: Vec<&IntroducedBlob> =
        introduced.iter().filter(|blob| !blob.path.0.is_empty() && !new.contains(&blob.id)).collect();
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    let kept = at_ends(git, &versions, ends)?;
    versions.retain(|blob| !kept.iter().any(|(path, id)| *path == blob.path && *id == blob.id));
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted: BTreeSet<ObjectId> = new.into_iter().cloned().collect();
    wanted.extend(versions.iter().map(|blob| blob.id.clone()));
    wanted.extend(kept.iter().map(|(_, id)| id.clone()));
    let mut lines: BTreeMap<ObjectId, Option<Vec<String>>> = BTreeMap::new();
    for object in objects(git, &wanted.into_iter().collect::<Vec<_>>(), LIMIT)? {
        let (id, content) = object?;
        let text = match content {
            Content::Bytes(bytes) => {
                Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
            }
            Content::TooLarge(_) => None,
        };
        lines.insert(id, text);
    }
    let of = |id: &ObjectId| lines.get(id).and_then(Option::as_deref).unwrap_or_default();
    let read: BTreeSet<&String> =
        pairs.iter().filter_map(|pair| Some(of(&pair.new.as_ref()?.id))).flatten().collect();
    let draft = |blob: &IntroducedBlob| {
        let here: BTreeSet<&String> =
            kept.iter().filter(|(path, _)| *path == blob.path).flat_map(|(_, id)| of(id)).collect();
        let is_new = |line: &&String| !line.trim().is_empty() && !here.contains(line) && !read.contains(line);
        let own: Vec<String> = of(&blob.id).iter().filter(is_new).cloned().collect();
        let too_large = matches!(lines.get(&blob.id), Some(None) | None);
        (too_large || !own.is_empty()).then(|| Draft {
            path: blob.path.clone(),
            commit: blob.commit.clone(),
            id: blob.id.clone(),
            lines: own,
        })
    };
    Ok(versions.into_iter().filter_map(draft).collect())
}

/// The blobs that the trees at `ends` have under the paths of these versions.
fn at_ends(git: &Git, versions: &[&IntroducedBlob], ends: &[&str]) -> Result<Vec<(GitPath, ObjectId)>> {
    let (mut paths, mut names) = (Vec::new(), Vec::new());
    for version in versions {
        let Ok(path) = std::str::from_utf8(&version.path.0) else { continue };
        if path.contains('\n') {
            continue;
        }
        for end in ends {
            names.push(format!("{end}:{path}"));
            paths.push(version.path.clone());
        }
    }
    let found = check(git, names.iter().map(String::as_str))?;
    let blobs = paths.into_iter().zip(found).filter_map(|(path, found)| {
        let (id, kind, _) = found?;
        (kind == "blob").then_some((path, id))
    });
    Ok(blobs.collect())
}

/// The blobs that came with the commits between `base` and `head`; none if `head` is not here any more.
pub(crate) fn blobs_between(
    git: &Git,
    base: Option<&ObjectId>,
    head: &ObjectId,
) -> Result<BTreeSet<ObjectId>> {
    if commits_here(git, std::iter::once(head))?.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut input = format!("{head}\n");
    for base in commits_here(git, base.into_iter())? {
        input.push_str(&format!("^{base}\n"));
    }
    let arguments = ["rev-list", "--stdin", "--objects", "--no-object-names", "--filter=object:type=blob"];
    let printed = git.call(arguments).input(input.into_bytes()).bytes()?;
    Ok(ids(&printed)?.into_iter().collect())
}
