//! Attestations: made for what the gate let leave, kept in git notes, and checked by whoever does not trust this machine.

mod creation;
mod notes;
mod recorded;
mod requirement;
mod verification;

pub use creation::{AttestRequest, Attested, attest};
pub(crate) use creation::{Attester, Permit};
pub(crate) use notes::{adopt, holds_all, outgoing};
pub(crate) use recorded::recorded;
pub(crate) use requirement::{requirement, signers_at};
pub(crate) use verification::{AttestationResult, Verification, verify};
