//! Refusals and limits for the next calls. They are read before every tool call, and absent in nearly every session.

use super::kind::InterventionKind;
use super::limits::SessionLimits;
use super::messages::refusal_message;
use super::reached_limit::ReachedLimit;
use crate::pure::monitor::patterns::{Issue, IssueSeverity, MonitorRules, Refuse, SessionMonitor, Sign};
use crate::pure::step::Nature;
use serde::{Deserialize, Serialize};

/// More at once than anybody could obey; the oldest go.
const MOST: usize = 16;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Orders {
    pub version: u64,
    pub refusals: Vec<OrderedRefusal>,
    /// The next call that uses more of it is a person's decision.
    pub reached: Vec<ReachedLimit>,
    /// Set while throttled or after a recovery with limits.
    pub limits: Option<SessionLimits>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderedRefusal {
    /// Empty for the main thread.
    pub agent: String,
    pub what: Refuse,
    pub cause: u64,
    /// The message for the agent.
    pub reason: String,
    /// The intervention that ordered it.
    pub intervention: String,
    #[serde(default)]
    pub until: Until,
    /// Ordered while nothing was enforced: calls that fall under it are recorded, not refused.
    #[serde(default)]
    pub observed: bool,
}

/// The event that ends a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Until {
    /// The person's next message.
    #[default]
    Prompt,
    /// That, or anything that changed: the same call may now come out differently.
    Change,
}

impl OrderedRefusal {
    /// The refusal of an intervention: with a rollback or harder, and for issues of high severity.
    pub fn of(kind: InterventionKind, issue: &Issue, agent: &str, intervention: &str) -> Option<Self> {
        let what = issue.refuse?;
        let refuses = kind >= InterventionKind::CheckpointRollback || issue.severity >= IssueSeverity::High;
        refuses.then(|| Self {
            agent: agent.to_owned(),
            what,
            cause: issue.cause,
            reason: refusal_message(issue, until(issue.sign)),
            intervention: intervention.to_owned(),
            until: until(issue.sign),
            observed: false,
        })
    }
}

/// A failed call or a wrong guess may work after a change; everything else needs a person.
fn until(sign: Sign) -> Until {
    use Sign::{Cycle, ErrorFamily, ErrorStreak, NoProgress, PhantomCommand, PhantomPath, UnchangedPoll};
    let repeats = matches!(sign, NoProgress | Cycle | ErrorFamily | ErrorStreak | UnchangedPoll);
    let guesses = matches!(sign, PhantomPath | PhantomCommand);
    if repeats || guesses { Until::Change } else { Until::Prompt }
}

impl Orders {
    pub fn is_empty(&self) -> bool {
        self.refusals.is_empty() && self.reached.is_empty() && self.limits.is_none()
    }

    /// Adds a refusal, in place of an older one of the same calls.
    pub fn refuse(&mut self, refusal: OrderedRefusal) {
        self.refusals.retain(|other| (&other.agent, other.what) != (&refusal.agent, refusal.what));
        self.refusals.push(refusal);
        let surplus = self.refusals.len().saturating_sub(MOST);
        self.refusals.drain(..surplus);
    }

    /// The refusal that a call falls under.
    pub fn refusal_for(
        &self,
        agent: &str,
        tool: &str,
        input: &str,
        nature: Nature,
        rules: &MonitorRules<'_>,
    ) -> Option<&OrderedRefusal> {
        let is_meant =
            |one: &&OrderedRefusal| SessionMonitor::is_refused(one.what, tool, input, nature, rules);
        self.refusals.iter().rev().filter(|one| one.agent == agent).find(is_meant)
    }

    /// The reached limit that a call concerns.
    pub fn limit_for(&self, tool: &str, nature: Nature) -> Option<&ReachedLimit> {
        self.reached.iter().find(|reached| reached.concerns(tool, nature))
    }

    /// The agent changed something: what failed before may work now.
    pub fn lift_after_change(&mut self, agent: &str) {
        self.refusals.retain(|one| one.agent != agent || one.until != Until::Change);
    }

    /// A person's message ends every refusal, and what was counted since the last one.
    pub fn start_prompt(&mut self) {
        self.refusals.clear();
        self.reached.retain(|reached| reached.per_session);
    }

    /// A person's yes to one reached limit, with the limits that held so far.
    pub fn extend(&mut self, reached: &ReachedLimit, so_far: SessionLimits) {
        let limits = self.limits.unwrap_or(so_far);
        self.limits = Some(limits.extended(reached));
        let is_same = |other: &ReachedLimit| {
            (other.resource, other.per_session) == (reached.resource, reached.per_session)
        };
        self.reached.retain(|other| !is_same(other));
    }
}

#[cfg(test)]
mod tests {
    use super::super::reached_limit::Resource;
    use super::super::sample::issue;
    use super::*;
    use crate::pure::monitor::patterns::Pattern;
    use crate::pure::policy::Interventions;

    fn refused(severity: IssueSeverity, sign: Sign) -> Option<OrderedRefusal> {
        let mut issue = issue(Pattern::RepetitiveErrors, severity);
        (issue.refuse, issue.sign) = (Some(Refuse::Call(9)), sign);
        OrderedRefusal::of(InterventionKind::ResourceThrottling, &issue, "", "1-abc")
    }

    #[test]
    fn only_a_rollback_or_a_high_severity_refuses_and_only_what_the_issue_names() {
        let mut low = issue(Pattern::RepetitiveErrors, IssueSeverity::Low);
        assert_eq!(OrderedRefusal::of(InterventionKind::CheckpointRollback, &low, "", "1"), None);
        low.refuse = Some(Refuse::Call(9));
        assert!(OrderedRefusal::of(InterventionKind::CheckpointRollback, &low, "", "1").is_some());
        assert_eq!(OrderedRefusal::of(InterventionKind::SoftCorrection, &low, "", "1"), None);
        let high = refused(IssueSeverity::High, Sign::NoProgress).unwrap();
        assert!(high.reason.contains("cat /test/file.ex"), "{}", high.reason);
    }

    #[test]
    fn a_change_lifts_the_refusal_of_what_failed_and_not_that_of_going_too_far() {
        let mut orders = Orders::default();
        orders.refuse(refused(IssueSeverity::High, Sign::NoProgress).unwrap());
        orders.refuse(OrderedRefusal {
            what: Refuse::Changes,
            ..refused(IssueSeverity::High, Sign::OutOfScope).unwrap()
        });
        orders.lift_after_change("helper");
        assert_eq!(orders.refusals.len(), 2);
        orders.lift_after_change("");
        assert_eq!(orders.refusals.len(), 1);
        assert_eq!(orders.refusals[0].what, Refuse::Changes);
        orders.start_prompt();
        assert!(orders.is_empty());
    }

    #[test]
    fn refusals_are_bounded_and_the_same_one_is_there_once() {
        let mut orders = Orders::default();
        for call in 0..100 {
            let refusal = refused(IssueSeverity::High, Sign::NoProgress).unwrap();
            orders.refuse(OrderedRefusal { what: Refuse::Call(call / 2), ..refusal });
        }
        assert_eq!(orders.refusals.len(), MOST);
        assert_eq!(orders.refusals.last().map(|one| one.what), Some(Refuse::Call(49)));
    }

    #[test]
    fn a_yes_extends_one_limit_and_leaves_the_other_reached() {
        let limits = SessionLimits::of(&Interventions::default(), 50);
        let commands =
            ReachedLimit { resource: Resource::Commands, used: 300, limit: 300, per_session: false };
        let files =
            ReachedLimit { resource: Resource::FileOperations, used: 50, limit: 50, per_session: false };
        let mut orders = Orders { reached: vec![commands, files], ..Orders::default() };
        assert_eq!(orders.limit_for("Bash", Nature::Read), Some(&commands));
        orders.extend(&commands, limits);
        assert_eq!(orders.limits.map(|limits| limits.commands), Some(375));
        assert_eq!(orders.limit_for("Bash", Nature::Read), None);
        assert_eq!(orders.limit_for("Write", Nature::Creation), Some(&files));
    }

    #[test]
    fn orders_of_an_older_version_without_new_fields_are_read() {
        let text = r#"{"version":1,"refusals":[{"agent":"","what":{"call":9},"cause":1,"reason":"r","intervention":"i"}],
            "limits":{"file_operations":1,"commands":1,"tokens":1,"seconds":1,"batch_size":1,"memory_mb":1}}"#;
        let orders: Orders = serde_json::from_str(text).unwrap();
        assert_eq!(orders.refusals[0].until, Until::Prompt);
        assert_eq!(serde_json::from_str::<Orders>(&serde_json::to_string(&orders).unwrap()).unwrap(), orders);
    }
}
