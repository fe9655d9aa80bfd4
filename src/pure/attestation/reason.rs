//! Why attestations do not show that a commit was reviewed.

use crate::pure::policy::LoopNumber;
use crate::pure::review::ObjectId;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttestationReason {
    /// The base has no list of people who may sign.
    NoSigners,
    Missing {
        commit: ObjectId,
    },
    /// The note is too large to be read.
    TooLarge {
        commit: ObjectId,
    },
    Damaged {
        commit: ObjectId,
        problem: String,
    },
    /// The statement is about another commit or another tree.
    OtherSubject {
        commit: ObjectId,
    },
    /// The signature is that of nobody who may sign, or does not fit the statement.
    NotSigned {
        commit: ObjectId,
        problem: String,
    },
    Laxer {
        commit: ObjectId,
        settings: Vec<String>,
    },
    NotRun {
        commit: ObjectId,
        number: LoopNumber,
    },
    NotPassed {
        commit: ObjectId,
        number: LoopNumber,
        verdict: String,
    },
    TooOld {
        commit: ObjectId,
        days: i64,
        limit: u32,
    },
    NoTime {
        commit: ObjectId,
    },
    Overridden {
        commit: ObjectId,
        why: String,
    },
    /// The review started from a commit that is not published and not in the range.
    UnknownBase {
        commit: ObjectId,
        base: ObjectId,
    },
}

impl AttestationReason {
    /// The commit that it is about.
    pub fn commit(&self) -> Option<&ObjectId> {
        match self {
            Self::NoSigners => None,
            Self::Missing { commit }
            | Self::TooLarge { commit }
            | Self::Damaged { commit, .. }
            | Self::OtherSubject { commit }
            | Self::NotSigned { commit, .. }
            | Self::Laxer { commit, .. }
            | Self::NotRun { commit, .. }
            | Self::NotPassed { commit, .. }
            | Self::TooOld { commit, .. }
            | Self::NoTime { commit }
            | Self::Overridden { commit, .. }
            | Self::UnknownBase { commit, .. } => Some(commit),
        }
    }

    /// A name for tools.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoSigners => "attestation/no-signers",
            Self::Missing { .. } => "attestation/missing",
            Self::TooLarge { .. } => "attestation/too-large",
            Self::Damaged { .. } => "attestation/damaged",
            Self::OtherSubject { .. } => "attestation/other-subject",
            Self::NotSigned { .. } => "attestation/not-signed",
            Self::Laxer { .. } => "attestation/laxer-policy",
            Self::NotRun { .. } => "attestation/loop-not-run",
            Self::NotPassed { .. } => "attestation/loop-not-passed",
            Self::TooOld { .. } | Self::NoTime { .. } => "attestation/too-old",
            Self::Overridden { .. } => "attestation/overridden",
            Self::UnknownBase { .. } => "attestation/unknown-base",
        }
    }
}

impl fmt::Display for AttestationReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(commit) = self.commit() {
            write!(f, "{} ", commit.short())?;
        }
        match self {
            Self::NoSigners => {
                f.write_str("the base names nobody who may sign (.claude/config/allowed-signers)")
            }
            Self::Missing { .. } => f.write_str("has no attestation in refs/notes/plimsoll"),
            Self::TooLarge { .. } => f.write_str("has a note that is too large to be read"),
            Self::Damaged { problem, .. } => write!(f, "has an attestation that {problem}"),
            Self::OtherSubject { .. } => f.write_str("has an attestation of another commit or tree"),
            Self::NotSigned { problem, .. } => {
                write!(f, "has an attestation without a valid signature: {problem}")
            }
            Self::Laxer { settings, .. } => {
                write!(f, "was reviewed under a laxer policy than the base's: {}", settings.join(", "))
            }
            Self::NotRun { number, .. } => write!(f, "was attested without loop {number}"),
            Self::NotPassed { number, verdict, .. } => write!(f, "did not pass loop {number} ({verdict})"),
            Self::TooOld { days, limit, .. } => {
                write!(f, "was attested {days} days ago; the limit is {limit}")
            }
            Self::NoTime { .. } => f.write_str("has an attestation without a valid time"),
            Self::Overridden { why, .. } => write!(f, "left by an override: {why}"),
            Self::UnknownBase { base, .. } => {
                write!(f, "was reviewed against {}, which is not published here", base.short())
            }
        }
    }
}
