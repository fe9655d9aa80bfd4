//! The results of loop 1 so far, whether to continue, and the result of the loop.

use super::{CheckResult, SecretScan};
use crate::pure::policy::Loop1;
use crate::pure::review::{CheckOutcome, Finding, LoopOutcome, LoopVerdict};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub(crate) struct CheckTally {
    tiers: BTreeMap<u8, Vec<CheckOutcome>>,
    findings: Vec<Finding>,
}

impl CheckTally {
    pub fn record(&mut self, tier: u8, judged: CheckResult) {
        self.tiers.entry(tier).or_default().push(judged.outcome);
        self.findings.extend(judged.findings);
    }

    /// Why no further check of tier 2 may run.
    pub fn stop(&self, settings: &Loop1) -> Option<String> {
        let failed = |tier: u8| {
            let mut checks = self.tiers.get(&tier).into_iter().flatten();
            checks
                .find(|check| check.verdict == LoopVerdict::Fail)
                .map(|check| format!("not run: {} failed", check.name))
        };
        failed(1).or_else(|| failed(2).filter(|_| settings.fail_fast_tier2))
    }

    /// Without checks, the secret scan decides. If no program of the checks is installed, the loop is skipped.
    pub fn outcome(self, elapsed: Duration) -> LoopOutcome {
        let all = || self.tiers.values().flatten();
        let verdict = match all().find(|check| check.name == SecretScan::NAME).map(|check| &check.verdict) {
            _ if all()
                .any(|check| !matches!(check.verdict, LoopVerdict::Pass | LoopVerdict::Skip { .. })) =>
            {
                LoopVerdict::Fail
            }
            Some(LoopVerdict::Pass) => self.none_installed().unwrap_or(LoopVerdict::Pass),
            Some(verdict) => verdict.clone(),
            None => LoopVerdict::Skip { reason: "the secret scan did not run".into() },
        };
        let elapsed_ms = super::check_run::milliseconds(elapsed);
        LoopOutcome { tiers: self.tiers, findings: self.findings, ..LoopOutcome::ended(verdict, elapsed_ms) }
    }

    /// A check with a command is skipped only if its program is not installed.
    fn none_installed(&self) -> Option<LoopVerdict> {
        let planned = || self.tiers.values().flatten().filter(|check| check.command.is_some());
        let LoopVerdict::Skip { reason } = &planned().next()?.verdict else { return None };
        let all = planned().all(|check| matches!(check.verdict, LoopVerdict::Skip { .. }));
        all.then(|| LoopVerdict::Skip { reason: format!("none of the project's checks could run: {reason}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::GitPath;

    fn check(name: &str, verdict: LoopVerdict) -> CheckResult {
        let mut judged = CheckResult::skipped(name, "no script");
        judged.outcome.verdict = verdict;
        judged
    }

    fn skipped(name: &str) -> CheckResult {
        CheckResult::skipped(name, "no script")
    }

    fn tally(recorded: &[(u8, CheckResult)]) -> CheckTally {
        let mut tally = CheckTally::default();
        for (tier, judged) in recorded {
            tally.record(*tier, judged.clone());
        }
        tally
    }

    fn verdict(recorded: &[(u8, CheckResult)]) -> LoopVerdict {
        tally(recorded).outcome(Duration::ZERO).verdict
    }

    #[test]
    fn a_failure_in_tier_1_stops_tier_2_whatever_the_settings() {
        let settings = Loop1 { fail_fast_tier2: false, ..Loop1::default() };
        let tally = tally(&[(1, skipped("format")), (1, check("lint", LoopVerdict::Fail))]);
        assert_eq!(tally.stop(&settings).unwrap(), "not run: lint failed");
    }

    #[test]
    fn a_failure_in_tier_2_stops_the_rest_only_if_fail_fast_is_on() {
        let tally = tally(&[(1, check("lint", LoopVerdict::Pass)), (2, check("build", LoopVerdict::Fail))]);
        assert_eq!(tally.stop(&Loop1::default()).unwrap(), "not run: build failed");
        assert_eq!(tally.stop(&Loop1 { fail_fast_tier2: false, ..Loop1::default() }), None);
    }

    #[test]
    fn checks_whose_programs_are_all_missing_leave_the_loop_skipped() {
        let clean = SecretScan::default().judge();
        let planned = |name: &str, verdict: LoopVerdict| {
            let mut judged = check(name, verdict);
            judged.outcome.command = Some(format!("npm run {name}"));
            judged
        };
        let absent = |name: &str| planned(name, LoopVerdict::Skip { reason: "npm is not installed".into() });
        let reason = "none of the project's checks could run: npm is not installed".to_string();
        let without_npm = [(1, skipped("format")), (1, absent("lint")), (2, clean), (2, absent("test"))];
        assert_eq!(verdict(&without_npm), LoopVerdict::Skip { reason });
        let one_ran = [&without_npm[..], &[(2, planned("build", LoopVerdict::Pass))]].concat();
        assert_eq!(verdict(&one_ran), LoopVerdict::Pass);
    }

    #[test]
    fn skips_alone_pass_only_on_a_completed_secret_scan() {
        let clean = SecretScan::default().judge();
        let partial = SecretScan { unscanned: vec![GitPath::new("big")], ..SecretScan::default() }.judge();
        assert_eq!(
            verdict(&[(1, skipped("lint")), (2, clean.clone()), (2, skipped("test"))]),
            LoopVerdict::Pass
        );
        assert!(matches!(
            verdict(&[(1, check("lint", LoopVerdict::Pass)), (2, partial)]),
            LoopVerdict::Skip { .. }
        ));
        assert!(matches!(verdict(&[(1, check("lint", LoopVerdict::Pass))]), LoopVerdict::Skip { .. }));
        assert!(matches!(verdict(&[]), LoopVerdict::Skip { .. }));
        assert_eq!(verdict(&[(2, clean), (2, check("test", LoopVerdict::Fail))]), LoopVerdict::Fail);
    }
}
