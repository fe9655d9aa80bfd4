//! Secrets in content that would leave: blobs and messages, each read once.

use super::serve::Failure;
use crate::gate::Leak;
use crate::repo::{Content, Git, Tip, objects};
use crate::review::{GitPath, ObjectId, Pair};
use crate::secret;

/// Larger files are not source; they are reported as unchecked instead of read.
const BLOB_LIMIT: u64 = 128 * 1024 * 1024;

/// In everything that a push would add, also where a later commit takes it away again.
pub fn tip_leaks(git: &Git, tip: &Tip) -> Result<Vec<Leak>, Failure> {
    let blobs = tip.introduced.iter().map(|blob| (blob.id.clone(), blob.path.clone()));
    let commit_of =
        |id: &str| tip.introduced.iter().find(|blob| blob.id.as_str() == id).map(|blob| blob.commit.clone());
    let mut leaks = Vec::new();
    for (id, leak) in blob_leaks_by_id(git, blobs)? {
        leaks.push(Leak { commit: commit_of(id.as_str()), ..leak });
    }
    for (id, message) in &tip.messages {
        leaks.extend(
            found("the commit message", message.as_bytes())
                .map(|leak| Leak { commit: Some(id.clone()), ..leak }),
        );
    }
    Ok(leaks)
}

/// The content of a change, unless it is a submodule's.
pub fn new_blob(pair: &Pair) -> Option<(ObjectId, GitPath)> {
    let side = pair.new.as_ref().filter(|side| !side.is_submodule())?;
    Some((side.id.clone(), pair.path.clone()))
}

pub fn blob_leaks(git: &Git, blobs: impl Iterator<Item = (ObjectId, GitPath)>) -> Result<Vec<Leak>, Failure> {
    Ok(blob_leaks_by_id(git, blobs)?.into_iter().map(|(_, leak)| leak).collect())
}

fn blob_leaks_by_id(
    git: &Git,
    blobs: impl Iterator<Item = (ObjectId, GitPath)>,
) -> Result<Vec<(ObjectId, Leak)>, Failure> {
    let blobs: Vec<_> = blobs.collect();
    let ids: Vec<ObjectId> = blobs.iter().map(|(id, _)| id.clone()).collect();
    let mut leaks = Vec::new();
    for ((_, path), object) in blobs.iter().zip(objects(git, &ids, BLOB_LIMIT)?) {
        match object? {
            (id, Content::Bytes(bytes)) => {
                leaks.extend(found(&path.to_string(), &bytes).map(|leak| (id.clone(), leak)))
            }
            (_, Content::TooLarge(size)) => {
                return Err(format!("{path} ({size} bytes) is too large to be scanned for secrets").into());
            }
        }
    }
    Ok(leaks)
}

fn found(path: &str, content: &[u8]) -> impl Iterator<Item = Leak> {
    let path = path.to_string();
    secret::scan(&path, content).into_iter().map(move |found| Leak {
        commit: None,
        path: path.clone(),
        rule: found.rule.to_string(),
        line: found.line,
    })
}
