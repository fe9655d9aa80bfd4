//! Checks whether attestations cover a range of commits: few calls of git, however many commits there are.

use crate::app::failure::Failure;
use crate::edge::repo::{Content, Git, new_commits, note_tree, objects, reached, trees};
use crate::edge::signature::SshKeygen;
use crate::pure::attestation::{
    AttestationReason, ChainSearch, ENVELOPES_LIMIT, Envelope, NOTE_LIMIT, Requirement, Statement,
    judge_statement, lines,
};
use crate::pure::review::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// More commits than anybody pushes at once.
const COMMITS_LIMIT: usize = 100_000;
/// Each costs a process of ssh-keygen.
const SIGNATURES_LIMIT: usize = 5_000;
/// All notes of a range together.
const BYTES_LIMIT: usize = 256 * 1024 * 1024;

/// The question whether `tip` is covered, back to what `known` lead to.
pub(crate) struct Verification<'a> {
    pub git: &'a Git,
    pub tip: &'a ObjectId,
    pub known: &'a [ObjectId],
    /// The commit of the notes.
    pub notes: Option<&'a ObjectId>,
    /// People who may sign.
    pub signers: Option<&'a [u8]>,
    pub requirement: &'a Requirement,
}

#[derive(Debug, Default)]
pub(crate) struct AttestationResult {
    /// Why the commits are not covered; empty if they are.
    pub reasons: Vec<AttestationReason>,
    /// The attestations that cover them, with their signers.
    pub accepted: Vec<(ObjectId, String)>,
}

/// An envelope with the statement that it claims.
struct Claim {
    envelope: Envelope,
    statement: Statement,
}

enum Note {
    Read(Vec<Result<Claim, String>>),
    TooLarge,
}

pub(crate) fn verify(question: &Verification<'_>) -> Result<AttestationResult, Failure> {
    let Verification { git, tip, known, .. } = *question;
    let commits = new_commits(git, tip, known)?;
    if commits.len() > COMMITS_LIMIT {
        return Err(format!("{} new commits are too many; push them in parts", commits.len()).into());
    }
    let mut result = AttestationResult::default();
    if commits.is_empty() {
        return Ok(result);
    }
    let Some(signers) = question.signers else {
        result.reasons.push(AttestationReason::NoSigners);
        return Ok(result);
    };
    let trees = trees(git, &commits)?;
    let notes = notes(question, &commits)?;
    let new: BTreeSet<ObjectId> = commits.into_iter().collect();
    let published = reached(git, &bases(&notes, &new), known)?;
    let signers = SshKeygen::find(&git.repo().worktree)?.signers(signers)?;
    let mut search = ChainSearch::new(tip.clone(), new);
    let mut checked = 0;
    while let Some(commit) = search.next_commit() {
        let claims = match notes.get(&commit) {
            None => {
                search.refuse([AttestationReason::Missing { commit }]);
                continue;
            }
            Some(Note::TooLarge) => {
                search.refuse([AttestationReason::TooLarge { commit }]);
                continue;
            }
            Some(Note::Read(claims)) => claims,
        };
        let Some(tree) = trees.get(&commit) else { continue };
        for claim in ordered(claims, &published) {
            if search.is_complete() {
                break;
            }
            let Claim { envelope, statement } = match claim {
                Ok(claim) => claim,
                Err(problem) => {
                    search.refuse([damaged(&commit, problem)]);
                    continue;
                }
            };
            let reasons = judge_statement(statement, &commit, tree, question.requirement);
            if !reasons.is_empty() {
                search.refuse(reasons);
                continue;
            }
            checked += 1;
            if checked > SIGNATURES_LIMIT {
                return Err(format!("more than {SIGNATURES_LIMIT} signatures to check; push in parts").into());
            }
            match signers.signer(&Envelope::message(&envelope.payload), &envelope.signature)? {
                Err(problem) => {
                    search.refuse([AttestationReason::NotSigned { commit: commit.clone(), problem }]);
                }
                Ok(signer) => {
                    result.accepted.push((commit.clone(), signer));
                    let base = statement.predicate.base.as_ref().map(|base| &base.commit);
                    search.accept(&commit, base, base.is_some_and(|base| published.contains(base)));
                }
            }
        }
    }
    result.reasons = search.reasons();
    Ok(result)
}

fn damaged(commit: &ObjectId, problem: &str) -> AttestationReason {
    AttestationReason::Damaged { commit: commit.clone(), problem: problem.to_owned() }
}

/// Those first that lead straight to published content.
fn ordered<'a>(
    claims: &'a [Result<Claim, String>],
    published: &BTreeSet<ObjectId>,
) -> Vec<&'a Result<Claim, String>> {
    let mut ordered: Vec<_> = claims.iter().collect();
    ordered.sort_by_key(|claim| {
        let base = claim.as_ref().ok().map(|claim| claim.statement.predicate.base.as_ref());
        match base {
            Some(None) => 0,
            Some(Some(base)) if published.contains(&base.commit) => 0,
            Some(Some(_)) => 1,
            None => 2,
        }
    });
    ordered
}

/// The notes of these commits.
fn notes(question: &Verification<'_>, commits: &[ObjectId]) -> Result<BTreeMap<ObjectId, Note>, Failure> {
    let Some(tip) = question.notes else { return Ok(BTreeMap::new()) };
    let tree = note_tree(question.git, tip)?;
    let noted: Vec<(&ObjectId, &ObjectId)> =
        commits.iter().filter_map(|commit| Some((commit, tree.notes.get(commit)?))).collect();
    let blobs: Vec<ObjectId> = noted.iter().map(|(_, blob)| (*blob).clone()).collect();
    let mut bytes = 0;
    let mut notes = BTreeMap::new();
    for ((commit, _), read) in noted.into_iter().zip(objects(question.git, &blobs, NOTE_LIMIT)?) {
        let note = match read?.1 {
            Content::TooLarge(_) => Note::TooLarge,
            Content::Bytes(text) => {
                bytes += text.len();
                if bytes > BYTES_LIMIT {
                    return Err("the notes of these commits are too large; push in parts".into());
                }
                Note::Read(lines(&text).take(ENVELOPES_LIMIT).map(claim).collect())
            }
        };
        notes.insert(commit.clone(), note);
    }
    Ok(notes)
}

fn claim(line: &[u8]) -> Result<Claim, String> {
    let envelope = Envelope::parse(line)?;
    let statement = envelope.statement()?;
    Ok(Claim { envelope, statement })
}

/// All bases that are not in the range themselves.
fn bases(notes: &BTreeMap<ObjectId, Note>, new: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    let claims = notes.values().filter_map(|note| match note {
        Note::Read(claims) => Some(claims.iter().flatten()),
        Note::TooLarge => None,
    });
    let bases = claims.flatten().filter_map(|claim| claim.statement.predicate.base.as_ref());
    bases.map(|base| base.commit.clone()).filter(|base| !new.contains(base)).collect()
}
