//! The secret scan of loop 1: the changed files as they are, compared with what they were.

use crate::app::failure::Failure;
use crate::app::secrets::{Blob, Scanned, scan_blobs};
use crate::edge::clock;
use crate::edge::repo::Snapshot;
use crate::pure::review::loop1::{SecretMatch, SecretScan};
use crate::pure::review::{GitPath, ObjectId, Pair};
use crate::pure::secret::{self, Match, SecretVerdict};

/// Files larger than this are no source text; they are named as unscanned.
const LIMIT: u64 = 16 * 1024 * 1024;

/// The secrets that the change since `base` brings in.
pub(crate) fn scan_pairs(
    snapshot: &Snapshot,
    pairs: &[Pair],
    base: Option<&ObjectId>,
) -> Result<SecretScan, Failure> {
    let started = clock::begin();
    let blobs: Vec<Blob> = pairs.iter().filter_map(Blob::of).collect();
    let mut scan = SecretScan { patterns: secret::PATTERNS, scanned: blobs.len(), ..SecretScan::default() };
    for (number, scanned) in scan_blobs(snapshot.git(), &blobs, base, LIMIT)? {
        let Some(blob) = blobs.get(number) else { continue };
        match scanned {
            Scanned::Matches(found) => {
                scan.matches.extend(found.into_iter().map(|found| matched(&blob.path, found)))
            }
            Scanned::TooLarge(_) => {
                scan.scanned -= 1;
                scan.unscanned.push(blob.path.clone());
            }
        }
    }
    scan.elapsed = started.elapsed();
    Ok(scan)
}

pub(super) fn matched(path: &GitPath, found: Match) -> SecretMatch {
    let Match { rule, severity, verdict, reason, line, redacted } = found;
    let certain = verdict == SecretVerdict::Block;
    SecretMatch {
        path: path.clone(),
        line,
        rule: rule.into(),
        severity: severity.name(),
        certain,
        reason,
        redacted,
    }
}
