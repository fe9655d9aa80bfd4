//! The secret scan of loop 1: the changed files as they are, compared with what they were.

use crate::flow::secrets::{Blob, Scanned, scan_blobs};
use crate::flow::serve::Failure;
use crate::repo::Snapshot;
use crate::review::loop1::{SecretMatch, SecretScan};
use crate::review::{GitPath, ObjectId, Pair};
use crate::secret::{self, Match, Verdict};
use std::time::Instant;

/// Files larger than this are no source text; they are named as unscanned.
const LIMIT: u64 = 16 * 1024 * 1024;

/// What the change from `base` brings in.
pub fn scan_pairs(
    snapshot: &Snapshot,
    pairs: &[Pair],
    base: Option<&ObjectId>,
) -> Result<SecretScan, Failure> {
    let started = Instant::now();
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

fn matched(path: &GitPath, found: Match) -> SecretMatch {
    let Match { rule, severity, verdict, reason, line, redacted } = found;
    let certain = verdict == Verdict::Block;
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

/// A scan of contents that are in no repository.
#[cfg(test)]
pub(super) fn scan_contents(files: &[(&str, &[u8])]) -> SecretScan {
    let matches = files.iter().flat_map(|(path, content)| {
        secret::scan(path, content).into_iter().map(|found| matched(&GitPath::new(path), found))
    });
    SecretScan {
        patterns: secret::PATTERNS,
        scanned: files.len(),
        matches: matches.collect(),
        ..SecretScan::default()
    }
}
