//! The verdict that follows from findings, and how long a review counts.

use crate::edge::clock;
use crate::pure::policy::{Blocking, Settings};
use crate::pure::review::{Evidence, Finding, FindingSeverity, LoopVerdict};

/// Whether a finding of this severity fails the review. A critical one always does.
pub(crate) fn blocks(blocking: &Blocking, severity: FindingSeverity) -> bool {
    match severity {
        FindingSeverity::Critical => true,
        FindingSeverity::Major => blocking.major_blocks_ship,
        FindingSeverity::Minor => blocking.minor_blocks_ship,
    }
}

/// Computed from the findings, whatever the reviewer thinks of them. What a person dismissed fails nothing.
pub(crate) fn verdict(blocking: &Blocking, findings: &[Finding], evidence: &Evidence) -> LoopVerdict {
    let counts = |finding: &&Finding| {
        blocks(blocking, finding.severity) && evidence.dismissal(&finding.id()).is_none()
    };
    if findings.iter().any(|finding| counts(&finding)) { LoopVerdict::Fail } else { LoopVerdict::Pass }
}

/// The moment before which a review is too old to be used again.
pub(crate) fn since(settings: &Settings, now: u64) -> String {
    clock::moment(now.saturating_sub(settings.blocking.max_evidence_age_minutes.saturating_mul(60_000)))
}
