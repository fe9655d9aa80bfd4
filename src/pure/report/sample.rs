//! Receipts for the tests of this room.

use super::unified::Ship;
use super::{Occasion, Sources, UnifiedReport};
use crate::pure::policy::{LoopNumber, Settings, evidence_hash};
use crate::pure::review::{
    CheckOutcome, Evidence, Finding, FindingSeverity, LoopOutcome, LoopVerdict, ObjectId, RECEIPT_VERSION,
    Receipt, ReviewScope, ScopeKind, TreeId,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) fn check(name: &str, verdict: LoopVerdict, facts: &[(&str, Value)]) -> CheckOutcome {
    CheckOutcome {
        name: name.into(),
        command: (name != "secrets" && !matches!(verdict, LoopVerdict::Skip { .. }))
            .then(|| format!("npm run {name}")),
        verdict,
        elapsed_ms: 1200,
        output: String::new(),
        facts: facts.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
    }
}

fn receipt(verdict: LoopVerdict, tiers: [Vec<CheckOutcome>; 2], findings: Vec<Finding>) -> Receipt {
    let [tier1, tier2] = tiers;
    let tiers = BTreeMap::from([(1, tier1), (2, tier2)]);
    let outcome = LoopOutcome { tiers, findings, ..LoopOutcome::ended(verdict, 5000) };
    Receipt {
        version: RECEIPT_VERSION,
        sequence: 1,
        previous: None,
        repository: "r".into(),
        time: "2026-01-28T10:30:05Z".into(),
        branch: Some("feature/xyz".into()),
        head: ObjectId::parse(&"a".repeat(40)),
        base: ObjectId::parse(&"b".repeat(40)),
        tree: TreeId(ObjectId::parse(&"c".repeat(40)).unwrap()),
        scope: ReviewScope { kind: ScopeKind::All, left_out: Vec::new() },
        pairs: Vec::new(),
        policy: "p".into(),
        loops: BTreeMap::from([(LoopNumber::One, outcome)]),
        reviewer: None,
        dismissed: Vec::new(),
    }
}

pub(super) fn passed() -> Receipt {
    let tier1 = vec![
        check("lint", LoopVerdict::Pass, &[("warnings", json!(0))]),
        check("typecheck", LoopVerdict::Pass, &[("errors", json!(0))]),
        check("format", LoopVerdict::Pass, &[("files_checked", json!(42))]),
    ];
    let tier2 = vec![
        check("secrets", LoopVerdict::Pass, &[("patterns_checked", json!(7)), ("matches", json!(0))]),
        check("build", LoopVerdict::Pass, &[]),
        check("test", LoopVerdict::Pass, &[("coverage", json!(82.5))]),
    ];
    receipt(LoopVerdict::Pass, [tier1, tier2], Vec::new())
}

pub(super) fn skip(reason: &str) -> LoopVerdict {
    LoopVerdict::Skip { reason: reason.into() }
}

pub(super) fn failed() -> Receipt {
    let tier1 = vec![
        CheckOutcome {
            output: "src/a.js:3:1 bad\n1 problem".into(),
            ..check("lint", LoopVerdict::Fail, &[("warnings", json!(1))])
        },
        check("typecheck", skip("no script `typecheck` in package.json"), &[]),
        check("format", LoopVerdict::Pass, &[]),
    ];
    let tier2 = ["secrets", "build", "test"].map(|name| check(name, skip("not run: lint failed"), &[]));
    let finding = Finding {
        severity: FindingSeverity::Major,
        category: "lint".into(),
        file: Some("src/a.js".into()),
        line: Some(3),
        quote: None,
        message: "`npm run lint` failed with exit status 1:\nsrc/a.js:3:1 bad\n1 problem".into(),
        fix: Some("run `npm run lint` and fix what it reports".into()),
    };
    let mut receipt = receipt(
        LoopVerdict::Fail,
        [tier1, tier2.map(|check| CheckOutcome { elapsed_ms: 0, ..check }).to_vec()],
        vec![finding],
    );
    receipt.loops.values_mut().for_each(|outcome| outcome.elapsed_ms = 1200);
    receipt
}

/// A project in which nothing but the secret scan could run.
pub(super) fn without_checks() -> Receipt {
    let none = |name| check(name, skip("no manifest of a known language was found"), &[]);
    let tier1 = ["lint", "typecheck", "format"].map(none).to_vec();
    let tier2 =
        vec![check("secrets", LoopVerdict::Pass, &[("matches", json!(0))]), none("build"), none("test")];
    receipt(LoopVerdict::Pass, [tier1, tier2], Vec::new())
}

/// The report on the content of a receipt, under settings that leave it in force.
pub(super) fn unified(receipt: &Receipt, ship: &Ship) -> UnifiedReport {
    let settings = Settings::default();
    let receipt = Receipt { policy: evidence_hash(&settings), ..receipt.clone() };
    let evidence = Evidence::new(vec![receipt.clone()]);
    let sources = Sources {
        evidence: &evidence,
        settings: &settings,
        tree: &receipt.tree,
        pairs: &receipt.pairs,
        reasons: &[],
    };
    let occasion = Occasion {
        time: receipt.time.clone(),
        branch: receipt.branch.clone(),
        head: receipt.head.clone(),
        base: receipt.base.clone(),
        remedy: ship.blockers.first().map(|_| "Run /review before shipping".into()),
    };
    UnifiedReport {
        ship: ship.clone(),
        policy: "p".into(),
        ..UnifiedReport::new(&sources, occasion, Vec::new())
    }
}

/// Loop 1 passed, and the Claude reviewer found something.
pub(super) fn read_by_claude() -> Receipt {
    let finding = Finding {
        severity: FindingSeverity::Critical,
        category: "security".into(),
        file: Some("src/a.js".into()),
        line: Some(7),
        quote: Some("run(input)".into()),
        message: "input reaches a shell".into(),
        fix: Some("pass it as an argument".into()),
    };
    let outcome = LoopOutcome { findings: vec![finding], ..LoopOutcome::ended(LoopVerdict::Fail, 145_000) };
    let mut receipt = passed();
    receipt.loops.insert(LoopNumber::Two, outcome);
    receipt.reviewer = Some("claude-reviewer (opus)".into());
    receipt
}
