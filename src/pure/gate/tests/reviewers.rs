//! Reviewers: which changes they cover, and which of their findings keep content in.

use super::*;
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Dismissal, RATE_LIMIT_EXCEEDED};

fn found(file: Option<&str>, severity: FindingSeverity) -> Finding {
    Finding {
        severity,
        category: "security".into(),
        file: file.map(String::from),
        line: Some(1),
        quote: Some("let x = 1;".into()),
        message: "m".into(),
        fix: None,
    }
}

/// Loops 1 passed; loop `number` read these files and made these findings.
fn read(number: LoopNumber, base: &str, after: &str, files: &[&str], findings: Vec<Finding>) -> Receipt {
    let verdict = if findings.is_empty() { LoopVerdict::Pass } else { LoopVerdict::Fail };
    let outcome = LoopOutcome {
        findings,
        read: Some(files.iter().map(|file| GitPath::new(file)).collect()),
        ..LoopOutcome::ended(verdict, 1)
    };
    let mut receipt = review(base, after, &[LoopNumber::One]);
    receipt.loops.insert(number, outcome);
    receipt
}

fn numbered(receipts: Vec<Receipt>) -> Vec<Receipt> {
    (1..).zip(receipts).map(|(sequence, receipt)| Receipt { sequence, ..receipt }).collect()
}

#[test]
fn after_a_fix_only_the_changed_pair_has_to_be_read_again() {
    let first = read(
        LoopNumber::Two,
        "a1 b1",
        "a2 b2",
        &["a", "b"],
        vec![found(Some("a"), FindingSeverity::Critical)],
    );
    let leaving = tip("a1 b1", "a3 b2");
    let fixed = || review("a1 b1", "a3 b2", &[LoopNumber::One]);
    let before = facts(numbered(vec![first.clone(), fixed()]), vec![leaving.clone()]);
    let GateReason::Unread { files, .. } = first_reason(&before) else { panic!("{:?}", judge(&before)) };
    assert_eq!(names(&files), ["a"]);
    let second = read(LoopNumber::Two, "a1 b1", "a3 b2", &["a"], Vec::new());
    assert_eq!(judge(&facts(numbered(vec![first, fixed(), second]), vec![leaving])), GateDecision::Open);
}

#[test]
fn a_finding_is_held_against_its_own_file_and_one_without_a_file_against_all() {
    let judged = |file: Option<&str>| {
        let receipt = read(
            LoopNumber::Two,
            "a1 b1",
            "a2 b2",
            &["a", "b"],
            vec![found(file, FindingSeverity::Critical)],
        );
        let run = review("a1 b1", "a1 b2", &[LoopNumber::One]);
        judge(&facts(numbered(vec![receipt, run]), vec![tip("a1 b1", "a1 b2")])).is_open()
    };
    assert!(judged(Some("a")), "only b leaves");
    assert!(!judged(Some("b")));
    assert!(!judged(None));
    assert!(
        !judged(Some("elsewhere")),
        "a file that is no part of the change can only be meant for all of it"
    );
}

#[test]
fn what_a_person_dismissed_or_a_reviewer_saw_settled_blocks_no_longer() {
    let finding = found(Some("a"), FindingSeverity::Critical);
    let first = || read(LoopNumber::Two, "a1", "a2", &["a"], vec![finding.clone()]);
    let open = |receipts| judge(&facts(numbered(receipts), vec![tip("a1", "a2")])).is_open();
    assert!(!open(vec![first()]));
    let ruling = Dismissal { finding: finding.id(), reason: "a test value".into() };
    let mut ruled = review("a1", "a2", &[]);
    ruled.dismissed = vec![ruling];
    assert!(open(vec![first(), ruled]));
    let mut settled = read(LoopNumber::Two, "a1", "a2", &[], Vec::new());
    settled.loops.get_mut(&LoopNumber::Two).unwrap().settled = vec![finding.id()];
    assert!(open(vec![first(), settled]));
}

#[test]
fn a_reviewer_that_fails_without_words_or_does_not_end_opens_nothing() {
    for verdict in [
        LoopVerdict::Fail,
        LoopVerdict::Skip { reason: "no answer".into() },
        LoopVerdict::Stale { changed: "a".into() },
    ] {
        let mut receipt = review("a1", "a2", &[LoopNumber::One]);
        receipt.loops.insert(LoopNumber::Two, LoopOutcome::ended(verdict.clone(), 1));
        assert!(!judge(&facts(vec![receipt], vec![tip("a1", "a2")])).is_open(), "{verdict:?}");
    }
}

#[test]
fn an_outside_reviewer_only_warns_unless_it_is_demanded_or_its_issues_block() {
    let judged = |severity, change: fn(&mut Settings)| {
        let mut receipt = read(LoopNumber::Three, "a1", "a2", &["a"], vec![found(Some("a"), severity)]);
        receipt.loops.insert(LoopNumber::Two, passed());
        let mut facts = facts(vec![receipt], vec![tip("a1", "a2")]);
        change(&mut facts.settings);
        judge(&facts).is_open()
    };
    assert!(judged(FindingSeverity::Critical, |_| {}));
    assert!(!judged(FindingSeverity::Minor, |settings| settings.loop3.block_on_new_issues = true));
    assert!(!judged(FindingSeverity::Critical, |settings| settings.blocking.required_loops =
        vec![LoopNumber::One, LoopNumber::Two, LoopNumber::Three]));
    assert!(judged(FindingSeverity::Minor, |settings| settings.blocking.required_loops =
        vec![LoopNumber::One, LoopNumber::Two, LoopNumber::Three]));
}

#[test]
fn a_used_up_quota_is_the_one_skip_that_a_demanded_loop_may_have() {
    let judged = |reason: &str, change: fn(&mut Settings)| {
        let mut receipt = review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]);
        let skip = LoopVerdict::Skip { reason: reason.into() };
        receipt.loops.insert(LoopNumber::Three, LoopOutcome::ended(skip, 1));
        let mut facts = facts(vec![receipt], vec![tip("a1", "a2")]);
        facts.settings.blocking.required_loops = vec![LoopNumber::One, LoopNumber::Two, LoopNumber::Three];
        change(&mut facts.settings);
        judge(&facts).is_open()
    };
    let used_up = format!("{RATE_LIMIT_EXCEEDED}: 8 of 8 used this hour");
    assert!(judged(&used_up, |_| {}));
    assert!(!judged(&used_up, |settings| settings.loop3.skip_on_rate_limit = false));
    assert!(!judged("coderabbit is not installed", |_| {}));
}

#[test]
fn integration_tests_that_failed_on_this_content_shut_the_gate_though_nobody_demanded_them() {
    let mut receipt = review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]);
    receipt.loops.insert(LoopNumber::Four, LoopOutcome::ended(LoopVerdict::Fail, 1));
    let tips = vec![tip("a1", "a2")];
    assert!(!judge(&facts(vec![receipt.clone()], tips.clone())).is_open());
    receipt
        .loops
        .insert(LoopNumber::Four, LoopOutcome::ended(LoopVerdict::Skip { reason: "none".into() }, 1));
    assert!(judge(&facts(vec![receipt], tips)).is_open());
}
