//! The gate's table of situations, each as a scenario over facts: content is written as one digit per file.

use super::{GateDecision, GateFacts, GateReason, Leak, Submodule, Tip, judge, witnesses};
use crate::pure::policy::{LoopNumber, Settings};
use crate::pure::review::{
    CheckOutcome, Draft, Evidence, Finding, FindingSeverity, GitPath, LoopOutcome, LoopVerdict, ObjectId,
    Pair, RECEIPT_VERSION, Receipt, ReviewCommand, ReviewScope, ScopeKind, Side, TreeId, words,
};
use std::collections::BTreeMap;

mod reviewers;

const POLICY: &str = "policy";

/// Files with their content: `a1 b2` is file a with content 1 and file b with content 2.
fn files(text: &str) -> BTreeMap<char, char> {
    text.split_whitespace().map(|file| (file.chars().next().unwrap(), file.chars().nth(1).unwrap())).collect()
}

fn id(text: &str) -> ObjectId {
    let hex: String = blake3::hash(text.as_bytes()).to_hex().chars().take(40).collect();
    ObjectId::parse(&hex).unwrap()
}

fn tree(text: &str) -> TreeId {
    TreeId(id(&format!("{:?}", files(text))))
}

fn side(content: char) -> Side {
    Side { mode: 0o100_644, id: id(&content.to_string()) }
}

fn pairs(base: &str, after: &str) -> Vec<Pair> {
    let (base, after) = (files(base), files(after));
    let mut paths: Vec<char> = base.keys().chain(after.keys()).copied().collect();
    paths.sort_unstable();
    paths.dedup();
    let pair = |path: char| Pair {
        path: GitPath::new(&path.to_string()),
        old: base.get(&path).copied().map(side),
        new: after.get(&path).copied().map(side),
    };
    paths.into_iter().map(pair).filter(|pair| pair.old != pair.new).collect()
}

fn passed() -> LoopOutcome {
    LoopOutcome::ended(LoopVerdict::Pass, 1)
}

/// A review of `after` on top of `base` in which these loops passed.
fn review(base: &str, after: &str, loops: &[LoopNumber]) -> Receipt {
    Receipt {
        version: RECEIPT_VERSION,
        sequence: 1,
        previous: None,
        repository: "r".into(),
        time: String::new(),
        branch: None,
        head: Some(id("head")),
        base: Some(id(base)),
        tree: tree(after),
        scope: ReviewScope { kind: ScopeKind::All, left_out: Vec::new() },
        pairs: pairs(base, after),
        policy: POLICY.into(),
        loops: loops.iter().map(|number| (*number, passed())).collect(),
        reviewer: None,
        dismissed: Vec::new(),
    }
}

fn tip(base: &str, after: &str) -> Tip {
    Tip {
        name: "refs/heads/main".into(),
        tree: tree(after),
        already_pushed: false,
        pairs: pairs(base, after),
        leaks: Vec::new(),
        drafts: Vec::new(),
        submodules: Vec::new(),
        untracked: Vec::new(),
    }
}

fn facts(receipts: Vec<Receipt>, tips: Vec<Tip>) -> GateFacts {
    GateFacts {
        tips,
        evidence: Evidence::new(receipts),
        problems: Vec::new(),
        settings: Settings::default(),
        policy: POLICY.into(),
        could_not_check: None,
        head: Some(id("head")),
    }
}

fn first_reason(facts: &GateFacts) -> GateReason {
    match judge(facts) {
        GateDecision::Open => panic!("open"),
        GateDecision::Closed(reasons) => reasons.into_iter().next().unwrap(),
    }
}

fn names(paths: &[GitPath]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

#[test]
fn reviewed_content_is_open_in_whatever_commits_it_leaves() {
    // One commit, many, an amended message, a local squash: the tree and the pairs are the same.
    let facts =
        facts(vec![review("a1", "a2 b1", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a2 b1")]);
    assert_eq!(judge(&facts), GateDecision::Open);
}

#[test]
fn a_version_in_the_history_that_no_review_saw_closes_the_gate() {
    let draft =
        Draft { path: GitPath::new("a"), commit: id("c"), id: id("unseen"), lines: vec!["x".to_owned()] };
    let reviewed = review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]);
    let leaving = Tip { drafts: vec![draft], ..tip("a1", "a2") };
    let reason = first_reason(&facts(vec![reviewed.clone()], vec![leaving.clone()]));
    assert!(matches!(reason, GateReason::History { .. }), "{reason:?}");
    assert!(reason.to_string().contains("a in commit"), "{reason}");
    let there = Tip { already_pushed: true, ..leaving };
    assert_eq!(judge(&facts(vec![reviewed], vec![there])), GateDecision::Open);
}

#[test]
fn the_word_of_the_required_reviewers_counts_for_the_history_or_else_that_of_the_runs() {
    let witnesses_of = |loops: &[LoopNumber]| {
        let mut settings = Settings::default();
        settings.blocking.required_loops = loops.to_vec();
        witnesses(&settings.blocking)
    };
    assert_eq!(witnesses_of(&[LoopNumber::One, LoopNumber::Two]), [LoopNumber::Two]);
    assert_eq!(witnesses_of(&[LoopNumber::One]), [LoopNumber::One]);
    assert_eq!(witnesses_of(&[]), []);
}

#[test]
fn only_a_review_that_was_given_a_history_speaks_for_it() {
    let given = review("a1", "a2", &[LoopNumber::Two]);
    let reused = Receipt {
        head: Some(id("later")),
        loops: [(LoopNumber::Two, LoopOutcome { read: Some(Vec::new()), ..passed() })].into(),
        ..given.clone()
    };
    let evidence = Evidence::new(vec![given, reused]);
    let (base, head) = (id("a1"), id("head"));
    assert_eq!(evidence.histories(LoopNumber::Two), [(Some(&base), &head)]);
    assert_eq!(evidence.histories(LoopNumber::One), []);
    assert!(evidence.has_seen(LoopNumber::Two, &id("1")) && evidence.has_seen(LoopNumber::Two, &id("2")));
    assert!(!evidence.has_seen(LoopNumber::Two, &id("3")) && !evidence.has_seen(LoopNumber::One, &id("1")));
}

#[test]
fn some_of_the_reviewed_files_are_read_but_not_run_and_the_missing_ones_are_named() {
    let facts =
        facts(vec![review("a1", "a2 b1", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a2")]);
    let GateDecision::Closed(reasons) = judge(&facts) else { panic!() };
    let [GateReason::Stale { number: LoopNumber::One, missing, .. }] = reasons.as_slice() else {
        panic!("{reasons:?}")
    };
    assert_eq!(names(missing), ["b"]);
    assert!(reasons[0].to_string().contains("not in refs/heads/main: b"), "{}", reasons[0]);
}

#[test]
fn a_hunk_staged_alone_or_a_formatter_leaves_that_pair_unread_and_names_the_one_command() {
    let facts =
        facts(vec![review("a1", "a2 b1", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a3 b1")]);
    let GateDecision::Closed(reasons) = judge(&facts) else { panic!() };
    assert!(
        matches!(
            &reasons[..],
            [
                GateReason::Stale { number: LoopNumber::One, .. },
                GateReason::Unread { number: LoopNumber::Two, .. }
            ]
        ),
        "{reasons:?}"
    );
    let GateReason::Unread { files, .. } = &reasons[1] else { panic!() };
    assert_eq!(names(files), ["a"]);
    assert_eq!(reasons[1].remedy("/review", "/ship"), "Run /review --loops 2");
}

#[test]
fn a_rebase_onto_other_files_keeps_the_reviewers_and_asks_for_loop_1_only() {
    let facts = facts(
        vec![review("a1 z1", "a2 z1", &[LoopNumber::One, LoopNumber::Two])],
        vec![tip("a1 z2", "a2 z2")],
    );
    let GateDecision::Closed(reasons) = judge(&facts) else { panic!() };
    assert!(
        matches!(&reasons[..], [GateReason::Stale { number: LoopNumber::One, files, .. }] if files.is_empty()),
        "{reasons:?}"
    );
    assert_eq!(reasons[0].remedy("/review", "/ship"), "Run /review again (/review --loops 1 is enough)");
}

#[test]
fn the_next_step_runs_the_loops_of_all_reasons_and_names_another_step_where_one_is_needed() {
    let next = |facts: &GateFacts| judge(facts).next_step("/review", "/ship");
    let both = facts(vec![review("a1", "a3", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a2", "a4")]);
    assert_eq!(next(&both).as_deref(), Some("Run /review --loops 1,2"));
    let one = facts(
        vec![review("a1 z1", "a2 z1", &[LoopNumber::One, LoopNumber::Two])],
        vec![tip("a1 z2", "a2 z2")],
    );
    assert_eq!(next(&one).as_deref(), Some("Run /review again (/review --loops 1 is enough)"));
    let none = facts(Vec::new(), vec![tip("a1", "a2")]);
    assert_eq!(next(&none).as_deref(), Some("Run /review before shipping"));
    let open = facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a2")]);
    assert_eq!(next(&open), None);
}

#[test]
fn a_rebase_over_the_same_file_asks_for_both_loops_again() {
    let facts = facts(vec![review("a1", "a3", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a2", "a4")]);
    let GateDecision::Closed(reasons) = judge(&facts) else { panic!() };
    assert!(
        matches!(
            &reasons[..],
            [
                GateReason::Stale { number: LoopNumber::One, .. },
                GateReason::Unread { number: LoopNumber::Two, .. }
            ]
        ),
        "{reasons:?}"
    );
}

#[test]
fn a_base_that_moved_without_being_merged_changes_nothing() {
    // The merge base is the same, so what leaves is the same.
    let facts = facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a2")]);
    assert_eq!(judge(&facts), GateDecision::Open);
}

#[test]
fn every_tip_must_be_covered_and_nothing_leaving_is_open() {
    let receipt = || vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])];
    assert!(!judge(&facts(receipt(), vec![tip("a1", "a2"), tip("a1", "a9")])).is_open());
    assert!(judge(&facts(receipt(), vec![tip("a1", "a2"), tip("a1", "a2")])).is_open());
    assert!(judge(&facts(receipt(), Vec::new())).is_open());
}

#[test]
fn of_what_the_remote_has_already_only_a_tags_words_can_leak() {
    let there = Tip { already_pushed: true, ..tip("a1", "a1") };
    assert!(judge(&facts(Vec::new(), vec![there.clone()])).is_open());
    let leak = Leak { commit: None, path: "the commit message".into(), rule: "github-token".into(), line: 1 };
    let telling = Tip { leaks: vec![leak], ..there };
    assert!(matches!(first_reason(&facts(Vec::new(), vec![telling])), GateReason::Leaks { .. }));
}

#[test]
fn a_submodule_must_be_on_its_own_remote() {
    for (published, open) in [(Some(true), true), (Some(false), false), (None, false)] {
        let submodule = Submodule { path: GitPath::new("lib"), commit: id("c"), published };
        let tip = Tip { submodules: vec![submodule], ..tip("a1", "a2") };
        assert_eq!(
            judge(&facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], vec![tip])).is_open(),
            open
        );
    }
}

#[test]
fn a_file_that_appears_after_the_review_is_named_with_the_way_to_leave_it_out() {
    let stray = Tip { untracked: vec![GitPath::new("s")], ..tip("a1", "a2 s1") };
    let reason =
        first_reason(&facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], vec![stray]));
    assert_eq!(
        reason.remedy("/review", "/ship"),
        "Run /ship --leave-out s to ship without it, or /review to review it"
    );
}

#[test]
fn a_first_push_is_judged_against_the_empty_tree() {
    assert!(
        judge(&facts(vec![review("", "a1 b1", &[LoopNumber::One, LoopNumber::Two])], vec![tip("", "a1 b1")]))
            .is_open()
    );
    assert!(
        !judge(&facts(
            vec![review("a1", "a1 b1", &[LoopNumber::One, LoopNumber::Two])],
            vec![tip("", "a1 b1")]
        ))
        .is_open()
    );
}

#[test]
fn a_secret_that_a_later_commit_removes_still_closes_the_gate_and_names_the_commit() {
    let leak =
        Leak { commit: Some(id("bad")), path: "config.js".into(), rule: "aws-access-key".into(), line: 3 };
    let mut facts = facts(
        vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])],
        vec![Tip { leaks: vec![leak], ..tip("a1", "a2") }],
    );
    let reason = first_reason(&facts);
    assert!(
        reason.to_string().contains("config.js:3") && reason.to_string().contains(id("bad").short()),
        "{reason}"
    );
    assert!(reason.remedy("/review", "/ship").contains("squash"));
    facts.settings.blocking.secrets_block_ship = false;
    assert!(judge(&facts).is_open());
}

#[test]
fn without_state_with_damaged_state_or_an_unanswered_question_the_gate_is_closed() {
    let none = facts(Vec::new(), vec![tip("a1", "a2")]);
    assert_eq!(first_reason(&none), GateReason::NoState);
    let damaged = GateFacts {
        problems: vec!["x was edited".into()],
        ..facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], vec![tip("a1", "a2")])
    };
    assert!(matches!(first_reason(&damaged), GateReason::Unreliable { .. }));
    let unknown = GateFacts {
        could_not_check: Some("shallow".into()),
        ..facts(vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])], Vec::new())
    };
    assert!(matches!(first_reason(&unknown), GateReason::CouldNotCheck { .. }));
}

#[test]
fn required_loops_decide_which_evidence_is_asked_for() {
    let mut facts = facts(vec![review("a1", "a2", &[LoopNumber::One])], vec![tip("a1", "a2")]);
    assert_eq!(first_reason(&facts), GateReason::NotRun { number: LoopNumber::Two });
    facts.settings.blocking.required_loops = vec![LoopNumber::One];
    assert!(judge(&facts).is_open());
    facts.settings.blocking.required_loops = vec![LoopNumber::One, LoopNumber::Four];
    assert_eq!(first_reason(&facts), GateReason::NotRun { number: LoopNumber::Four });
}

#[test]
fn only_a_pass_opens_and_the_newest_word_counts() {
    let with = |verdict: LoopVerdict| {
        let mut receipt = review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]);
        receipt.loops.insert(LoopNumber::One, LoopOutcome { verdict, ..passed() });
        receipt
    };
    for verdict in [
        LoopVerdict::Fail,
        LoopVerdict::Skip { reason: "no tool".into() },
        LoopVerdict::Stale { changed: "a".into() },
    ] {
        let newest_is_bad = facts(
            vec![review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]), with(verdict.clone())],
            vec![tip("a1", "a2")],
        );
        assert!(!judge(&newest_is_bad).is_open(), "{verdict:?}");
        let newest_is_good = facts(
            vec![with(verdict), review("a1", "a2", &[LoopNumber::One, LoopNumber::Two])],
            vec![tip("a1", "a2")],
        );
        assert!(judge(&newest_is_good).is_open());
    }
}

#[test]
fn evidence_from_under_another_policy_is_stale() {
    let other = Receipt { policy: "older".into(), ..review("a1", "a2", &[LoopNumber::One, LoopNumber::Two]) };
    let GateDecision::Closed(reasons) = judge(&facts(vec![other], vec![tip("a1", "a2")])) else { panic!() };
    assert!(
        matches!(
            &reasons[..],
            [
                GateReason::PolicyChanged { number: LoopNumber::One },
                GateReason::Unread { number: LoopNumber::Two, .. }
            ]
        ),
        "{reasons:?}"
    );
}

#[test]
fn findings_of_a_reviewer_block_by_their_severity() {
    let finding = |severity| Finding {
        severity,
        category: "security".into(),
        file: None,
        line: None,
        quote: None,
        message: "m".into(),
        fix: None,
    };
    let judged = |severity, change: fn(&mut Settings)| {
        let mut receipt = review("a1", "a2", &[LoopNumber::One]);
        receipt.loops.insert(LoopNumber::Two, LoopOutcome { findings: vec![finding(severity)], ..passed() });
        let mut facts = facts(vec![receipt], vec![tip("a1", "a2")]);
        change(&mut facts.settings);
        judge(&facts).is_open()
    };
    assert!(!judged(FindingSeverity::Critical, |_| {}));
    assert!(judged(FindingSeverity::Critical, |settings| settings.blocking.critical_blocks_ship = false));
    assert!(judged(FindingSeverity::Major, |_| {}));
    assert!(!judged(FindingSeverity::Major, |settings| settings.blocking.major_blocks_ship = true));
    assert!(judged(FindingSeverity::Minor, |_| {}));
    assert!(!judged(FindingSeverity::Minor, |settings| settings.blocking.minor_blocks_ship = true));
}

#[test]
fn a_failed_build_or_test_ships_only_where_the_policy_says_so() {
    let judged = |name: &str, change: fn(&mut Settings)| {
        let check = CheckOutcome {
            name: name.into(),
            verdict: LoopVerdict::Fail,
            command: None,
            elapsed_ms: 0,
            output: String::new(),
            facts: BTreeMap::new(),
        };
        let mut receipt = review("a1", "a2", &[LoopNumber::Two]);
        receipt.loops.insert(
            LoopNumber::One,
            LoopOutcome { verdict: LoopVerdict::Fail, tiers: BTreeMap::from([(2, vec![check])]), ..passed() },
        );
        let mut facts = facts(vec![receipt], vec![tip("a1", "a2")]);
        change(&mut facts.settings);
        judge(&facts).is_open()
    };
    assert!(!judged("build", |_| {}));
    assert!(judged("build", |settings| settings.blocking.build_failure_blocks_ship = false));
    assert!(!judged("test", |settings| settings.blocking.build_failure_blocks_ship = false));
    assert!(judged("test", |settings| settings.blocking.test_failure_blocks_ship = false));
    assert!(!judged("lint", |settings| settings.blocking.test_failure_blocks_ship = false));
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever was reviewed, the gate never opens for a tree that no receipt names.
        #[test]
        fn an_unreviewed_tree_never_ships(reviewed in proptest::collection::vec("[a-c][1-3]( [d-f][1-3])?", 0..4), leaving in "[a-c][1-3]( [d-f][1-3])?") {
            let receipts: Vec<Receipt> = reviewed.iter().map(|after| review("", after, &[LoopNumber::One, LoopNumber::Two])).collect();
            let named = receipts.iter().any(|receipt| receipt.tree == tree(&leaving));
            let open = judge(&facts(receipts, vec![tip("", &leaving)])).is_open();
            prop_assert!(named || !open);
        }
    }
}

/// One of each reason. A new one makes `remedies_are_commands_that_can_be_typed` fail to compile until it is here.
fn one_of_each() -> Vec<GateReason> {
    let odd = || vec![GitPath::new("a b.txt"), GitPath::new("it's")];
    let stale = |missing: Vec<GitPath>, stray: Vec<GitPath>| GateReason::Stale {
        number: LoopNumber::One,
        tip: "the working tree".into(),
        reviewed: None,
        current: None,
        files: odd(),
        missing,
        stray,
    };
    let submodule = Submodule { path: GitPath::new("sub"), commit: id("c"), published: Some(false) };
    vec![
        GateReason::NoState,
        GateReason::Unreliable { problem: "damaged".into() },
        GateReason::CouldNotCheck { what: "git".into() },
        GateReason::NotRun { number: LoopNumber::Two },
        GateReason::Failed { number: LoopNumber::One, blockers: Vec::new() },
        GateReason::Skipped { number: LoopNumber::Four, why: "no tests".into() },
        stale(Vec::new(), Vec::new()),
        stale(odd(), Vec::new()),
        stale(Vec::new(), odd()),
        GateReason::PolicyChanged { number: LoopNumber::One },
        GateReason::Unread { number: LoopNumber::Two, files: odd() },
        GateReason::Leaks { leaks: Vec::new() },
        GateReason::History { drafts: Vec::new() },
        GateReason::Submodule(submodule),
    ]
}

#[test]
fn remedies_are_commands_that_can_be_typed() {
    for reason in one_of_each() {
        let names_a_command = match &reason {
            GateReason::NoState
            | GateReason::Unreliable { .. }
            | GateReason::NotRun { .. }
            | GateReason::Failed { .. }
            | GateReason::Skipped { .. }
            | GateReason::Stale { .. }
            | GateReason::PolicyChanged { .. }
            | GateReason::Unread { .. } => true,
            GateReason::CouldNotCheck { .. }
            | GateReason::Leaks { .. }
            | GateReason::History { .. }
            | GateReason::Submodule(_) => false,
        };
        let remedy = reason.remedy("/review", "/ship");
        let typed: Vec<&str> =
            remedy.match_indices("/review").map(|(at, _)| options_after(&remedy, at + 7)).collect();
        for options in &typed {
            assert!(ReviewCommand::parse(options, &LoopNumber::ALL).is_ok(), "{remedy}");
        }
        let shipped = remedy.match_indices("/ship").map(|(at, _)| options_after(&remedy, at + 5));
        for options in shipped {
            let words = words(options).unwrap();
            assert_eq!(words, ["--leave-out", "a b.txt", "--leave-out", "it's"], "{remedy}");
        }
        assert_eq!(!typed.is_empty(), names_a_command, "{remedy}");
    }
}

/// The options right behind a command in a sentence.
fn options_after(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let ends = [" before", ":", " again", " to ", " on ", " is ", ","];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}
