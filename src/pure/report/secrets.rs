//! The result of a secret scan as text, JSON and SARIF. Redacted throughout.

use super::unified::{SARIF_SCHEMA, uri};
use crate::pure::secret::{Match, PATTERNS, SecretSeverity, SecretVerdict};
use crate::pure::text::{counted, printable};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// One match with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSecret {
    pub file: String,
    pub line: u32,
    pub found: Match,
}

/// The result of a finished scan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecretReport {
    pub matches: Vec<FoundSecret>,
    pub files: usize,
    /// Files that could not be scanned, and why.
    pub unscanned: Vec<(String, String)>,
    pub elapsed: Duration,
}

impl FoundSecret {
    pub fn all(file: &str, found: Vec<Match>) -> impl Iterator<Item = Self> {
        found.into_iter().map(move |found| Self { file: file.to_owned(), line: found.line, found })
    }
}

impl SecretReport {
    pub fn add(&mut self, other: Self) {
        self.matches.extend(other.matches);
        self.unscanned.extend(other.unscanned);
        self.files += other.files;
    }

    pub fn blocks(&self) -> bool {
        self.matches.iter().any(|found| found.found.verdict == SecretVerdict::Block)
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for FoundSecret { file, line, found } in &self.matches {
            let Match { rule, severity, verdict, reason, redacted, .. } = found;
            let (file, redacted) = (printable(file), printable(redacted));
            text += &format!(
                "{file}:{line}: {} {rule} ({}, {redacted}): {reason}\n",
                verdict.name(),
                severity.name()
            );
        }
        let block = self.matches.iter().filter(|found| found.found.verdict == SecretVerdict::Block).count();
        let ask = self.matches.len() - block;
        text += &format!(
            "{}, {PATTERNS} patterns, {} ms: {block} to block, {ask} to look at\n",
            counted(self.files, "file"),
            self.elapsed.as_millis()
        );
        text
    }

    pub fn json(&self) -> Value {
        let matches = self.matches.iter().map(|FoundSecret { file, line, found }| {
            json!({
                "file": file, "line": line, "rule": found.rule, "severity": found.severity.name(),
                "verdict": found.verdict.name(), "redacted": found.redacted, "reason": found.reason,
            })
        });
        let mut report = json!({
            "matches": matches.collect::<Vec<_>>(),
            "patterns_checked": PATTERNS,
            "files": self.files,
            "ms": u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX),
        });
        if let Some(fields) = report.as_object_mut().filter(|_| !self.unscanned.is_empty()) {
            let names = self.unscanned.iter().map(|(file, why)| json!({"file": file, "reason": why}));
            fields.insert("unscanned".into(), names.collect());
        }
        report
    }

    /// SARIF 2.1.0.
    pub fn sarif(&self) -> Value {
        let rules: BTreeMap<&str, &str> =
            self.matches.iter().map(|found| (found.found.rule, found.found.reason)).collect();
        let rules = rules.iter().map(|(id, reason)| json!({"id": id, "shortDescription": {"text": reason}}));
        let results = self.matches.iter().map(|FoundSecret { file, line, found }| {
            let level = match (found.verdict, found.severity) {
                (SecretVerdict::Block, _) => "error",
                (SecretVerdict::Ask, SecretSeverity::High | SecretSeverity::Critical) => "warning",
                (SecretVerdict::Ask, SecretSeverity::Medium) => "note",
            };
            let message = format!("{} ({}): {}", found.rule, found.redacted, found.reason);
            json!({
                "ruleId": found.rule,
                "level": level,
                "message": {"text": message},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": uri(file)}, "region": {"startLine": line},
                }}],
                "properties": {"verdict": found.verdict.name(), "severity": found.severity.name()},
            })
        });
        json!({
            "$schema": SARIF_SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "plimsoll", "version": env!("CARGO_PKG_VERSION"), "rules": rules.collect::<Vec<_>>(),
                }},
                "results": results.collect::<Vec<_>>(),
                "invocations": [{"executionSuccessful": self.unscanned.is_empty()}],
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> SecretReport {
        let found = Match {
            rule: "github-token",
            severity: SecretSeverity::Critical,
            verdict: SecretVerdict::Block,
            reason: "its form",
            line: 3,
            redacted: "ghp_…".into(),
        };
        let matches = FoundSecret::all("a b.rs", vec![found]).collect();
        SecretReport { matches, files: 2, unscanned: Vec::new(), elapsed: Duration::from_millis(4) }
    }

    #[test]
    fn json_has_the_fields_that_were_promised() {
        let expected = json!({
            "matches": [{
                "file": "a b.rs", "line": 3, "rule": "github-token", "severity": "critical", "verdict": "block",
                "redacted": "ghp_…", "reason": "its form",
            }],
            "patterns_checked": PATTERNS, "files": 2, "ms": 4,
        });
        assert_eq!(report().json(), expected);
    }

    #[test]
    fn sarif_names_rule_level_and_place() {
        let sarif = report().sarif();
        let result = &sarif["runs"][0]["results"][0];
        assert_eq!((&result["ruleId"], &result["level"]), (&json!("github-token"), &json!("error")));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.rs");
        assert_eq!(place["region"]["startLine"], 3);
    }

    #[test]
    fn text_ends_with_a_summary() {
        let text = report().text();
        assert!(text.starts_with("a b.rs:3: block github-token (critical, ghp_…): its form\n"), "{text}");
        assert!(text.ends_with("4 ms: 1 to block, 0 to look at\n"), "{text}");
    }
}
