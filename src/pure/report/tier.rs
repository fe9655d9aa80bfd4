//! One tier of a loop as a whole, which the outcome itself keeps only check by check.

use crate::pure::review::loop1::SecretScan;
use crate::pure::review::{CheckOutcome, LoopOutcome, LoopVerdict};

pub(super) struct Tier<'a> {
    pub number: u8,
    pub verdict: LoopVerdict,
    pub elapsed_ms: u64,
    pub checks: &'a [CheckOutcome],
}

pub(super) fn tiers(outcome: &LoopOutcome) -> Vec<Tier<'_>> {
    let later = outcome.tiers.iter().filter(|(number, _)| **number > 1).flat_map(|(_, checks)| checks);
    // The checks of tier 1 overlap, so that their sum says nothing.
    let first_ms = outcome.elapsed_ms.saturating_sub(sum(later));
    let tiers = outcome.tiers.iter().map(|(&number, checks)| Tier {
        number,
        verdict: verdict(outcome, checks),
        elapsed_ms: if number == 1 { first_ms } else { sum(checks) },
        checks,
    });
    tiers.collect()
}

fn sum<'a>(checks: impl IntoIterator<Item = &'a CheckOutcome>) -> u64 {
    checks.into_iter().map(|check| check.elapsed_ms).fold(0, u64::saturating_add)
}

fn verdict(outcome: &LoopOutcome, checks: &[CheckOutcome]) -> LoopVerdict {
    if matches!(outcome.verdict, LoopVerdict::Stale { .. }) {
        return outcome.verdict.clone();
    }
    let failed = checks.iter().find(|check| check.verdict == LoopVerdict::Fail);
    let secrets = checks.iter().find(|check| check.name == SecretScan::NAME);
    let passed = checks.iter().find(|check| check.verdict.passed());
    let deciding = failed.or(secrets).or(passed).map(|check| check.verdict.clone());
    deciding.unwrap_or_else(|| LoopVerdict::Skip { reason: reasons(checks) })
}

fn reasons(checks: &[CheckOutcome]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for check in checks {
        if let LoopVerdict::Skip { reason } = &check.verdict
            && !reasons.contains(&reason.as_str())
        {
            reasons.push(reason);
        }
    }
    reasons.join("; ")
}
