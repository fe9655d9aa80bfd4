//! Attestations: what a receipt says about a commit, signed with a person's ssh key, for whoever does not trust the machine
//! that it came from. Pure.
//!
//! An attestation is an in-toto statement in a DSSE envelope. It names the commit, its tree, the base that the review started
//! from, the policy and the results of the loops. `docs/teams.md` describes the format.

mod coverage;
mod envelope;
mod judge;
mod note;
mod policy;
mod protected;
mod reason;
mod signature;
mod statement;

#[cfg(test)]
pub(crate) use coverage::sample;
pub use coverage::{
    Coverage, HistoryCommit, RecordedReview, ReturnedFinding, Signer, by_signer, coverage, returned,
};
pub use envelope::{Envelope, pae};
pub use judge::{ChainSearch, Requirement, judge_statement};
pub use note::{ENVELOPES_LIMIT, NOTE_LIMIT, is_kept, lines, union};
pub use policy::AttestedPolicy;
pub use protected::ProtectedRefs;
pub use reason::AttestationReason;
pub use signature::{NAMESPACE, armored, public_key, unarmored};
pub use statement::{
    AttestedBase, AttestedCheck, AttestedFinding, AttestedGate, AttestedLoop, PREDICATE_TYPE, Review,
    Statement, Subject,
};
