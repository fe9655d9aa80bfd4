//! `plimsoll gate verify` in every form: text, JSON, GitHub annotations, SARIF.

use super::unified::SARIF_SCHEMA;
use crate::pure::attestation::AttestationReason;
use crate::pure::gate::GateReason;
use crate::pure::policy::LoopNumber;
use crate::pure::review::{LoopVerdict, ObjectId};
use crate::pure::text::counted;
use serde_json::{Value, json};

/// A range of commits, and why it may not pass.
#[derive(Debug, Clone)]
pub struct VerifiedRange {
    pub commit: ObjectId,
    pub base: Option<ObjectId>,
    /// How many files the range changes.
    pub changes: usize,
    /// Empty: the gate is open.
    pub reasons: Vec<VerifiedReason>,
    pub rerun: Option<LoopVerdict>,
    /// Required loops that nobody judged, because only what was run again counts.
    pub not_judged: Vec<LoopNumber>,
    /// The attested commits with their signers; `None` where receipts were judged.
    pub accepted: Option<Vec<(ObjectId, String)>>,
}

/// One reason, with a name for tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedReason {
    pub rule: String,
    pub text: String,
    /// Whether a receipt on another machine may say otherwise.
    of_receipts: bool,
}

impl VerifiedReason {
    pub(crate) fn of_gate(reason: &GateReason) -> Self {
        let rule = match reason {
            GateReason::NoState => "gate/no-state",
            GateReason::Unreliable { .. } => "gate/unreliable",
            GateReason::CouldNotCheck { .. } => "gate/could-not-check",
            GateReason::NotRun { .. } => "gate/loop-not-run",
            GateReason::Failed { .. } => "gate/loop-failed",
            GateReason::Skipped { .. } => "gate/loop-skipped",
            GateReason::Stale { .. } => "gate/stale",
            GateReason::PolicyChanged { .. } => "gate/policy-changed",
            GateReason::Unread { .. } => "gate/unread",
            GateReason::Leaks { .. } => "gate/secrets",
            GateReason::History { .. } => "gate/history",
            GateReason::Submodule(_) => "gate/submodule",
        };
        let of_receipts =
            matches!(reason, GateReason::NoState | GateReason::NotRun { .. } | GateReason::Unread { .. });
        Self { rule: rule.into(), text: reason.to_string(), of_receipts }
    }

    pub fn of_attestation(reason: &AttestationReason) -> Self {
        Self { rule: reason.rule().into(), text: reason.to_string(), of_receipts: false }
    }
}

impl VerifiedRange {
    pub fn is_open(&self) -> bool {
        self.reasons.is_empty()
    }

    pub fn text(&self) -> String {
        let base = self.base.as_ref().map_or("an empty tree".into(), |base| base.short().to_owned());
        let mut text = format!(
            "Verified {} against {base}: {}, secrets of the whole range scanned\n",
            self.commit.short(),
            counted(self.changes, "changed file")
        );
        for (commit, signer) in self.accepted.iter().flatten() {
            text += &format!("Attestation of {} signed by {signer}\n", commit.short());
        }
        if let Some(verdict) = &self.rerun {
            text += &format!("Loop 1, run again here: {}\n", verdict.word().to_uppercase());
        }
        for number in &self.not_judged {
            text += &format!("Loop {number} is required to ship and was NOT judged here (--only-rerun)\n");
        }
        if self.is_open() {
            return text + "Gate: OPEN\n";
        }
        text += "Gate: CLOSED\n";
        text += &self.reasons.iter().map(|reason| format!("  - {}\n", reason.text)).collect::<String>();
        if self.reasons.iter().any(|reason| reason.of_receipts) {
            text += "Receipts stay where the review ran. Run this there, attest the commit, or judge by --rerun 1 --only-rerun.\n";
        }
        text
    }

    pub fn json(&self) -> Value {
        let reasons: Vec<Value> =
            self.reasons.iter().map(|reason| json!({"rule": reason.rule, "text": reason.text})).collect();
        let accepted = self.accepted.as_ref().map(|accepted| {
            let each = accepted.iter().map(|(commit, signer)| json!({"commit": commit, "signer": signer}));
            each.collect::<Vec<_>>()
        });
        json!({
            "version": 1,
            "open": self.is_open(),
            "commit": self.commit,
            "base": self.base,
            "changed_files": self.changes,
            "reasons": reasons,
            "rerun": self.rerun.as_ref().map(LoopVerdict::word),
            "not_judged": self.not_judged,
            "attestations": accepted,
        })
    }

    /// Workflow commands of GitHub Actions, one line each.
    pub fn annotations(&self) -> String {
        let line = |level: &str, title: &str, text: &str| {
            format!("::{level} title={}::{}\n", escaped(title, true), escaped(text, false))
        };
        let reasons = self.reasons.iter().map(|reason| line("error", &reason.rule, &reason.text));
        let missing = self.not_judged.iter().map(|number| {
            line(
                "warning",
                "gate/not-judged",
                &format!("Loop {number} is required to ship and was not judged here"),
            )
        });
        let open = || line("notice", "gate/open", &format!("The gate is open for {}", self.commit.short()));
        let open = self.is_open().then(open);
        reasons.chain(missing).chain(open).collect()
    }

    pub fn sarif(&self) -> Value {
        let results: Vec<Value> = self
            .reasons
            .iter()
            .map(|reason| json!({"ruleId": reason.rule, "level": "error", "message": {"text": reason.text}}))
            .collect();
        let rules: std::collections::BTreeSet<&str> =
            self.reasons.iter().map(|reason| reason.rule.as_str()).collect();
        let rules: Vec<Value> = rules.into_iter().map(|id| json!({"id": id})).collect();
        json!({
            "$schema": SARIF_SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "plimsoll", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
                "results": results,
                "properties": {"commit": self.commit, "base": self.base, "open": self.is_open()},
            }],
        })
    }
}

/// As GitHub asks for it, so that no text ends the command or begins another one.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed() -> VerifiedRange {
        let commit = ObjectId::parse(&"a".repeat(40)).unwrap();
        let missing = AttestationReason::Missing { commit: commit.clone() };
        let failed =
            GateReason::Failed { number: LoopNumber::One, blockers: vec!["100%\n::error::x".into()] };
        VerifiedRange {
            reasons: vec![VerifiedReason::of_attestation(&missing), VerifiedReason::of_gate(&failed)],
            commit,
            base: None,
            changes: 2,
            rerun: Some(LoopVerdict::Fail),
            not_judged: Vec::new(),
            accepted: Some(Vec::new()),
        }
    }

    #[test]
    fn each_form_names_every_reason() {
        let range = closed();
        assert!(
            range.text().contains("Gate: CLOSED\n  - aaaaaaaaaaaa has no attestation"),
            "{}",
            range.text()
        );
        assert_eq!(range.json()["reasons"][0]["rule"], "attestation/missing");
        assert_eq!(range.sarif()["runs"][0]["results"][1]["ruleId"], "gate/loop-failed");
        assert_eq!((range.json()["open"].as_bool(), range.is_open()), (Some(false), false));
    }

    #[test]
    fn no_text_forges_an_annotation() {
        let annotations = closed().annotations();
        assert_eq!(annotations.lines().count(), 2, "{annotations}");
        assert!(annotations.lines().all(|line| line.starts_with("::error title=")), "{annotations}");
        assert!(annotations.contains("100%25%0A::error::x"), "{annotations}");
    }

    #[test]
    fn an_open_gate_is_said_in_each_form() {
        let open = VerifiedRange { reasons: Vec::new(), ..closed() };
        assert!(open.text().ends_with("Gate: OPEN\n") && open.annotations().starts_with("::notice"));
        assert_eq!(open.json()["open"], true);
    }
}
