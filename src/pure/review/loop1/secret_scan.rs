//! The result of the secret scan of the changed files, with redacted text only.

use super::CheckResult;
use crate::pure::review::{CheckOutcome, Finding, FindingSeverity, GitPath, LoopVerdict};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of listed matches; further matches are counted.
const LISTED: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SecretMatch {
    pub path: GitPath,
    pub line: u32,
    pub rule: String,
    pub severity: &'static str,
    /// Fails the scan; otherwise a guess to look at.
    pub certain: bool,
    pub reason: &'static str,
    pub redacted: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SecretScan {
    pub patterns: usize,
    pub scanned: usize,
    pub matches: Vec<SecretMatch>,
    /// Changed files that could not be read.
    pub unscanned: Vec<GitPath>,
    pub elapsed: Duration,
}

impl SecretScan {
    pub const NAME: &str = "secrets";

    /// Passes only if every changed file was scanned and no match is certain.
    pub fn judge(&self) -> CheckResult {
        let certain = self.matches.iter().any(|found| found.certain);
        let verdict = match (certain, self.unscanned.as_slice()) {
            (false, []) => LoopVerdict::Pass,
            (false, [_, ..]) => LoopVerdict::Skip { reason: self.unscanned_text() },
            (true, _) => LoopVerdict::Fail,
        };
        let facts = [
            ("patterns_checked", json!(self.patterns)),
            ("matches", json!(self.matches.len())),
            ("files_checked", json!(self.scanned)),
        ];
        let listed = self.certain_first().into_iter().take(LISTED);
        let outcome = CheckOutcome {
            name: Self::NAME.into(),
            verdict,
            command: None,
            elapsed_ms: super::check_run::milliseconds(self.elapsed),
            output: listed.map(SecretMatch::line).collect::<Vec<_>>().join("\n"),
            facts: BTreeMap::from(facts.map(|(name, value)| (name.into(), value))),
        };
        CheckResult { outcome, findings: self.findings() }
    }

    fn findings(&self) -> Vec<Finding> {
        let more = self.matches.len().saturating_sub(LISTED);
        let listed = self.certain_first().into_iter().take(LISTED);
        let mut findings: Vec<Finding> = listed.map(SecretMatch::finding).collect();
        if more > 0 {
            let certain = self.certain_first().get(LISTED).is_some_and(|found| found.certain);
            findings.push(finding(severity(certain), format!("{more} more possible secrets"), REMOVE));
        }
        if !self.unscanned.is_empty() {
            findings.push(finding(
                FindingSeverity::Major,
                self.unscanned_text(),
                "make them smaller, or leave them out of the review",
            ));
        }
        findings
    }

    /// A shortened list must keep the certain matches.
    fn certain_first(&self) -> Vec<&SecretMatch> {
        let (mut certain, guessed): (Vec<_>, Vec<_>) = self.matches.iter().partition(|found| found.certain);
        certain.extend(guessed);
        certain
    }

    fn unscanned_text(&self) -> String {
        let names: Vec<String> = self.unscanned.iter().take(5).map(ToString::to_string).collect();
        let more = if self.unscanned.len() > names.len() { " …" } else { "" };
        format!(
            "{} changed files were not scanned for secrets: {}{more}",
            self.unscanned.len(),
            names.join(", ")
        )
    }
}

const REMOVE: &str =
    "remove it from the file, keep it outside the repository, and replace it if it was ever real";
const LOOK: &str = "if it is real, keep it outside the repository; if not, nothing needs to be done";

fn severity(certain: bool) -> FindingSeverity {
    if certain { FindingSeverity::Critical } else { FindingSeverity::Major }
}

impl SecretMatch {
    fn line(&self) -> String {
        format!("{}:{}: {} ({})", self.path, self.line, self.rule, self.redacted)
    }

    fn finding(&self) -> Finding {
        let message =
            format!("possible secret: {}, {} ({}): {}", self.rule, self.severity, self.redacted, self.reason);
        let fix = if self.certain { REMOVE } else { LOOK };
        Finding {
            file: Some(self.path.to_string()),
            line: Some(self.line),
            ..finding(severity(self.certain), message, fix)
        }
    }
}

fn finding(severity: FindingSeverity, message: String, fix: &str) -> Finding {
    Finding { fix: Some(fix.into()), ..Finding::new(severity, SecretScan::NAME, message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(matches: usize, unscanned: &[&str]) -> SecretScan {
        let one = |line| SecretMatch {
            path: GitPath::new("src/a.rs"),
            line,
            rule: "AWS Access Key".into(),
            severity: "critical",
            certain: true,
            reason: "it has its form",
            redacted: "AKIA…".into(),
        };
        SecretScan {
            patterns: 7,
            scanned: 2,
            matches: (1..).take(matches).map(one).collect(),
            unscanned: unscanned.iter().map(|path| GitPath::new(path)).collect(),
            elapsed: Duration::from_millis(3),
        }
    }

    #[test]
    fn each_match_is_a_critical_finding_at_its_line() {
        let judged = scan(2, &[]).judge();
        assert_eq!(judged.outcome.verdict, LoopVerdict::Fail);
        assert_eq!(
            judged.outcome.output,
            "src/a.rs:1: AWS Access Key (AKIA…)\nsrc/a.rs:2: AWS Access Key (AKIA…)"
        );
        assert_eq!(judged.findings[1].severity, FindingSeverity::Critical);
        assert_eq!(judged.findings[1].line, Some(2));
        assert_eq!(
            judged.findings[1].message,
            "possible secret: AWS Access Key, critical (AKIA…): it has its form"
        );
        assert_eq!(
            json!(judged.outcome.facts),
            json!({"patterns_checked": 7, "matches": 2, "files_checked": 2})
        );
    }

    #[test]
    fn a_guess_is_listed_after_what_is_certain_and_fails_nothing() {
        let mut guessed = scan(1, &[]);
        guessed.matches[0].certain = false;
        let judged = guessed.judge();
        assert_eq!(judged.outcome.verdict, LoopVerdict::Pass);
        assert_eq!(judged.findings[0].severity, FindingSeverity::Major);
        guessed.matches.extend(scan(2, &[]).matches.pop());
        let judged = guessed.judge();
        assert_eq!(judged.outcome.verdict, LoopVerdict::Fail);
        assert_eq!(judged.findings[0].line, Some(2));
    }

    #[test]
    fn a_file_that_could_not_be_scanned_is_never_a_pass() {
        assert_eq!(scan(0, &[]).judge().outcome.verdict, LoopVerdict::Pass);
        let judged = scan(0, &["big.bin", "b", "c", "d", "e", "f"]).judge();
        let reason = "6 changed files were not scanned for secrets: big.bin, b, c, d, e …";
        assert_eq!(judged.outcome.verdict, LoopVerdict::Skip { reason: reason.into() });
        assert_eq!(judged.findings[0].severity, FindingSeverity::Major);
        assert_eq!(scan(1, &["big.bin"]).judge().outcome.verdict, LoopVerdict::Fail);
    }

    #[test]
    fn a_thousand_matches_are_counted_but_not_listed() {
        let judged = scan(1000, &[]).judge();
        assert_eq!(judged.findings.len(), LISTED + 1);
        assert_eq!(judged.findings[LISTED].message, "950 more possible secrets");
    }
}
