//! How rules, settings and numbers come together.

use super::*;
use crate::pure::client::Tool;
use crate::pure::policy::{BuiltinRules, StepMode, StepOverride};
use crate::pure::step::history::{Past, PastOutcome};
use crate::pure::step::{sample, survey};

/// A decision about a command in the sample place, with its questions answered.
fn decided(command: &str, change: impl Fn(&mut StepContext<'_>)) -> StepDecision {
    let input = serde_json::json!({ "command": command }).to_string();
    let tool = Tool::Bash { command: command.into() };
    let action = Action::read(&tool, &input);
    let (place, mut known) = (sample::place(), Known { gated: Some(true), ..Known::default() });
    let mut looked = survey(&action, &place, &known);
    while !looked.questions.is_empty() {
        std::mem::take(&mut looked.questions).into_iter().for_each(|asked| sample::answer(asked, &mut known));
        looked = survey(&action, &place, &known);
    }
    let mut review = sample::review(&place, &known);
    change(&mut review);
    decide(&action, &looked, &review, Mode::Enforce)
}

fn under(command: &str, change: impl FnOnce(&mut StepReviewer)) -> StepDecision {
    let mut policy = StepReviewer::default();
    change(&mut policy);
    decided(command, |review| {
        // The reference has to outlive the review's own.
        review.policy = Box::leak(Box::new(policy.clone()));
    })
}

fn past(command: &str, family: &str, outcome: PastOutcome) -> Past {
    let input = serde_json::json!({ "command": command }).to_string();
    Past {
        action: fingerprint(input.as_bytes()),
        family: fingerprint(family.as_bytes()),
        nature: Nature::System,
        outcome,
        rule: 0,
        before_prompt: false,
    }
}

fn after(command: &str, past: Vec<Past>, goal: Option<&'static str>) -> StepDecision {
    decided(command, |review| {
        review.history = Box::leak(Box::new(StepHistory::new(past.clone())));
        review.goal = goal;
    })
}

const DELETES: &str = "rm -rf src";
const FORBIDS: &str = "Explain the parser; do not change anything";

#[test]
fn reviewer_prevents_destructive_actions() {
    let decision = decided(DELETES, |_| ());
    assert_eq!(decision.decision, Decision::Deny);
    let assessment = decision.assessment.unwrap();
    assert_eq!((assessment.risk.score, assessment.risk.severity), (1.0, SideEffectSeverity::Critical));
    assert!(assessment.reasoning.primary.unwrap().starts_with("High risk action: file_deletion"));
}

#[test]
fn reviewer_allows_safe_actions() {
    for command in ["cat README.md", "git status", "ls -la src | head"] {
        let decision = decided(command, |_| ());
        assert_eq!((decision.decision, decision.findings.len()), (Decision::Silent, 0), "{command}");
        assert_eq!(decision.assessment, None, "{command}");
    }
}

#[test]
fn applies_scope_modifier_correctly() {
    let decision = decided("cp a /outside/scope/file.txt", |_| ());
    let risk = decision.assessment.unwrap().risk;
    assert!(risk.score > 0.5 && risk.has(super::super::risk::OUT_OF_SCOPE), "{risk:?}");
    let inside = decided("cp a b", |_| ()).assessment.unwrap().risk;
    assert!(!inside.has(super::super::risk::OUT_OF_SCOPE));
}

#[test]
fn observing_silences_the_step_rules_and_nothing_firmer() {
    for mode in [StepMode::Observe, StepMode::Async] {
        let decision = under(DELETES, |policy| policy.mode = mode);
        assert_eq!((decision.decision, decision.noted.len()), (Decision::Silent, 1));
        assert_eq!(under("rm -rf /", |policy| policy.mode = mode).decision, Decision::Deny);
        let both = under("rm -rf src; git push --no-verify", |policy| policy.mode = mode);
        assert_eq!(both.findings.first().map(|finding| finding.level), Some(Level::Gate));
    }
    assert_eq!(under(DELETES, |policy| policy.enabled = false).decision, Decision::Silent);
}

#[test]
fn rules_are_disabled_by_name_and_by_set_but_never_the_floor() {
    let disabled = |names: &[&str]| {
        let names = names.iter().map(ToString::to_string).collect::<Vec<_>>();
        move |policy: &mut StepReviewer| policy.rules.disabled = names
    };
    assert_eq!(under(DELETES, disabled(&["prevent_recursive_deletion"])).decision, Decision::Silent);
    assert_eq!(under("rm -rf /", disabled(&["system_or_home"])).decision, Decision::Deny);
    assert_eq!(under("git push --no-verify", disabled(&["gate_bypass"])).decision, Decision::Deny);
    let set = |builtin| move |policy: &mut StepReviewer| policy.rules.builtin = builtin;
    assert_eq!(under(DELETES, set(BuiltinRules::Essential)).decision, Decision::Deny);
    assert_eq!(under(DELETES, set(BuiltinRules::None)).decision, Decision::Silent);
    assert_eq!(under("rm -rf /", set(BuiltinRules::None)).decision, Decision::Deny);
    assert!(!is_limited(BuiltinRules::Essential) && is_limited(BuiltinRules::All));
}

fn is_limited(builtin: BuiltinRules) -> bool {
    let decision = under("touch x", |policy| {
        policy.rules.max_file_operations = 0;
        policy.rules.builtin = builtin;
    });
    decision.decision == Decision::Ask
}

#[test]
fn more_file_operations_than_the_limit_need_a_person() {
    let limit = |count| under("touch x", |policy| policy.rules.max_file_operations = count).decision;
    assert_eq!((limit(200), limit(0)), (Decision::Silent, Decision::Ask));
    let many = decided("touch x", |review| {
        review.history = Box::leak(Box::new(StepHistory::default().with_file_operations(200)));
    });
    assert_eq!(many.findings.first().map(|finding| finding.rule.as_str()), Some("limit_file_operations"));
    assert_eq!(under("ls", |policy| policy.rules.max_file_operations = 0).decision, Decision::Silent);
}

#[test]
fn the_declared_scope_is_kept() {
    let scoped = |command| {
        under(command, |policy| {
            policy.scope.expected_paths = vec!["src/**".into()];
            policy.scope.forbidden_paths = vec!["src/generated/**".into()];
        })
    };
    assert_eq!(scoped("touch src/a.rs").decision, Decision::Silent);
    let first =
        |decision: &StepDecision| decision.findings.first().map(|finding| finding.rule.as_str().to_owned());
    let forbidden = scoped("touch src/generated/a.rs");
    assert_eq!((forbidden.decision, first(&forbidden).as_deref()), (Decision::Ask, Some("out_of_scope")));
    // The watch over the session tells of these, and refuses when they become many.
    assert_eq!(scoped("touch docs/a.md").decision, Decision::Silent);
}

#[test]
fn overrides_hold_for_their_agent_and_their_paths_alone() {
    let decided = |agent: Option<&'static str>, command, one: StepOverride| {
        let policy = StepReviewer { overrides: vec![one], ..StepReviewer::default() };
        decided(command, |review| {
            review.agent = agent;
            review.policy = Box::leak(Box::new(policy.clone()));
        })
    };
    let rule = vec!["prevent_recursive_deletion".to_owned()];
    let for_agent = StepOverride {
        agent: Some("Explore".into()),
        disabled_rules: rule.clone(),
        ..StepOverride::default()
    };
    assert_eq!(decided(Some("Explore"), DELETES, for_agent.clone()).decision, Decision::Silent);
    assert_eq!(decided(Some("Plan"), DELETES, for_agent.clone()).decision, Decision::Deny);
    assert_eq!(decided(None, DELETES, for_agent).decision, Decision::Deny);
    let for_paths = StepOverride {
        paths: vec!["src/**".into(), "src".into()],
        disabled_rules: rule,
        ..StepOverride::default()
    };
    assert_eq!(decided(None, DELETES, for_paths.clone()).decision, Decision::Silent);
    assert_eq!(decided(None, "rm -rf lib", for_paths.clone()).decision, Decision::Deny);
    assert_eq!(decided(None, "rm -rf src lib", for_paths).decision, Decision::Deny);
    let mut stricter = StepOverride { agent: Some(MAIN.into()), ..StepOverride::default() };
    stricter.risk.critical_threshold = Some(0.6);
    stricter.risk.high_threshold = Some(0.6);
    assert_eq!(decided(None, "frobnicate", stricter.clone()).decision, Decision::Warn);
    assert_eq!(decided(Some("Explore"), "frobnicate", stricter).decision, Decision::Silent);
    let observing =
        StepOverride { agent: Some(MAIN.into()), mode: Some(StepMode::Observe), ..StepOverride::default() };
    assert_eq!(decided(None, DELETES, observing).decision, Decision::Silent);
}

#[test]
fn each_risk_threshold_changes_what_is_called_for() {
    let decision = |command: &str, change: fn(&mut StepReviewer)| {
        let change = |policy: &mut StepReviewer| {
            policy.performance.async_threshold = 0.0;
            change(policy);
        };
        let goal = |review: &mut StepContext<'_>| {
            let mut policy = StepReviewer::default();
            change(&mut policy);
            review.policy = Box::leak(Box::new(policy));
            review.goal = Some(FORBIDS);
            review.history =
                Box::leak(Box::new(StepHistory::new(vec![past(command, "x", PastOutcome::Success)])));
        };
        decided(command, goal).assessment.unwrap().decision
    };
    // Rationality 0.575, medium.
    assert_eq!(decision("curl http://localhost", |_| ()), Decision::Warn);
    assert_eq!(
        decision("curl http://localhost", |policy| policy.risk.medium_threshold = 0.65),
        Decision::Silent
    );
    assert_eq!(
        decision("curl http://localhost", |policy| policy.risk.high_threshold = 0.6),
        Decision::Rewrite
    );
    assert_eq!(
        decision("curl http://localhost", |policy| policy.risk.critical_threshold = 0.6),
        Decision::Deny
    );
    let senseless = |policy: &mut StepReviewer| policy.rationality.medium_threshold = 0.75;
    assert_eq!(decision("touch x", senseless), Decision::Warn);
    let negligible = |policy: &mut StepReviewer| {
        policy.rationality.medium_threshold = 0.75;
        policy.risk.low_threshold = 0.5;
    };
    assert_eq!(decision("touch x", negligible), Decision::Silent);
}

#[test]
fn three_failures_of_something_unknown_are_worth_one_word() {
    let failed = past("frobnicate", "frobnicate", PastOutcome::Failure);
    assert_eq!(after("frobnicate", vec![failed; 2], None).decision, Decision::Silent);
    let decision = after("frobnicate", vec![failed; 3], None);
    assert_eq!(decision.decision, Decision::Warn);
    let told = Past { rule: decision.mark(), ..failed };
    assert_eq!(after("frobnicate", vec![failed, failed, told], None).decision, Decision::Silent);
    assert_eq!(
        after("cargo test", vec![past("cargo test", "cargo test", PastOutcome::Failure); 3], None).decision,
        Decision::Silent
    );
}

#[test]
fn a_question_that_was_refused_against_the_request_becomes_a_refusal() {
    let opaque = "rm -rf \"$D\"; fi";
    assert_eq!(decided(opaque, |_| ()).decision, Decision::Ask);
    let refused = past(opaque, "rm", PastOutcome::Refused);
    let sense = |low_threshold| {
        let policy = StepReviewer {
            rationality: crate::pure::policy::RationalityThresholds { low_threshold, ..Default::default() },
            risk: crate::pure::policy::RiskThresholds { critical_threshold: 0.9, ..Default::default() },
            ..StepReviewer::default()
        };
        decided(opaque, |review| {
            review.policy = Box::leak(Box::new(policy.clone()));
            review.history = Box::leak(Box::new(StepHistory::new(vec![refused])));
            review.goal = Some(FORBIDS);
        })
        .decision
    };
    assert_eq!((sense(0.3), sense(0.5)), (Decision::Ask, Decision::Deny));
}

#[test]
fn below_the_async_threshold_only_rules_speak_before_the_step() {
    let at = |threshold| under("touch x", |policy| policy.performance.async_threshold = threshold).assessment;
    assert!(at(0.3).is_some_and(|assessment| assessment.risk.score == 0.3));
    assert_eq!(at(0.5), None);
    let afterwards = decided("cat x", |review| review.timing = Timing::After);
    assert_eq!(afterwards.assessment.unwrap().risk.score, 0.1);
}

#[test]
fn a_bare_warning_is_given_the_second_time_and_never_again() {
    let warning = rules::WARN_EXTERNAL_NETWORK.finding("external network request to example.com", &(0..0));
    let told = Past { rule: mark(&warning), ..past("x", "x", PastOutcome::Success) };
    let untimely = |times| is_untimely(&warning, &StepHistory::new(vec![told; times]));
    assert_eq!([untimely(0), untimely(1), untimely(2)], [true, false, true]);
}

#[test]
fn rules_that_nobody_can_read_ask_where_they_could_matter() {
    let custom = CustomRules { unreadable: Some("line 3".into()), ..CustomRules::default() };
    let asked =
        |command| decided(command, |review| review.custom = Box::leak(Box::new(custom.clone()))).decision;
    assert_eq!((asked("frobnicate"), asked("curl http://localhost")), (Decision::Ask, Decision::Ask));
    assert_eq!((asked("git status"), asked("cargo test")), (Decision::Silent, Decision::Silent));
}

#[test]
fn a_safer_spelling_replaces_the_command_and_nothing_else() {
    let rewrite = Rewrite { replace: vec![("--force".into(), "--force-with-lease".into())] };
    let tool = Tool::Bash { command: "git push --force".into() };
    let action = Action::read(&tool, r#"{"command":"git push --force","timeout":5}"#);
    let asks = || rules::REWRITE_REMOTE.finding("x", &(0..16));
    let modifies = || RuleFinding { decision: Decision::Rewrite, ..asks() };
    let modified = safer(modifies(), Some(&rewrite), &action);
    assert_eq!(modified.decision, Decision::Rewrite);
    assert_eq!(modified.instead.as_deref(), Some(r#"{"command":"git push --force-with-lease","timeout":5}"#));
    assert_eq!(modified.alternative.as_deref(), Some("git push --force-with-lease"));
    assert_eq!(safer(modifies(), None, &action).decision, Decision::Deny);
    assert_eq!(safer(asks(), Some(&rewrite), &action).decision, Decision::Ask);
}

#[test]
fn under_enforce_the_matrix_decides_and_the_stricter_of_both_holds() {
    let failed = past("frobnicate", "frobnicate", PastOutcome::Failure);
    let with = |command: &str, history: &[Past], matrix| {
        decided(command, |review| {
            review.policy = Box::leak(Box::new(StepReviewer { matrix, ..StepReviewer::default() }));
            review.history = Box::leak(Box::new(StepHistory::new(history.to_vec())));
        })
    };
    let three = [failed; 3];
    assert_eq!(with("frobnicate", &three, MatrixMode::Advise).decision, Decision::Warn);
    for _ in 0..2 {
        let enforced = with("frobnicate", &three, MatrixMode::Enforce);
        assert_eq!(enforced.decision, Decision::Deny);
        assert_eq!(enforced.findings[0].rule.as_str(), "risk_and_rationality");
        assert_eq!(enforced.assessment.unwrap().decision, Decision::Deny);
    }
    for (command, decision) in [("git status", Decision::Silent), (DELETES, Decision::Deny)] {
        let enforced = with(command, &[], MatrixMode::Enforce);
        assert_eq!(enforced.decision, decision, "{command}");
        assert_eq!(
            enforced.findings.len(),
            with(command, &[], MatrixMode::Advise).findings.len(),
            "{command}"
        );
    }
}

#[test]
fn sudo_raises_the_risk_whatever_runs_under_it() {
    for (command, plain) in
        [("sudo ls", "ls"), ("doas frobnicate", "frobnicate"), ("sudo -u ada touch x", "touch x")]
    {
        let score =
            |command| decided(command, |review| review.timing = Timing::After).assessment.unwrap().risk.score;
        assert!(score(command) > score(plain), "{command}");
    }
}
