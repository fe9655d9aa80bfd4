//! The decision about a tool call, from its effects, the rules and the answers of the edges.

use super::action::Action;
use super::assessment::{Assessment, Nature, Rationality, Risk, Scores, SideEffect, SideEffectSeverity};
use super::catalogue as rules;
use super::custom::{CustomRules, MAIN, Subject};
use super::effect::{Effect, FoundEffect, Loss, Rewrite, Target};
use super::effective_settings::EffectiveSettings;
use super::fingerprint::fingerprint;
use super::history::StepHistory;
use super::judge::judge;
use super::known::Known;
use super::place::Place;
use super::rationality::{RationalityInput, rationality};
use super::rewrite::{rewritten, with_command};
use super::risk::{DANGEROUS_PATTERN, RiskFactors, risk, worst};
use super::rule::{Level, Rule, RuleFinding, RuleName};
use super::side_effects::side_effects;
use super::survey::Survey;
use super::{matrix, scope};
use crate::pure::policy::{MatrixMode, StepReviewer};
use crate::pure::shell::Wrapper;
use crate::pure::step::Decision;

/// The decision about a tool call, with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct StepDecision {
    pub decision: Decision,
    /// Findings of the rules in force, the firmest first.
    pub findings: Vec<RuleFinding>,
    /// Findings that are only logged: the rule is observed, paused or switched off, or has warned before.
    pub noted: Vec<RuleFinding>,
    /// `None` if the risk is too low to be assessed before the call.
    pub assessment: Option<Assessment>,
    /// The worst nature of the call's effects.
    pub nature: Nature,
}

/// Whether the rules of level `Step` are enforced or only logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Enforce,
    /// Paused by a person, whatever the settings say.
    Observe,
}

/// Whether the call has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    /// A call of low risk is assessed after it has run.
    Before,
    /// Every call is assessed.
    After,
}

/// The inputs of a decision besides the call and its effects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub place: &'a Place,
    pub known: &'a Known,
    pub policy: &'a StepReviewer,
    pub custom: &'a CustomRules,
    pub history: &'a StepHistory,
    /// The last prompt of the person.
    pub goal: Option<&'a str>,
    /// The type of the agent; `None` for the main one.
    pub agent: Option<&'a str>,
    pub timing: Timing,
}

impl StepDecision {
    /// A fingerprint of the first finding, by which the journal recognises a repeated warning; 0 without findings.
    pub fn mark(&self) -> u64 {
        self.findings.first().or(self.noted.first()).map_or(0, mark)
    }

    /// The same with a denial in place of a rewrite; the message still names the safer command.
    #[must_use]
    pub fn without_rewrite(mut self) -> Self {
        for finding in &mut self.findings {
            if finding.decision == Decision::Rewrite {
                finding.decision = Decision::Deny;
                finding.instead = None;
            }
        }
        self.settle();
        self
    }

    fn settle(&mut self) {
        self.findings.sort_by_key(|finding| (std::cmp::Reverse(finding.decision), finding.level));
        self.decision = self.findings.first().map_or(Decision::Silent, |finding| finding.decision);
    }
}

/// Whether the history and the goal can change the decision: they cost a read of the session.
pub(crate) fn needs_session(survey: &Survey, review: &StepContext<'_>) -> bool {
    let nature = worst(survey, review.place, review.known);
    !survey.found.is_empty() || nature.base_risk() >= review.policy.performance.async_threshold
}

pub(crate) fn decide(
    action: &Action<'_>,
    survey: &Survey,
    review: &StepContext<'_>,
    mode: Mode,
) -> StepDecision {
    let nature = worst(survey, review.place, review.known);
    let mut decision = StepDecision {
        decision: Decision::Silent,
        findings: Vec::new(),
        noted: Vec::new(),
        assessment: None,
        nature,
    };
    for (finding, found) in all_findings(action, survey, review, nature) {
        let settled = EffectiveSettings::for_effect(review, found);
        let in_force = finding.level < Level::Step
            || (mode == Mode::Enforce
                && settled.enforces(&finding.rule)
                && !is_untimely(&finding, review.history));
        if in_force { &mut decision.findings } else { &mut decision.noted }.push(finding);
    }
    apply_assessment(&mut decision, action, survey, review, mode);
    decision.settle();
    decision
}

/// The scores that go with a decision, also where they were too small to have a say.
pub(crate) fn scored(
    action: &Action<'_>,
    survey: &Survey,
    review: &StepContext<'_>,
    decision: &StepDecision,
) -> Scores {
    if let Some(assessment) = &decision.assessment {
        return assessment.scores();
    }
    let settled = EffectiveSettings::for_action(review, survey);
    let (risk, sense) = scores(action, survey, review, &settled, decision);
    let Weighed { rationality, side_effects, standing } =
        Weighed::of(action, survey, review, &settled, &risk, &sense);
    let negligible = settled.risk.low_threshold;
    Scores {
        risk: risk.score,
        rationality: rationality.score,
        confidence: confidence(survey, review),
        course: matrix::decision(&risk, &rationality, &side_effects, standing, negligible),
        side_effects,
    }
}

/// The first denial of the floor or the gate, as far as `known` goes.
pub(crate) fn firm_finding(survey: &Survey, place: &Place, known: &Known) -> Option<RuleFinding> {
    let mut said = survey.found.iter().filter_map(|found| judge(found, place, known));
    said.find(|finding| finding.level < Level::Step && finding.decision == Decision::Deny)
}

/// Rules about a loss that the agent can prevent by saving its work first.
const SAVED_BY_AGENT: [&Rule; 3] =
    [&rules::DISCARD_CHANGES, &rules::PREVENT_RECURSIVE_DELETION, &rules::LOSE_FILE];

/// The findings of all rules, in force or not, each with its effect.
fn all_findings<'s>(
    action: &Action<'_>,
    survey: &'s Survey,
    review: &StepContext<'_>,
    nature: Nature,
) -> Vec<(RuleFinding, Option<&'s FoundEffect>)> {
    let mut said = Vec::new();
    let others = &review.known.others;
    for (at, found) in survey.found.iter().enumerate() {
        let theirs = others.effects.iter().find(|(of, _)| *of == at);
        let theirs = theirs.map(|(_, reason)| rules::OTHER_SESSION.finding(reason, &found.span));
        let own = judge(found, review.place, review.known);
        // The agent cannot save what is not its own, so a person decides.
        let own = own.filter(|own| theirs.is_none() || !SAVED_BY_AGENT.iter().any(|rule| own.rule.is(rule)));
        said.extend(theirs.map(|finding| (finding, Some(found))));
        if let Some(finding) = own {
            said.push((safer(finding, gentler(found), action), Some(found)));
        }
        let outside = scope::finding(found, review.place, &review.policy.scope);
        said.extend(outside.map(|finding| (finding, Some(found))));
    }
    for (at, reason) in &others.sweeps {
        let span = survey.sweeps.get(*at).map(|sweep| sweep.span.clone()).unwrap_or_default();
        said.push((rules::OTHER_SESSION.finding(reason, &span), None));
    }
    let whole = 0..action.text().len();
    let limit = u64::from(review.policy.rules.max_file_operations);
    if nature.touches_files() && review.history.file_operations() >= limit {
        let reason = format!("more than {limit} file operations since the last prompt. Is this intended?");
        said.push((rules::LIMIT_FILE_OPERATIONS.finding(reason, &whole), None));
    }
    said.extend(custom(action, survey, review, nature).map(|finding| (finding, None)));
    said
}

fn custom<'r>(
    action: &'r Action<'_>,
    survey: &'r Survey,
    review: &StepContext<'r>,
    nature: Nature,
) -> impl Iterator<Item = RuleFinding> + 'r {
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

/// Rewrites the command where a rule asks for it and the rewrite is certain; denies it otherwise.
fn safer(mut finding: RuleFinding, rewrite: Option<&Rewrite>, action: &Action<'_>) -> RuleFinding {
    if finding.decision != Decision::Rewrite {
        return finding;
    }
    let command = rewrite
        .filter(|_| action.is_shell())
        .and_then(|rewrite| rewritten(action.text(), &finding.span, rewrite));
    finding.instead = command.as_ref().and_then(|command| with_command(action.raw_input(), command));
    match finding.instead {
        Some(_) => finding.alternative = command,
        None => finding.decision = Decision::Deny,
    }
    finding
}

fn gentler(found: &FoundEffect) -> Option<&Rewrite> {
    match &found.effect {
        Effect::Discard { gentler, .. } | Effect::RewriteRemote { gentler, .. } => {
            gentler.as_ref().filter(|_| found.typed)
        }
        _ => None,
    }
}

/// A built-in warning is skipped the first time and then given once. A secret that a person let into the conversation is
/// not asked about again.
fn is_untimely(finding: &RuleFinding, history: &StepHistory) -> bool {
    if finding.rule.as_str() == rules::READ_SECRET.name && history.was_granted(mark(finding)) {
        return true;
    }
    let builtin = matches!(finding.rule, RuleName::Builtin(_));
    finding.decision == Decision::Warn && builtin && history.times_reported(mark(finding)) != 1
}

fn mark(finding: &RuleFinding) -> u64 {
    fingerprint(format!("{}: {}", finding.rule.as_str(), finding.reason).as_bytes())
}

/// The risk, and the input of the rationality score.
fn scores<'r>(
    action: &Action<'_>,
    survey: &Survey,
    review: &StepContext<'r>,
    settled: &EffectiveSettings<'_>,
    decision: &StepDecision,
) -> (Risk, RationalityInput<'r>) {
    let (policy, nature, findings) = (review.policy, decision.nature, &decision.findings);
    let history = review.history;
    let (identity, family) = (action.identity(), action.family_fingerprint());
    let raised = RiskFactors {
        out_of_scope: survey.found.iter().any(|found| scope::is_outside(found, review.place, &policy.scope)),
        failures: history.failures(identity, family),
        privileged: is_privileged(action, survey),
        pattern: findings.iter().any(|finding| finding.decision >= Decision::Ask),
    };
    let sense = RationalityInput {
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

/// Whether anything runs with another user's rights, whatever it does.
fn is_privileged(action: &Action<'_>, survey: &Survey) -> bool {
    let raised = |by: &Wrapper| matches!(by, Wrapper::Sudo | Wrapper::Su);
    survey.found.iter().any(|found| found.privileged)
        || action.commands().iter().any(|command| command.via.iter().any(raised))
}

/// The matrix's input besides the risk.
struct Weighed {
    rationality: Rationality,
    side_effects: Vec<SideEffect>,
    standing: matrix::MatrixContext,
}

impl Weighed {
    fn of(
        action: &Action<'_>,
        survey: &Survey,
        review: &StepContext<'_>,
        settled: &EffectiveSettings<'_>,
        risk: &Risk,
        sense: &RationalityInput<'_>,
    ) -> Self {
        let is_pattern = risk.has(DANGEROUS_PATTERN);
        Self {
            rationality: rationality(sense, &review.policy.weights, &settled.rationality),
            side_effects: side_effects(action.commands(), survey, review.place, review.known),
            standing: matrix::MatrixContext { is_first: review.history.is_first(sense.action), is_pattern },
        }
    }
}

fn assess(
    action: &Action<'_>,
    survey: &Survey,
    review: &StepContext<'_>,
    settled: &EffectiveSettings<'_>,
    decision: &StepDecision,
    risk: Risk,
    sense: &RationalityInput<'_>,
) -> Assessment {
    let history = review.history;
    let Weighed { rationality, side_effects, standing } =
        Weighed::of(action, survey, review, settled, &risk, sense);
    let negligible = settled.risk.low_threshold;
    let mut assessment =
        matrix::assessment(risk, rationality, side_effects, standing, negligible, confidence(survey, review));
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

fn is_open(found: &FoundEffect) -> bool {
    match &found.effect {
        Effect::Opaque { .. } => true,
        Effect::Delete { target, .. } | Effect::Write { target, .. } => {
            matches!(target, Target::Unknown | Target::Below(_))
        }
        _ => false,
    }
}

/// How much of the assessment's input is known.
fn confidence(survey: &Survey, review: &StepContext<'_>) -> f64 {
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

/// Lets the assessment turn a question into a denial, or warn where no rule has a finding. It refuses nothing by itself.
fn apply_assessment(
    decision: &mut StepDecision,
    action: &Action<'_>,
    survey: &Survey,
    review: &StepContext<'_>,
    mode: Mode,
) {
    let sure = review.timing == Timing::Before
        && decision.findings.is_empty()
        && survey.found.is_empty()
        && !is_privileged(action, survey);
    if sure && decision.nature.base_risk() < review.policy.performance.async_threshold {
        return;
    }
    let settled = EffectiveSettings::for_action(review, survey);
    let (risk, sense) = scores(action, survey, review, &settled, decision);
    let small = risk.score < review.policy.performance.async_threshold;
    if small && decision.findings.is_empty() && review.timing == Timing::Before {
        return;
    }
    let assessment = assess(action, survey, review, &settled, decision, risk, &sense);
    let critical =
        assessment.decision == Decision::Deny && assessment.risk.severity == SideEffectSeverity::Critical;
    if critical && assessment.rationality.score < settled.rationality.low_threshold {
        let questions = decision.findings.iter_mut().filter(|finding| finding.decision == Decision::Ask);
        questions.for_each(|finding| finding.decision = Decision::Deny);
    }
    if let Some(finding) = by_matrix(decision, action, review, &assessment) {
        let told = finding.decision == Decision::Warn && review.history.times_reported(mark(&finding)) > 0;
        let in_force = mode == Mode::Enforce && settled.enforces(&finding.rule) && !told;
        if in_force { &mut decision.findings } else { &mut decision.noted }.push(finding);
    }
    decision.assessment = Some(assessment);
}

/// The matrix's contribution: a warning where no rule has a finding; under `matrix: enforce`, its own decision, unless the
/// rules are as strict.
fn by_matrix(
    decision: &StepDecision,
    action: &Action<'_>,
    review: &StepContext<'_>,
    assessment: &Assessment,
) -> Option<RuleFinding> {
    let reason = assessment.reasoning.all.join(". ");
    let finding = rules::RISK_AND_RATIONALITY.finding(reason, &(0..action.text().len()));
    match review.policy.matrix {
        MatrixMode::Advise => {
            let called_for = matches!(assessment.decision, Decision::Rewrite | Decision::Deny);
            (called_for && decision.findings.is_empty() && decision.noted.is_empty()).then_some(finding)
        }
        MatrixMode::Enforce => {
            let strictest = decision.findings.iter().map(|finding| finding.decision).max();
            let stricter = strictest.unwrap_or_default() < assessment.decision;
            // A rewrite needs to know the safer command; where nobody does, the call is refused with the advice.
            let course = match assessment.decision {
                Decision::Silent => return None,
                Decision::Warn => Decision::Warn,
                Decision::Rewrite | Decision::Ask | Decision::Deny => Decision::Deny,
            };
            let alternative = assessment.alternatives.first().cloned();
            stricter.then_some(RuleFinding { decision: course, alternative, ..finding })
        }
    }
}

#[cfg(test)]
mod tests;
