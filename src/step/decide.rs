//! The answer to an action, from its effects, the rules, and what is known about them.

use super::assess::{Assessment, Nature, Risk, Severity};
use super::catalogue as rules;
use super::custom::{CustomRules, MAIN, Subject};
use super::effect::{Effect, Found, Loss, Rewrite, Target};
use super::fingerprint::fingerprint;
use super::history::History;
use super::judge::judge;
use super::known::Known;
use super::overriding::Settled;
use super::place::Place;
use super::rationality::{Sense, rationality};
use super::rewrite::{rewritten, with_command};
use super::risk::{DANGEROUS_PATTERN, Raised, risk, worst};
use super::rule::{Course, Finding, Level, RuleName};
use super::side_effects::side_effects;
use super::survey::{Action, Survey};
use super::{matrix, scope};
use crate::policy::StepReviewer;

/// What is done about an action, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub course: Course,
    /// What the rules in force said, the firmest first.
    pub findings: Vec<Finding>,
    /// What rules said that are only noted here: observed, paused, switched off, or said before.
    pub noted: Vec<Finding>,
    /// Absent where the risk is too small to be weighed before the step.
    pub assessment: Option<Assessment>,
    /// What the action is at its worst.
    pub nature: Nature,
}

/// Whether rules above the gate are enforced or only noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Enforce,
    /// Paused by a person, whatever the settings say.
    Observe,
}

/// Whether the step is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// What is of little risk is weighed after the step.
    Before,
    /// Everything is weighed.
    After,
}

/// Everything that a decision depends on besides the action and its effects.
#[derive(Debug, Clone, Copy)]
pub struct Review<'a> {
    pub place: &'a Place,
    pub known: &'a Known,
    pub policy: &'a StepReviewer,
    pub custom: &'a CustomRules,
    pub history: &'a History,
    /// What the person asked for last.
    pub goal: Option<&'a str>,
    /// The type of the agent; `None` for the main one.
    pub agent: Option<&'a str>,
    pub timing: Timing,
}

impl Decision {
    /// Names what was said, so that the journal can tell whether it was said before; 0 for nothing.
    pub fn mark(&self) -> u64 {
        self.findings.first().or(self.noted.first()).map_or(0, mark)
    }

    /// The same without the safer spelling, which is then only told.
    #[must_use]
    pub fn without_rewrite(mut self) -> Self {
        for finding in &mut self.findings {
            if finding.course == Course::Modify {
                finding.course = Course::Block;
                finding.instead = None;
            }
        }
        self.settle();
        self
    }

    fn settle(&mut self) {
        self.findings.sort_by_key(|finding| (std::cmp::Reverse(finding.course), finding.level));
        self.course = self.findings.first().map_or(Course::Allow, |finding| finding.course);
    }
}

/// Whether the history and the goal can change the decision: they cost a read of the session.
pub fn needs_session(survey: &Survey, review: &Review<'_>) -> bool {
    let nature = worst(survey, review.place, review.known);
    !survey.found.is_empty() || nature.base_risk() >= review.policy.performance.async_threshold
}

pub fn decide(action: &Action<'_>, survey: &Survey, review: &Review<'_>, mode: Mode) -> Decision {
    let nature = worst(survey, review.place, review.known);
    let mut decision =
        Decision { course: Course::Allow, findings: Vec::new(), noted: Vec::new(), assessment: None, nature };
    for (finding, found) in said(action, survey, review, nature) {
        let settled = Settled::for_effect(review, found);
        let in_force = finding.level < Level::Step
            || (mode == Mode::Enforce
                && settled.enforces(&finding.rule)
                && !is_untimely(&finding, review.history));
        if in_force { &mut decision.findings } else { &mut decision.noted }.push(finding);
    }
    weigh_in(&mut decision, action, survey, review, mode);
    decision.settle();
    decision
}

/// What every rule says, whether it is in force or not, and which effect it is about.
fn said<'s>(
    action: &Action<'_>,
    survey: &'s Survey,
    review: &Review<'_>,
    nature: Nature,
) -> Vec<(Finding, Option<&'s Found>)> {
    let mut said = Vec::new();
    for found in &survey.found {
        if let Some(finding) = judge(found, review.place, review.known) {
            said.push((safer(finding, gentler(found), action), Some(found)));
        }
        let outside = scope::finding(found, review.place, &review.policy.scope);
        said.extend(outside.map(|finding| (finding, Some(found))));
    }
    let whole = 0..action.text().len();
    let limit = u64::from(review.policy.rules.max_file_operations);
    if nature.touches_files() && review.history.file_operations() >= limit {
        let reason = format!("more than {limit} file operations since the last prompt. Is that meant?");
        said.push((rules::LIMIT_FILE_OPERATIONS.finding(reason, &whole), None));
    }
    said.extend(custom(action, survey, review, nature).map(|finding| (finding, None)));
    said
}

fn custom<'r>(
    action: &'r Action<'_>,
    survey: &'r Survey,
    review: &Review<'r>,
    nature: Nature,
) -> impl Iterator<Item = Finding> + 'r {
    let concerned = matches!(nature, Nature::Network | Nature::System | Nature::Deletion);
    let unreadable = review.custom.unreadable.as_ref().filter(|_| concerned).map(|why| {
        let reason = format!("custom rules could not be read: {why}. See `plimsoll rules check`");
        rules::CUSTOM_RULES_UNREADABLE.finding(reason, &(0..action.text().len()))
    });
    let (place, agent) = (review.place, review.agent);
    let by_rule = review.custom.rules.iter().filter_map(move |rule| {
        let finding = rule.finding(&Subject { action, survey, place, agent })?;
        Some(safer(finding, rule.rewrite().as_ref(), action))
    });
    unreadable.into_iter().chain(by_rule)
}

/// The finding as a rewrite of the command where that can be done for certain; otherwise with the other spelling as advice.
fn safer(mut finding: Finding, rewrite: Option<&Rewrite>, action: &Action<'_>) -> Finding {
    let command = rewrite
        .filter(|_| action.is_shell())
        .and_then(|rewrite| rewritten(action.text(), &finding.span, rewrite));
    let instead = command.as_ref().and_then(|command| with_command(action.raw_input(), command));
    match (finding.level, instead) {
        (Level::Step, Some(instead)) => {
            finding.course = Course::Modify;
            finding.instead = Some(instead);
            finding.alternative = command;
        }
        _ if finding.course == Course::Modify => finding.course = Course::Block,
        _ => {}
    }
    finding
}

fn gentler(found: &Found) -> Option<&Rewrite> {
    match &found.effect {
        Effect::Discard { gentler, .. } | Effect::RewriteRemote { gentler, .. } => {
            gentler.as_ref().filter(|_| found.typed)
        }
        _ => None,
    }
}

/// A bare warning is not given the first time, and then once.
fn is_untimely(finding: &Finding, history: &History) -> bool {
    let builtin = matches!(finding.rule, RuleName::Builtin(_));
    finding.course == Course::Warn && builtin && history.times_told(mark(finding)) != 1
}

fn mark(finding: &Finding) -> u64 {
    fingerprint(format!("{}: {}", finding.rule.as_str(), finding.reason).as_bytes())
}

/// The risk, and what is known about the sense.
fn scores<'r>(
    action: &Action<'_>,
    survey: &Survey,
    review: &Review<'r>,
    settled: &Settled<'_>,
    decision: &Decision,
) -> (Risk, Sense<'r>) {
    let (policy, nature, findings) = (review.policy, decision.nature, &decision.findings);
    let history = review.history;
    let (identity, family) = (identity(action), action.family_mark());
    let raised = Raised {
        out_of_scope: survey.found.iter().any(|found| scope::is_outside(found, review.place, &policy.scope)),
        failures: history.failures(identity, family),
        privileged: survey.found.iter().any(|found| found.privileged),
        pattern: findings.iter().any(|finding| finding.course >= Course::Ask),
    };
    let sense = Sense {
        nature,
        action: identity,
        family,
        history,
        goal: review.goal,
        has_alternative: findings.iter().any(|finding| finding.alternative.is_some()),
        is_open: survey.found.iter().any(is_open),
    };
    (risk(nature, raised, &policy.modifiers, &settled.risk), sense)
}

fn assess(
    action: &Action<'_>,
    survey: &Survey,
    review: &Review<'_>,
    settled: &Settled<'_>,
    decision: &Decision,
    risk: Risk,
    sense: &Sense<'_>,
) -> Assessment {
    let history = review.history;
    let rationality = rationality(sense, &review.policy.weights, &settled.rationality);
    let effects = side_effects(survey, review.place, review.known);
    let is_pattern = risk.has(DANGEROUS_PATTERN);
    let standing = matrix::Standing { is_first: history.is_first(sense.action), is_pattern };
    let negligible = settled.risk.low_threshold;
    let mut assessment =
        matrix::assessment(risk, rationality, effects, standing, negligible, confidence(survey, review));
    let said = decision.findings.iter().filter_map(|finding| finding.alternative.clone());
    assessment.alternatives.splice(0..0, said);
    assessment.metadata = vec![
        ("action", format!("{} {}", decision.nature.as_str(), action.family())),
        ("agent", review.agent.unwrap_or(MAIN).to_owned()),
        ("timing", if review.timing == Timing::Before { "before" } else { "after" }.to_owned()),
        ("similar_failures", history.failures(sense.action, sense.family).to_string()),
        ("file_operations", history.file_operations().to_string()),
    ];
    assessment
}

/// Tool and input, by which the journal knows an action.
fn identity(action: &Action<'_>) -> u64 {
    fingerprint(action.raw_input().as_bytes())
}

fn is_open(found: &Found) -> bool {
    match &found.effect {
        Effect::Opaque { .. } => true,
        Effect::Delete { target, .. } | Effect::Write { target, .. } => {
            matches!(target, Target::Unknown | Target::Below(_))
        }
        _ => false,
    }
}

/// How much of what the numbers rest on is known.
fn confidence(survey: &Survey, review: &Review<'_>) -> f64 {
    let open = survey.found.iter().any(is_open);
    let unknown = review.known.losses.values().any(|loss| matches!(loss, Loss::Unknown(_)));
    let doubts = [
        (open, 0.3),
        (unknown, 0.2),
        (review.goal.is_none(), 0.1),
        (review.history.is_empty(), 0.1),
        (survey.nature == Nature::System && survey.found.is_empty(), 0.2),
    ];
    super::risk::rounded(doubts.iter().filter(|(there, _)| *there).fold(1.0, |sum, (_, doubt)| sum - doubt))
}

/// Rules refuse; the numbers make a question firmer, or say a word of warning where no rule speaks.
fn weigh_in(decision: &mut Decision, action: &Action<'_>, survey: &Survey, review: &Review<'_>, mode: Mode) {
    let sure = review.timing == Timing::Before && decision.findings.is_empty() && survey.found.is_empty();
    if sure && decision.nature.base_risk() < review.policy.performance.async_threshold {
        return;
    }
    let settled = Settled::for_action(review, survey);
    let (risk, sense) = scores(action, survey, review, &settled, decision);
    let small = risk.score < review.policy.performance.async_threshold;
    if small && decision.findings.is_empty() && review.timing == Timing::Before {
        return;
    }
    let assessment = assess(action, survey, review, &settled, decision, risk, &sense);
    let critical = assessment.course == Course::Block && assessment.risk.severity == Severity::Critical;
    if critical && assessment.rationality.score < settled.rationality.low_threshold {
        let questions = decision.findings.iter_mut().filter(|finding| finding.course == Course::Ask);
        questions.for_each(|finding| finding.course = Course::Block);
    }
    let called_for = matches!(assessment.course, Course::Modify | Course::Block);
    if called_for && decision.findings.is_empty() && decision.noted.is_empty() {
        let reason = assessment.reasoning.all.join(". ");
        let finding = rules::RISK_AND_RATIONALITY.finding(reason, &(0..action.text().len()));
        let told = review.history.times_told(mark(&finding)) > 0;
        let in_force = mode == Mode::Enforce && settled.enforces(&finding.rule) && !told;
        if in_force { &mut decision.findings } else { &mut decision.noted }.push(finding);
    }
    decision.assessment = Some(assessment);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::Tool;
    use crate::policy::{BuiltinRules, StepMode, StepOverride};
    use crate::step::history::{Past, PastOutcome};
    use crate::step::{sample, survey};

    /// A decision about a command in the sample place, with its questions answered.
    fn decided(command: &str, change: impl Fn(&mut Review<'_>)) -> Decision {
        let input = serde_json::json!({ "command": command }).to_string();
        let tool = Tool::Bash { command: command.into() };
        let action = Action::read(&tool, &input);
        let (place, mut known) = (sample::place(), Known { gated: Some(true), ..Known::default() });
        let mut looked = survey(&action, &place, &known);
        while !looked.questions.is_empty() {
            std::mem::take(&mut looked.questions)
                .into_iter()
                .for_each(|asked| sample::answer(asked, &mut known));
            looked = survey(&action, &place, &known);
        }
        let mut review = sample::review(&place, &known);
        change(&mut review);
        decide(&action, &looked, &review, Mode::Enforce)
    }

    fn under(command: &str, change: impl FnOnce(&mut StepReviewer)) -> Decision {
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

    fn after(command: &str, past: Vec<Past>, goal: Option<&'static str>) -> Decision {
        decided(command, |review| {
            review.history = Box::leak(Box::new(History::new(past.clone())));
            review.goal = goal;
        })
    }

    const DELETES: &str = "rm -rf src";
    const FORBIDS: &str = "Explain the parser; do not change anything";

    #[test]
    fn reviewer_prevents_destructive_actions() {
        let decision = decided(DELETES, |_| ());
        assert_eq!(decision.course, Course::Block);
        let assessment = decision.assessment.unwrap();
        assert_eq!((assessment.risk.score, assessment.risk.severity), (1.0, Severity::Critical));
        assert!(assessment.reasoning.primary.unwrap().starts_with("High risk action: file_deletion"));
    }

    #[test]
    fn reviewer_allows_safe_actions() {
        for command in ["cat README.md", "git status", "ls -la src | head"] {
            let decision = decided(command, |_| ());
            assert_eq!((decision.course, decision.findings.len()), (Course::Allow, 0), "{command}");
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
            assert_eq!((decision.course, decision.noted.len()), (Course::Allow, 1));
            assert_eq!(under("rm -rf /", |policy| policy.mode = mode).course, Course::Block);
            let both = under("rm -rf src; git push --no-verify", |policy| policy.mode = mode);
            assert_eq!(both.findings.first().map(|finding| finding.level), Some(Level::Gate));
        }
        assert_eq!(under(DELETES, |policy| policy.enabled = false).course, Course::Allow);
    }

    #[test]
    fn rules_are_disabled_by_name_and_by_set_but_never_the_floor() {
        let disabled = |names: &[&str]| {
            let names = names.iter().map(ToString::to_string).collect::<Vec<_>>();
            move |policy: &mut StepReviewer| policy.rules.disabled = names
        };
        assert_eq!(under(DELETES, disabled(&["prevent_recursive_deletion"])).course, Course::Allow);
        assert_eq!(under("rm -rf /", disabled(&["system_or_home"])).course, Course::Block);
        assert_eq!(under("git push --no-verify", disabled(&["gate_bypass"])).course, Course::Block);
        let set = |builtin| move |policy: &mut StepReviewer| policy.rules.builtin = builtin;
        assert_eq!(under(DELETES, set(BuiltinRules::Essential)).course, Course::Block);
        assert_eq!(under(DELETES, set(BuiltinRules::None)).course, Course::Allow);
        assert_eq!(under("rm -rf /", set(BuiltinRules::None)).course, Course::Block);
        assert!(!is_limited(BuiltinRules::Essential) && is_limited(BuiltinRules::All));
    }

    fn is_limited(builtin: BuiltinRules) -> bool {
        let decision = under("touch x", |policy| {
            policy.rules.max_file_operations = 0;
            policy.rules.builtin = builtin;
        });
        decision.course == Course::Ask
    }

    #[test]
    fn more_file_operations_than_the_limit_need_a_person() {
        let limit = |count| under("touch x", |policy| policy.rules.max_file_operations = count).course;
        assert_eq!((limit(200), limit(0)), (Course::Allow, Course::Ask));
        let many = decided("touch x", |review| {
            review.history = Box::leak(Box::new(History::default().with_file_operations(200)));
        });
        assert_eq!(many.findings.first().map(|finding| finding.rule.as_str()), Some("limit_file_operations"));
        assert_eq!(under("ls", |policy| policy.rules.max_file_operations = 0).course, Course::Allow);
    }

    #[test]
    fn the_declared_scope_is_kept() {
        let scoped = |command| {
            under(command, |policy| {
                policy.scope.expected_paths = vec!["src/**".into()];
                policy.scope.forbidden_paths = vec!["src/generated/**".into()];
            })
        };
        assert_eq!(scoped("touch src/a.rs").course, Course::Allow);
        for outside in ["touch docs/a.md", "touch src/generated/a.rs"] {
            let decision = scoped(outside);
            assert_eq!(decision.course, Course::Ask, "{outside}");
            assert_eq!(decision.findings.first().map(|finding| finding.rule.as_str()), Some("out_of_scope"));
        }
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
        assert_eq!(decided(Some("Explore"), DELETES, for_agent.clone()).course, Course::Allow);
        assert_eq!(decided(Some("Plan"), DELETES, for_agent.clone()).course, Course::Block);
        assert_eq!(decided(None, DELETES, for_agent).course, Course::Block);
        let for_paths = StepOverride {
            paths: vec!["src/**".into(), "src".into()],
            disabled_rules: rule,
            ..StepOverride::default()
        };
        assert_eq!(decided(None, DELETES, for_paths.clone()).course, Course::Allow);
        assert_eq!(decided(None, "rm -rf lib", for_paths.clone()).course, Course::Block);
        assert_eq!(decided(None, "rm -rf src lib", for_paths).course, Course::Block);
        let mut stricter = StepOverride { agent: Some(MAIN.into()), ..StepOverride::default() };
        stricter.risk.critical_threshold = Some(0.6);
        stricter.risk.high_threshold = Some(0.6);
        assert_eq!(decided(None, "frobnicate", stricter.clone()).course, Course::Warn);
        assert_eq!(decided(Some("Explore"), "frobnicate", stricter).course, Course::Allow);
        let observing = StepOverride {
            agent: Some(MAIN.into()),
            mode: Some(StepMode::Observe),
            ..StepOverride::default()
        };
        assert_eq!(decided(None, DELETES, observing).course, Course::Allow);
    }

    #[test]
    fn each_risk_threshold_changes_what_is_called_for() {
        let course = |command: &str, change: fn(&mut StepReviewer)| {
            let change = |policy: &mut StepReviewer| {
                policy.performance.async_threshold = 0.0;
                change(policy);
            };
            let goal = |review: &mut Review<'_>| {
                let mut policy = StepReviewer::default();
                change(&mut policy);
                review.policy = Box::leak(Box::new(policy));
                review.goal = Some(FORBIDS);
                review.history =
                    Box::leak(Box::new(History::new(vec![past(command, "x", PastOutcome::Success)])));
            };
            decided(command, goal).assessment.unwrap().course
        };
        // Rationality 0.575, medium.
        assert_eq!(course("curl http://localhost", |_| ()), Course::Warn);
        assert_eq!(
            course("curl http://localhost", |policy| policy.risk.medium_threshold = 0.65),
            Course::Allow
        );
        assert_eq!(
            course("curl http://localhost", |policy| policy.risk.high_threshold = 0.6),
            Course::Modify
        );
        assert_eq!(
            course("curl http://localhost", |policy| policy.risk.critical_threshold = 0.6),
            Course::Block
        );
        let senseless = |policy: &mut StepReviewer| policy.rationality.medium_threshold = 0.75;
        assert_eq!(course("touch x", senseless), Course::Warn);
        let negligible = |policy: &mut StepReviewer| {
            policy.rationality.medium_threshold = 0.75;
            policy.risk.low_threshold = 0.5;
        };
        assert_eq!(course("touch x", negligible), Course::Allow);
    }

    #[test]
    fn three_failures_of_something_unknown_are_worth_one_word() {
        let failed = past("frobnicate", "frobnicate", PastOutcome::Failure);
        assert_eq!(after("frobnicate", vec![failed; 2], None).course, Course::Allow);
        let decision = after("frobnicate", vec![failed; 3], None);
        assert_eq!(decision.course, Course::Warn);
        let told = Past { rule: decision.mark(), ..failed };
        assert_eq!(after("frobnicate", vec![failed, failed, told], None).course, Course::Allow);
        assert_eq!(
            after("cargo test", vec![past("cargo test", "cargo test", PastOutcome::Failure); 3], None).course,
            Course::Allow
        );
    }

    #[test]
    fn a_question_that_was_refused_against_the_request_becomes_a_refusal() {
        let opaque = "rm -rf \"$(";
        assert_eq!(decided(opaque, |_| ()).course, Course::Ask);
        let refused = past(opaque, "rm", PastOutcome::Refused);
        let sense = |low_threshold| {
            let policy = StepReviewer {
                rationality: crate::policy::RationalityThresholds { low_threshold, ..Default::default() },
                risk: crate::policy::RiskThresholds { critical_threshold: 0.9, ..Default::default() },
                ..StepReviewer::default()
            };
            decided(opaque, |review| {
                review.policy = Box::leak(Box::new(policy.clone()));
                review.history = Box::leak(Box::new(History::new(vec![refused])));
                review.goal = Some(FORBIDS);
            })
            .course
        };
        assert_eq!((sense(0.3), sense(0.5)), (Course::Ask, Course::Block));
    }

    #[test]
    fn below_the_async_threshold_only_rules_speak_before_the_step() {
        let at =
            |threshold| under("touch x", |policy| policy.performance.async_threshold = threshold).assessment;
        assert!(at(0.3).is_some_and(|assessment| assessment.risk.score == 0.3));
        assert_eq!(at(0.5), None);
        let afterwards = decided("cat x", |review| review.timing = Timing::After);
        assert_eq!(afterwards.assessment.unwrap().risk.score, 0.1);
    }

    #[test]
    fn a_bare_warning_is_given_the_second_time_and_never_again() {
        let warning =
            rules::WARN_EXTERNAL_NETWORK.finding("external network request to example.com", &(0..0));
        let told = Past { rule: mark(&warning), ..past("x", "x", PastOutcome::Success) };
        let untimely = |times| is_untimely(&warning, &History::new(vec![told; times]));
        assert_eq!([untimely(0), untimely(1), untimely(2)], [true, false, true]);
    }

    #[test]
    fn rules_that_nobody_can_read_ask_where_they_could_matter() {
        let custom = CustomRules { unreadable: Some("line 3".into()), ..CustomRules::default() };
        let asked =
            |command| decided(command, |review| review.custom = Box::leak(Box::new(custom.clone()))).course;
        assert_eq!((asked("frobnicate"), asked("curl http://localhost")), (Course::Ask, Course::Ask));
        assert_eq!((asked("git status"), asked("cargo test")), (Course::Allow, Course::Allow));
    }

    #[test]
    fn a_safer_spelling_replaces_the_command_and_nothing_else() {
        let rewrite = Rewrite { replace: vec![("--force".into(), "--force-with-lease".into())] };
        let tool = Tool::Bash { command: "git push --force".into() };
        let action = Action::read(&tool, r#"{"command":"git push --force","timeout":5}"#);
        let finding = || rules::REWRITE_REMOTE.finding("x", &(0..16));
        let modified = safer(finding(), Some(&rewrite), &action);
        assert_eq!(modified.course, Course::Modify);
        assert_eq!(
            modified.instead.as_deref(),
            Some(r#"{"command":"git push --force-with-lease","timeout":5}"#)
        );
        assert_eq!(modified.alternative.as_deref(), Some("git push --force-with-lease"));
        assert_eq!(safer(finding(), None, &action).course, Course::Ask);
        let floor = rules::OWN_FILES.finding("x", &(0..16));
        assert_eq!(safer(floor, Some(&rewrite), &action).course, Course::Block);
    }
}
