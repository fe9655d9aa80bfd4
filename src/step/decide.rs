//! The answer to an action, from its effects, the rules, and what is known about them.

use super::action::Action;
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
use super::survey::Survey;
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

/// What is refused under every setting, as far as `known` goes.
pub fn firm_finding(survey: &Survey, place: &Place, known: &Known) -> Option<Finding> {
    let mut said = survey.found.iter().filter_map(|found| judge(found, place, known));
    said.find(|finding| finding.level < Level::Step && finding.course == Course::Block)
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

/// What a rule wants in another spelling gets it where that can be done for certain, and is refused otherwise.
fn safer(mut finding: Finding, rewrite: Option<&Rewrite>, action: &Action<'_>) -> Finding {
    if finding.course != Course::Modify {
        return finding;
    }
    let command = rewrite
        .filter(|_| action.is_shell())
        .and_then(|rewrite| rewritten(action.text(), &finding.span, rewrite));
    finding.instead = command.as_ref().and_then(|command| with_command(action.raw_input(), command));
    match finding.instead {
        Some(_) => finding.alternative = command,
        None => finding.course = Course::Block,
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
mod tests;
