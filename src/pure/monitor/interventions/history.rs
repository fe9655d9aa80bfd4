//! The last interventions of a session, and whether they helped.

use super::kind::InterventionKind;
use crate::pure::monitor::patterns::{Issue, IssueSeverity, Pattern, Sign};
use crate::pure::step::fingerprint;
use serde::{Deserialize, Serialize};

/// How many are kept.
const KEPT: usize = 40;
/// Calls that show it are named up to here, the newest.
const EVENTS: usize = 20;
/// The number of calls without its cause after which an intervention has helped.
pub(crate) const JUDGED_AFTER_CALLS: u64 = 5;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct InterventionHistory {
    /// The newest last.
    pub delivered: Vec<Delivered>,
    /// Of the whole session, however many are still kept.
    pub count: u64,
    /// Since the person's last message.
    pub since_prompt: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Delivered {
    pub id: String,
    pub kind: InterventionKind,
    pub pattern: Pattern,
    pub sign: Sign,
    pub severity: IssueSeverity,
    pub cause: u64,
    /// Harder than the score alone asks for, since the cause persisted.
    pub escalated: bool,
    /// Ids of the calls that caused it.
    pub events: Vec<String>,
    /// Milliseconds since 1970.
    pub time: u64,
    /// Calls of the session when it was delivered.
    pub calls: u64,
    pub effect: InterventionEffect,
    /// Empty for the main thread.
    pub agent: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionEffect {
    /// Too early to say.
    Open,
    /// The cause did not come back.
    Helped,
    /// The cause came back after it was delivered.
    Persisted,
}

impl InterventionHistory {
    /// Records an intervention. `calls` is the agent's own count, the same here, in `judge` and in `choose`.
    pub fn record(
        &mut self,
        issue: &Issue,
        kind: InterventionKind,
        escalated: bool,
        agent: &str,
        now: u64,
        calls: u64,
    ) -> Delivered {
        self.count += 1;
        self.since_prompt += 1;
        let mark = fingerprint(format!("{} {now} {} {agent}", issue.cause, self.count).as_bytes());
        let first = issue.events.len().saturating_sub(EVENTS);
        let delivered = Delivered {
            id: format!("{}-{:08x}", self.count, mark & 0xffff_ffff),
            kind,
            pattern: issue.pattern,
            sign: issue.sign,
            severity: issue.severity,
            cause: issue.cause,
            escalated,
            events: issue.events.iter().skip(first).cloned().collect(),
            time: now,
            calls,
            effect: InterventionEffect::Open,
            agent: agent.to_owned(),
        };
        self.delivered.push(delivered.clone());
        let surplus = self.delivered.len().saturating_sub(KEPT);
        self.delivered.drain(..surplus);
        delivered
    }

    /// Says of what is still open whether it helped: not if its cause is among the issues of a later call of the same
    /// agent; it did if five further calls went by without it. Returns those it has just judged.
    pub fn judge(&mut self, issues_now: &[Issue], agent: &str, calls: u64) -> Vec<Delivered> {
        let mut judged = Vec::new();
        let count = usize::try_from(self.since_prompt).unwrap_or(usize::MAX);
        for one in self.delivered.iter_mut().rev().take(count) {
            let further = calls.saturating_sub(one.calls);
            if one.effect != InterventionEffect::Open || one.agent != agent || further == 0 {
                continue;
            }
            if issues_now.iter().any(|issue| issue.cause == one.cause) {
                one.effect = InterventionEffect::Persisted;
            } else if further >= JUDGED_AFTER_CALLS {
                one.effect = InterventionEffect::Helped;
            } else {
                continue;
            }
            judged.push(one.clone());
        }
        judged.reverse();
        judged
    }

    /// A person's message: attempts and escalation start again, and open interventions stay unjudged.
    pub fn start_prompt(&mut self) {
        self.since_prompt = 0;
    }

    /// Those of the present prompt that are about this cause, the newest first.
    pub fn about(&self, cause: u64) -> impl Iterator<Item = &Delivered> {
        let count = usize::try_from(self.since_prompt).unwrap_or(usize::MAX);
        self.delivered.iter().rev().take(count).filter(move |one| one.cause == cause)
    }

    /// The share of the judged ones about this cause that helped; `None` before the first is judged.
    pub fn effectiveness_for(&self, cause: u64) -> Option<f64> {
        let judged: Vec<InterventionEffect> = self
            .about(cause)
            .map(|one| one.effect)
            .filter(|effect| *effect != InterventionEffect::Open)
            .collect();
        let helped = judged.iter().filter(|effect| **effect == InterventionEffect::Helped).count();
        (!judged.is_empty()).then(|| helped as f64 / judged.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::issue;
    use super::*;

    fn low() -> Issue {
        issue(Pattern::RepetitiveErrors, IssueSeverity::Low)
    }

    fn delivered_at(calls: u64) -> InterventionHistory {
        let mut history = InterventionHistory::default();
        history.record(&low(), InterventionKind::SoftCorrection, false, "", 1000, calls);
        history
    }

    #[test]
    fn an_intervention_helped_if_its_cause_stays_away_for_five_calls() {
        let mut history = delivered_at(10);
        assert_eq!(history.judge(&[], "", 14), []);
        assert_eq!(history.judge(&[], "", 15).len(), 1);
        assert_eq!(history.delivered[0].effect, InterventionEffect::Helped);
        assert_eq!(history.judge(&[low()], "", 16), [], "judged once");
        assert_eq!(history.effectiveness_for(low().cause), Some(1.0));
    }

    #[test]
    fn it_persisted_if_the_cause_comes_back_with_a_later_call() {
        let mut history = delivered_at(10);
        assert_eq!(history.judge(&[low()], "", 10), [], "the call it was delivered at");
        let mut other = low();
        other.cause += 1;
        assert_eq!(history.judge(&[other], "", 12), []);
        assert_eq!(history.judge(&[low()], "", 13)[0].effect, InterventionEffect::Persisted);
    }

    #[test]
    fn the_cause_coming_back_at_the_fifth_call_is_no_help() {
        let mut history = delivered_at(10);
        assert_eq!(history.judge(&[low()], "", 15)[0].effect, InterventionEffect::Persisted);
    }

    #[test]
    fn another_agent_and_another_prompt_judge_nothing() {
        let mut history = delivered_at(10);
        assert_eq!(history.judge(&[low()], "helper", 20), []);
        history.start_prompt();
        assert_eq!(history.judge(&[low()], "", 20), []);
        assert_eq!(history.about(low().cause).count(), 0);
        assert_eq!(history.delivered[0].effect, InterventionEffect::Open);
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_count_is_not() {
        let mut history = InterventionHistory::default();
        let mut issue = low();
        issue.events = (0..100).map(|event| event.to_string()).collect();
        let ids: std::collections::BTreeSet<String> = (0..1000)
            .map(|calls| history.record(&issue, InterventionKind::SoftCorrection, false, "", 0, calls).id)
            .collect();
        assert_eq!((history.delivered.len(), history.count, ids.len()), (KEPT, 1000, 1000));
        assert_eq!(history.delivered[0].events.last().map(String::as_str), Some("99"));
        assert_eq!(history.delivered[0].events.len(), EVENTS);
    }
}
