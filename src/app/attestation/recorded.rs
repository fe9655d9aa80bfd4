//! All attestations of a history, and who made them. They are shown, not judged against a policy.

use super::requirement::signers_at;
use crate::app::failure::Failure;
use crate::edge::repo::{Content, Git, NOTES, note_tree, notes_tip, objects, trees};
use crate::edge::signature::{Signers, SshKeygen};
use crate::pure::attestation::{
    ENVELOPES_LIMIT, Envelope, HistoryCommit, NOTE_LIMIT, RecordedReview, Signer, Statement, lines,
};
use crate::pure::review::{ObjectId, TreeId};
use camino::Utf8Path;
use std::collections::BTreeMap;

/// The attestations of a history, from its notes.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub reviews: Vec<RecordedReview>,
    /// Lines and notes that cannot be read, or are about something else.
    pub unreadable: usize,
    /// Whether there was a list of people who may sign.
    pub checked: bool,
}

/// `allowed` is the list of people who may sign, instead of the one at the newest commit.
pub(crate) fn recorded(
    git: &Git,
    history: &[HistoryCommit],
    allowed: Option<Vec<u8>>,
    project_config: &Utf8Path,
) -> Result<Recorded, Failure> {
    let Some(tip) = notes_tip(git, NOTES)? else { return Ok(Recorded::default()) };
    let list = match allowed {
        Some(list) => Some(list),
        None => signers_at(git, history.first().map(|commit| &commit.id), project_config)?,
    };
    let signers = list.map(|list| SshKeygen::find(&git.repo().worktree)?.signers(&list)).transpose()?;
    let notes = note_tree(git, &tip)?.notes;
    let noted: Vec<(&ObjectId, &ObjectId)> =
        history.iter().filter_map(|commit| notes.get_key_value(&commit.id)).collect();
    let commits: Vec<ObjectId> = noted.iter().map(|(commit, _)| (*commit).clone()).collect();
    let blobs: Vec<ObjectId> = noted.iter().map(|(_, blob)| (*blob).clone()).collect();
    let trees = trees(git, &commits)?;
    let mut recorded = Recorded { checked: signers.is_some(), ..Recorded::default() };
    for (commit, read) in commits.iter().zip(objects(git, &blobs, NOTE_LIMIT)?) {
        let Content::Bytes(text) = read?.1 else {
            recorded.unreadable += 1;
            continue;
        };
        for line in lines(&text).take(ENVELOPES_LIMIT) {
            match review(line, commit, &trees, signers.as_ref())? {
                Some(review) => recorded.reviews.push(review),
                None => recorded.unreadable += 1,
            }
        }
    }
    Ok(recorded)
}

fn review(
    line: &[u8],
    commit: &ObjectId,
    trees: &BTreeMap<ObjectId, TreeId>,
    signers: Option<&Signers>,
) -> Result<Option<RecordedReview>, Failure> {
    let Ok(envelope) = Envelope::parse(line) else { return Ok(None) };
    let Ok(statement) = Statement::parse(&envelope.payload) else { return Ok(None) };
    if statement.commit().as_ref() != Some(commit) || statement.tree().as_ref() != trees.get(commit) {
        return Ok(None);
    }
    let signer = match signers {
        None => Signer::Unchecked,
        Some(signers) => match signers.signer(&Envelope::message(&envelope.payload), &envelope.signature)? {
            Ok(name) => Signer::Known(name),
            Err(problem) => Signer::Refused(problem),
        },
    };
    Ok(Some(RecordedReview { commit: commit.clone(), signer, review: statement.predicate }))
}
