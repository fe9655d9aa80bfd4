//! The settings for one effect or one tool call, with the overrides for its agent and paths applied.

use crate::pure::policy::{
    BuiltinRules, RationalityThresholds, RiskThresholds, StepMode, StepOverride, StepReviewer,
};
use crate::pure::step::catalogue;
use crate::pure::step::custom::MAIN;
use crate::pure::step::decide::StepContext;
use crate::pure::step::effect::{Effect, FoundEffect, Target};
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::rule::{Level, RuleName, Set};
use crate::pure::step::survey::Survey;

pub(crate) struct EffectiveSettings<'a> {
    pub risk: RiskThresholds,
    pub rationality: RationalityThresholds,
    mode: StepMode,
    enabled: bool,
    builtin: BuiltinRules,
    disabled: Vec<&'a str>,
}

impl<'a> EffectiveSettings<'a> {
    /// For a finding about one effect.
    pub fn for_effect(review: &StepContext<'a>, found: Option<&FoundEffect>) -> Self {
        Self::new(review, |paths| found.is_some_and(|found| lies_in(found, paths, review)))
    }

    /// For the whole call: one effect in an override's paths is enough.
    pub fn for_action(review: &StepContext<'a>, survey: &Survey) -> Self {
        Self::new(review, |paths| survey.found.iter().any(|found| lies_in(found, paths, review)))
    }

    fn new(review: &StepContext<'a>, lies_in: impl Fn(&[String]) -> bool) -> Self {
        let policy = review.policy;
        let mut settled = Self {
            risk: policy.risk.clone(),
            rationality: policy.rationality.clone(),
            mode: policy.mode,
            enabled: policy.enabled,
            builtin: policy.rules.builtin,
            disabled: policy.rules.disabled.iter().map(String::as_str).collect(),
        };
        let agent = review.agent.unwrap_or(MAIN);
        for one in &policy.overrides {
            let means_agent = one.agent.as_ref().is_none_or(|name| name == agent);
            if means_agent && (one.paths.is_empty() || lies_in(&one.paths)) {
                settled.take(one);
            }
        }
        settled
    }

    fn take(&mut self, one: &'a StepOverride) {
        let set = |place: &mut f64, value: Option<f64>| *place = value.unwrap_or(*place);
        set(&mut self.risk.low_threshold, one.risk.low_threshold);
        set(&mut self.risk.medium_threshold, one.risk.medium_threshold);
        set(&mut self.risk.high_threshold, one.risk.high_threshold);
        set(&mut self.risk.critical_threshold, one.risk.critical_threshold);
        set(&mut self.rationality.low_threshold, one.rationality.low_threshold);
        set(&mut self.rationality.medium_threshold, one.rationality.medium_threshold);
        set(&mut self.rationality.high_threshold, one.rationality.high_threshold);
        self.mode = one.mode.unwrap_or(self.mode);
        self.disabled.extend(one.disabled_rules.iter().map(String::as_str));
    }

    /// Whether a rule of level `Step` is enforced, not only logged.
    pub fn enforces(&self, rule: &RuleName) -> bool {
        let in_set = match rule {
            RuleName::Custom(_) => true,
            RuleName::Builtin(name) => is_in_set(name, self.builtin),
        };
        self.enabled && self.mode == StepMode::Blocking && in_set && !self.disabled.contains(&rule.as_str())
    }
}

/// Whether the settings only record what an agent does, whatever it touches; `None` is the main agent.
pub(crate) fn observes(policy: &StepReviewer, agent: Option<&str>) -> bool {
    let agent = agent.unwrap_or(MAIN);
    let of_agent = |one: &&StepOverride| one.paths.is_empty() && one.agent.as_deref() == Some(agent);
    let mode = policy.overrides.iter().filter(of_agent).filter_map(|one| one.mode).next_back();
    mode.unwrap_or(policy.mode) != StepMode::Blocking
}

/// Whether the chosen set of built-in rules contains this rule. Every set contains the floor and the gate.
pub fn is_in_set(name: &str, builtin: BuiltinRules) -> bool {
    let Some(rule) = catalogue::ALL.iter().find(|rule| rule.name == name) else { return true };
    match builtin {
        _ if rule.level < Level::Step => true,
        BuiltinRules::All => true,
        BuiltinRules::Essential => rule.set == Set::Essential,
        BuiltinRules::None => false,
    }
}

fn lies_in(found: &FoundEffect, paths: &[String], review: &StepContext<'_>) -> bool {
    let target = match &found.effect {
        Effect::Delete { target, .. } | Effect::Write { target, .. } | Effect::Read { target } => target,
        _ => return false,
    };
    let (Target::Path(path) | Target::Inside(path)) = target else { return false };
    let Ok(relative) = path.strip_prefix(&review.place.project) else { return false };
    paths.iter().any(|pattern| {
        let matcher = PathPattern::new(pattern.strip_prefix("./").unwrap_or(pattern));
        matcher.is_valid() && matcher.matches(relative)
    })
}
