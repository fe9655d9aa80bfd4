//! Secrets that a change brings in: what is staged, all that is not committed, or a range of commits.

use super::{Blob, Scanned, scan_blobs};
use crate::app::failure::Failure;
use crate::edge::clock;
use crate::edge::repo::{Git, Repo, between, commit, staged_tree, worktree_tree};
use crate::pure::report::{FoundSecret, SecretReport};
use crate::pure::review::{GitPath, ObjectId, Pair};
use crate::pure::secret;
use camino::Utf8Path;

const LIMIT: u64 = 128 * 1024 * 1024;

/// Which change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScannedChanges {
    Staged,
    /// Staged, unstaged and untracked.
    Uncommitted,
    /// Every blob and message on the way from one commit to the other.
    Range {
        from: String,
        to: String,
    },
}

pub fn scan_changes(directory: &Utf8Path, changes: &ScannedChanges) -> Result<SecretReport, Failure> {
    let started = clock::begin();
    let repo =
        Repo::discover(directory)?.ok_or("there is no git repository here; name files or folders instead")?;
    let git = Git::open(repo);
    let head = commit(&git, "HEAD").ok();
    let (id, tree) = (head.as_ref().map(|head| &head.id), head.as_ref().map(|head| &head.tree));
    let mut report = SecretReport::default();
    match changes {
        ScannedChanges::Staged => {
            let staged = staged_tree(&git)?;
            scan(staged.git(), &pairs(staged.pairs(tree)?), id, &mut report)?;
        }
        ScannedChanges::Uncommitted => {
            let all = worktree_tree(&git, &[])?;
            scan(all.git(), &pairs(all.pairs(tree)?), id, &mut report)?;
        }
        ScannedChanges::Range { from, to } => range(&git, from, to, &mut report)?,
    }
    report.elapsed = started.elapsed();
    Ok(report)
}

fn pairs(pairs: Vec<Pair>) -> Vec<Blob> {
    pairs.iter().filter_map(Blob::of).collect()
}

fn range(git: &Git, from: &str, to: &str, report: &mut SecretReport) -> Result<(), Failure> {
    let (from, to) = (commit(git, from)?.id, commit(git, to)?.id);
    let tip = between(git, &from, &to)?;
    let old = |path: &GitPath| -> Option<ObjectId> {
        let pair = tip.pairs.iter().find(|pair| pair.path == *path)?;
        pair.old.as_ref().filter(|side| !side.is_submodule()).map(|side| side.id.clone())
    };
    let blobs: Vec<Blob> = tip
        .introduced
        .iter()
        .map(|blob| Blob { path: blob.path.clone(), new: blob.id.clone(), old: old(&blob.path) })
        .collect();
    scan(git, &blobs, Some(&from), report)?;
    for (id, message) in &tip.messages {
        let found = secret::scan("", message.as_bytes());
        report.matches.extend(FoundSecret::all(&format!("message of {}", id.short()), found));
        report.files += 1;
    }
    Ok(())
}

fn scan(
    git: &Git,
    blobs: &[Blob],
    base: Option<&ObjectId>,
    report: &mut SecretReport,
) -> Result<(), Failure> {
    report.files += blobs.len();
    for (number, scanned) in scan_blobs(git, blobs, base, LIMIT)? {
        let path = blobs.get(number).map(|blob| blob.path.to_string()).unwrap_or_default();
        match scanned {
            Scanned::Matches(found) => report.matches.extend(FoundSecret::all(&path, found)),
            Scanned::TooLarge(size) => {
                report.files -= 1;
                report.unscanned.push((path, format!("it has {size} bytes")));
            }
        }
    }
    Ok(())
}
