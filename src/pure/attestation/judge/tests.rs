use super::super::statement::{AttestedBase, AttestedLoop, Review};
use super::*;
use crate::pure::policy::Settings;
use proptest::prelude::*;

fn id(number: u32) -> ObjectId {
    ObjectId::parse(&format!("{number:040x}")).unwrap()
}

fn tree(number: u32) -> TreeId {
    TreeId(id(1000 + number))
}

fn requirement() -> Requirement {
    Requirement {
        policy: AttestedPolicy::of(&Settings::default()),
        loops: vec![LoopNumber::One, LoopNumber::Two],
        max_age_days: 30,
        now: OffsetDateTime::parse("2026-01-20T00:00:00Z", &Rfc3339).unwrap(),
    }
}

fn passed() -> AttestedLoop {
    AttestedLoop {
        passed: true,
        verdict: "pass".into(),
        time: "2026-01-10T00:00:00Z".into(),
        reviewer: None,
        checks: Vec::new(),
        findings: Vec::new(),
    }
}

fn review() -> Review {
    Review {
        time: "2026-01-10T00:00:00Z".into(),
        plimsoll: "0".into(),
        base: Some(AttestedBase { commit: id(0) }),
        policy: AttestedPolicy::of(&Settings::default()),
        gate: AttestedGate::Open,
        loops: [(LoopNumber::One, passed()), (LoopNumber::Two, passed())].into(),
    }
}

fn judged(review: Review) -> Vec<&'static str> {
    let statement = Statement::new(&id(1), &tree(1), review);
    // As it arrives.
    let statement = Statement::parse(&statement.payload()).unwrap();
    let reasons = judge_statement(&statement, &id(1), &tree(1), &requirement());
    reasons.iter().map(AttestationReason::rule).collect()
}

#[test]
fn a_whole_statement_has_nothing_against_it() {
    assert_eq!(judged(review()), Vec::<&str>::new());
}

#[test]
fn another_commit_or_tree_is_another_subject() {
    for statement in [Statement::new(&id(2), &tree(1), review()), Statement::new(&id(1), &tree(2), review())]
    {
        let reasons = judge_statement(&statement, &id(1), &tree(1), &requirement());
        assert_eq!(reasons, [AttestationReason::OtherSubject { commit: id(1) }]);
    }
}

#[test]
fn two_commits_in_one_statement_are_none() {
    let text = String::from_utf8(Statement::new(&id(1), &tree(1), review()).payload()).unwrap();
    let other = format!(r#""subject":[{{"name":"x","digest":{{"gitCommit":"{}"}}}},"#, id(2));
    let both = Statement::parse(text.replacen(r#""subject":["#, &other, 1).as_bytes()).unwrap();
    assert_eq!(both.commit(), None);
}

#[test]
fn each_lack_is_named() {
    let mut laxer = review();
    laxer.policy.settings.insert("blocking.required_loops".into(), serde_json::json!([1]));
    assert_eq!(judged(laxer), ["attestation/laxer-policy"]);

    let mut one_loop = review();
    one_loop.loops.remove(&LoopNumber::Two);
    assert_eq!(judged(one_loop), ["attestation/loop-not-run"]);

    let mut failed = review();
    failed.loops.insert(LoopNumber::Two, AttestedLoop { passed: false, verdict: "fail".into(), ..passed() });
    assert_eq!(judged(failed), ["attestation/loop-not-passed"]);

    let gate = AttestedGate::Overridden { reason: "hotfix".into(), blockers: Vec::new() };
    assert_eq!(judged(Review { gate, ..review() }), ["attestation/overridden"]);

    for time in ["2025-12-01T00:00:00Z", "2026-02-20T00:00:00Z", "yesterday"] {
        assert_eq!(judged(Review { time: time.into(), ..review() }), ["attestation/too-old"], "{time}");
    }
}

/// Attestations as `(commit, base)`; commit 0 is published, the others are new.
fn search(tip: u32, new: u32, attested: &[(u32, u32)]) -> bool {
    let mut search = ChainSearch::new(id(tip), (1..=new).map(id).collect());
    while let Some(commit) = search.next_commit() {
        for (_, base) in attested.iter().filter(|(of, _)| id(*of) == commit) {
            search.accept(&commit, Some(&id(*base)), *base == 0);
        }
    }
    let complete = search.is_complete();
    assert_eq!(complete, search.reasons().is_empty() && complete);
    complete
}

#[test]
fn a_chain_leads_back_to_what_is_published() {
    assert!(search(3, 3, &[(3, 0)]));
    assert!(search(3, 3, &[(3, 2), (2, 1), (1, 0)]));
    assert!(search(3, 3, &[(3, 1), (3, 2), (2, 0)]));
    assert!(!search(3, 3, &[(3, 2), (1, 0)]), "a gap");
    assert!(!search(3, 3, &[(2, 0)]), "the tip itself");
    assert!(!search(3, 3, &[(3, 2), (2, 3)]), "a circle");
    assert!(!search(3, 3, &[(3, 99)]), "a base that nobody knows");
    assert!(search(0, 0, &[]), "nothing new");
}

proptest! {
    /// Open only if a walk along attestations really ends at published content.
    #[test]
    fn the_search_finds_a_chain_exactly_where_there_is_one(
        attested in proptest::collection::vec((1_u32..6, 0_u32..7), 0..12),
    ) {
        let mut reachable: BTreeSet<u32> = [5].into();
        loop {
            let before = reachable.len();
            reachable.extend(attested.iter().filter(|(of, _)| reachable.contains(of) && *of != 0).map(|(_, base)| *base).collect::<Vec<_>>());
            reachable.retain(|id| *id < 6);
            if reachable.len() == before { break; }
        }
        prop_assert_eq!(search(5, 5, &attested), reachable.contains(&0));
    }
}
