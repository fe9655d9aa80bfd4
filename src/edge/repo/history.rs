//! The commits that a revision leads to, with their parents and subjects.

use super::error::{Error, Result};
use super::git::Git;
use crate::pure::attestation::HistoryCommit;
use crate::pure::review::ObjectId;

/// More than any subject and its fields.
const LINE: usize = 4_096;

/// At most so many commits, the newest first.
pub(crate) fn history(git: &Git, tip: &ObjectId, most: usize) -> Result<Vec<HistoryCommit>> {
    let most_words = format!("--max-count={most}");
    let call = git.call([
        "log",
        "-z",
        "--topo-order",
        "--no-show-signature",
        "--format=%H%x1f%P%x1f%ct%x1f%s",
        &most_words,
        tip.as_str(),
    ]);
    let listed = call.limit(most.saturating_mul(LINE)).names()?;
    listed
        .iter()
        .map(|entry| parsed(&String::from_utf8_lossy(entry)).ok_or_else(|| Error::unexpected("log")))
        .collect()
}

fn parsed(line: &str) -> Option<HistoryCommit> {
    let mut fields = line.splitn(4, '\u{1f}');
    let id = ObjectId::parse(fields.next()?.trim())?;
    let parents = fields.next()?.split_whitespace().map(ObjectId::parse).collect::<Option<Vec<_>>>()?;
    let time = fields.next()?.parse().ok()?;
    Some(HistoryCommit { id, parents, time, subject: fields.next()?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn commits_come_newest_first_with_their_parents_and_the_list_is_bounded() {
        let fixture = Fixture::with_commit();
        fixture.git(&["commit", "-q", "--allow-empty", "-m", "Second: with | and \u{1f} in it"]);
        let git = fixture.open();
        let head = ObjectId::parse(&fixture.git(&["rev-parse", "HEAD"])).unwrap();
        let all = history(&git, &head, 10).unwrap();
        assert_eq!((all.len(), &all[0].id, &all[0].parents), (2, &head, &vec![all[1].id.clone()]));
        assert!(all[0].subject.starts_with("Second: with |") && all[1].parents.is_empty());
        assert_eq!(history(&git, &head, 1).unwrap().len(), 1);
    }
}
