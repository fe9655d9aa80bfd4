//! Secrets in content that would leave: blobs and messages, each read once. Only what is certain counts here.

use crate::app::failure::Failure;
use crate::app::secrets::{Blob, Scanned, scan_blobs};
use crate::edge::repo::{Git, LeavingTip};
use crate::pure::gate::Leak;
use crate::pure::review::{GitPath, ObjectId, Pair};
use crate::pure::secret::{Match, SecretVerdict, scan};
use std::collections::BTreeMap;

/// Larger files are not source; they are reported as unchecked instead of read.
const BLOB_LIMIT: u64 = 128 * 1024 * 1024;

/// In everything that a push would add, also where a later commit takes it away again. What the remote's version of the
/// same file holds already is not leaked once more.
pub(crate) fn tip_leaks(git: &Git, tip: &LeavingTip) -> Result<Vec<Leak>, Failure> {
    let there: BTreeMap<&GitPath, Option<Blob>> =
        tip.pairs.iter().map(|pair| (&pair.path, Blob::of(&reversed(pair)))).collect();
    let old = |path: &GitPath| there.get(path)?.as_ref().map(|blob| blob.new.clone());
    let blobs: Vec<Blob> = tip
        .introduced
        .iter()
        .map(|blob| Blob { path: blob.path.clone(), new: blob.id.clone(), old: old(&blob.path) })
        .collect();
    let mut leaks = Vec::new();
    for (number, leak) in numbered(git, &blobs, tip.base.as_ref())? {
        let commit = tip.introduced.get(number).map(|blob| blob.commit.clone());
        leaks.push(Leak { commit, ..leak });
    }
    for (id, message) in &tip.messages {
        let found = certain("the commit message", scan("", message.as_bytes()));
        leaks.extend(found.map(|leak| Leak { commit: Some(id.clone()), ..leak }));
    }
    Ok(leaks)
}

/// In the new side of a change.
pub(crate) fn pair_leaks(git: &Git, pairs: &[Pair], base: Option<&ObjectId>) -> Result<Vec<Leak>, Failure> {
    let blobs: Vec<Blob> = pairs.iter().filter_map(Blob::of).collect();
    Ok(numbered(git, &blobs, base)?.into_iter().map(|(_, leak)| leak).collect())
}

fn reversed(pair: &Pair) -> Pair {
    Pair { path: pair.path.clone(), old: pair.new.clone(), new: pair.old.clone() }
}

fn numbered(git: &Git, blobs: &[Blob], base: Option<&ObjectId>) -> Result<Vec<(usize, Leak)>, Failure> {
    let mut leaks = Vec::new();
    for (number, scanned) in scan_blobs(git, blobs, base, BLOB_LIMIT)? {
        let path = blobs.get(number).map(|blob| blob.path.to_string()).unwrap_or_default();
        match scanned {
            Scanned::Matches(matches) => leaks.extend(certain(&path, matches).map(|leak| (number, leak))),
            Scanned::TooLarge(size) => {
                return Err(format!("{path} ({size} bytes) is too large to be scanned for secrets").into());
            }
        }
    }
    Ok(leaks)
}

fn certain(path: &str, matches: Vec<Match>) -> impl Iterator<Item = Leak> {
    let path = path.to_string();
    matches.into_iter().filter(|found| found.verdict == SecretVerdict::Block).map(move |found| Leak {
        commit: None,
        path: path.clone(),
        rule: found.rule.to_string(),
        line: found.line,
    })
}
