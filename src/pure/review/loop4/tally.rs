//! The result of loop 4 from the tests and the feedback.

use crate::pure::review::loop1::CheckResult;
use crate::pure::review::{CheckOutcome, LoopOutcome, LoopVerdict};

/// A failed check fails the loop; a test that could not run skips it; otherwise one pass is enough, because most projects
/// have only some of these checks.
pub(crate) fn outcome(tests: Vec<CheckResult>, feedback: CheckResult, elapsed_ms: u64) -> LoopOutcome {
    let checks = || tests.iter().chain([&feedback]).map(|judged| &judged.outcome);
    let verdict =
        if checks().any(|check| matches!(check.verdict, LoopVerdict::Fail | LoopVerdict::Stale { .. })) {
            LoopVerdict::Fail
        } else if let Some(reason) = checks().find_map(could_not_run) {
            LoopVerdict::Skip { reason }
        } else if checks().any(|check| check.verdict.passed()) {
            LoopVerdict::Pass
        } else {
            let mut reasons: Vec<String> = checks().filter_map(skipped).collect();
            reasons.dedup();
            LoopVerdict::Skip { reason: reasons.join("; ") }
        };
    let mut outcome = LoopOutcome::ended(verdict, elapsed_ms);
    for (tier, judged) in tests.into_iter().map(|test| (1, test)).chain([(2, feedback)]) {
        outcome.tiers.entry(tier).or_default().push(judged.outcome);
        outcome.findings.extend(judged.findings);
    }
    outcome
}

fn could_not_run(check: &CheckOutcome) -> Option<String> {
    check.command.as_ref().and_then(|_| skipped(check))
}

fn skipped(check: &CheckOutcome) -> Option<String> {
    match &check.verdict {
        LoopVerdict::Skip { reason } => Some(format!("{}: {reason}", check.name)),
        LoopVerdict::Pass | LoopVerdict::Fail | LoopVerdict::Stale { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, command: bool, verdict: LoopVerdict) -> CheckResult {
        let mut judged = CheckResult::skipped(name, "not there");
        judged.outcome.verdict = verdict;
        judged.outcome.command = command.then(|| "run it".into());
        judged
    }

    fn skip() -> LoopVerdict {
        LoopVerdict::Skip { reason: "not there".into() }
    }

    #[test]
    fn one_failure_fails_and_nothing_at_all_is_a_skip_with_every_reason() {
        use LoopVerdict::{Fail, Pass};
        for (integration, e2e, pr, word) in [
            ((true, Pass), (true, Pass), Pass, "pass"),
            ((true, Pass), (false, skip()), skip(), "pass"),
            ((false, skip()), (false, skip()), Pass, "pass"),
            ((true, Fail), (true, Pass), Pass, "fail"),
            ((true, Pass), (true, Pass), Fail, "fail"),
            ((false, skip()), (false, skip()), skip(), "skip"),
            ((true, skip()), (true, Pass), Pass, "skip"),
        ] {
            let tests = vec![check("integration", integration.0, integration.1), check("e2e", e2e.0, e2e.1)];
            assert_eq!(outcome(tests, check("pr feedback", false, pr), 1).verdict.word(), word);
        }
        let none = outcome(vec![check("integration", false, skip())], check("pr feedback", false, skip()), 1);
        let reason = "integration: not there; pr feedback: not there".to_string();
        assert_eq!(none.verdict, LoopVerdict::Skip { reason });
        assert_eq!((none.tiers[&1].len(), none.tiers[&2].len()), (1, 1));
    }
}
