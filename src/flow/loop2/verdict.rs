//! What findings come to, and how long a reading is believed.

use crate::flow::clock;
use crate::policy::{Blocking, Settings};
use crate::review::{Evidence, Finding, Severity, Verdict};

/// Whether a finding of this severity fails the reading. A critical one always does.
pub fn blocks(blocking: &Blocking, severity: Severity) -> bool {
    match severity {
        Severity::Critical => true,
        Severity::Major => blocking.major_blocks_ship,
        Severity::Minor => blocking.minor_blocks_ship,
    }
}

/// Computed from the findings, whatever the reader thinks of them. What a person dismissed fails nothing.
pub fn verdict(blocking: &Blocking, findings: &[Finding], evidence: &Evidence) -> Verdict {
    let counts = |finding: &&Finding| {
        blocks(blocking, finding.severity) && evidence.dismissal(&finding.id()).is_none()
    };
    if findings.iter().any(|finding| counts(&finding)) { Verdict::Fail } else { Verdict::Pass }
}

/// The moment before which a reading is too old to be used again.
pub fn since(settings: &Settings, now: u64) -> String {
    clock::moment(now.saturating_sub(settings.blocking.max_evidence_age_minutes.saturating_mul(60_000)))
}
