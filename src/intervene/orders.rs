//! What the next call has to obey: the little that is read before every step, and absent in nearly every session.

use super::kind::Kind;
use super::limits::Limits;
use super::reached::Reached;
use super::words::refusal_words;
use crate::pattern::{Issue, Refuse, Rules, Severity, Sign, Watch};
use crate::step::Nature;
use serde::{Deserialize, Serialize};

/// More at once than anybody could obey; the oldest go.
const MOST: usize = 16;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Orders {
    pub version: u64,
    pub refusals: Vec<Refusal>,
    /// The next call that uses more of it is a person's decision.
    pub reached: Vec<Reached>,
    /// Set while throttled or after a recovery with limits.
    pub limits: Option<Limits>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Empty for the main thread.
    pub agent: String,
    pub what: Refuse,
    pub cause: u64,
    /// What the agent is told.
    pub reason: String,
    /// The intervention that ordered it.
    pub intervention: String,
    #[serde(default)]
    pub until: Until,
}

/// What ends a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// The person's next message.
    #[default]
    Prompt,
    /// That, or anything that changed: the same call may now come out differently.
    Change,
}

impl Refusal {
    /// What an intervention refuses from now on: with a rollback, and wherever the issue is as severe as that.
    pub fn of(kind: Kind, issue: &Issue, agent: &str, intervention: &str) -> Option<Self> {
        let what = issue.refuse?;
        let refuses = kind >= Kind::CheckpointRollback || issue.severity >= Severity::High;
        refuses.then(|| Self {
            agent: agent.to_owned(),
            what,
            cause: issue.cause,
            reason: refusal_words(issue, until(issue.sign)),
            intervention: intervention.to_owned(),
            until: until(issue.sign),
        })
    }
}

fn until(sign: Sign) -> Until {
    match sign {
        Sign::NoProgress
        | Sign::Cycle
        | Sign::ErrorFamily
        | Sign::ErrorStreak
        | Sign::UnchangedPoll
        | Sign::PhantomPath
        | Sign::PhantomCommand => Until::Change,
        Sign::FlipFlop
        | Sign::ReviewRatchet
        | Sign::OutOfScope
        | Sign::ForbiddenPath
        | Sign::ManyFiles
        | Sign::OffGoal
        | Sign::CallBudget
        | Sign::ErrorRatio
        | Sign::LimitReached
        | Sign::UnprovenClaim
        | Sign::FewerTests => Until::Prompt,
    }
}

impl Orders {
    pub fn is_empty(&self) -> bool {
        self.refusals.is_empty() && self.reached.is_empty() && self.limits.is_none()
    }

    /// Adds a refusal, in place of an older one of the same calls.
    pub fn refuse(&mut self, refusal: Refusal) {
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
        rules: &Rules<'_>,
    ) -> Option<&Refusal> {
        let is_meant = |one: &&Refusal| Watch::is_meant(one.what, tool, input, nature, rules);
        self.refusals.iter().rev().filter(|one| one.agent == agent).find(is_meant)
    }

    /// The reached limit that a call concerns.
    pub fn limit_for(&self, tool: &str, nature: Nature) -> Option<&Reached> {
        self.reached.iter().find(|reached| reached.concerns(tool, nature))
    }

    /// The agent changed something: what failed before may work now.
    pub fn changed(&mut self, agent: &str) {
        self.refusals.retain(|one| one.agent != agent || one.until != Until::Change);
    }

    /// A person's message ends every refusal, and what was counted since the last one.
    pub fn prompted(&mut self) {
        self.refusals.clear();
        self.reached.retain(|reached| reached.per_session);
    }

    /// A person's yes to one reached limit, with the limits that held so far.
    pub fn extend(&mut self, reached: &Reached, so_far: Limits) {
        let limits = self.limits.unwrap_or(so_far);
        self.limits = Some(limits.extended(reached));
        let is_same =
            |other: &Reached| (other.resource, other.per_session) == (reached.resource, reached.per_session);
        self.reached.retain(|other| !is_same(other));
    }
}

#[cfg(test)]
mod tests {
    use super::super::reached::Resource;
    use super::super::sample::issue;
    use super::*;
    use crate::pattern::Pattern;
    use crate::policy::Interventions;

    fn refused(severity: Severity, sign: Sign) -> Option<Refusal> {
        let mut issue = issue(Pattern::RepetitiveErrors, severity);
        (issue.refuse, issue.sign) = (Some(Refuse::Call(9)), sign);
        Refusal::of(Kind::ResourceThrottling, &issue, "", "1-abc")
    }

    #[test]
    fn only_a_rollback_or_a_high_severity_refuses_and_only_what_the_issue_names() {
        let mut low = issue(Pattern::RepetitiveErrors, Severity::Low);
        assert_eq!(Refusal::of(Kind::CheckpointRollback, &low, "", "1"), None);
        low.refuse = Some(Refuse::Call(9));
        assert!(Refusal::of(Kind::CheckpointRollback, &low, "", "1").is_some());
        assert_eq!(Refusal::of(Kind::SoftCorrection, &low, "", "1"), None);
        let high = refused(Severity::High, Sign::NoProgress).unwrap();
        assert!(high.reason.contains("cat /test/file.ex"), "{}", high.reason);
    }

    #[test]
    fn a_change_lifts_the_refusal_of_what_failed_and_not_that_of_going_too_far() {
        let mut orders = Orders::default();
        orders.refuse(refused(Severity::High, Sign::NoProgress).unwrap());
        orders
            .refuse(Refusal { what: Refuse::Changes, ..refused(Severity::High, Sign::OutOfScope).unwrap() });
        orders.changed("helper");
        assert_eq!(orders.refusals.len(), 2);
        orders.changed("");
        assert_eq!(orders.refusals.len(), 1);
        assert_eq!(orders.refusals[0].what, Refuse::Changes);
        orders.prompted();
        assert!(orders.is_empty());
    }

    #[test]
    fn refusals_are_bounded_and_the_same_one_is_there_once() {
        let mut orders = Orders::default();
        for call in 0..100 {
            let refusal = refused(Severity::High, Sign::NoProgress).unwrap();
            orders.refuse(Refusal { what: Refuse::Call(call / 2), ..refusal });
        }
        assert_eq!(orders.refusals.len(), MOST);
        assert_eq!(orders.refusals.last().map(|one| one.what), Some(Refuse::Call(49)));
    }

    #[test]
    fn a_yes_extends_one_limit_and_leaves_the_other_reached() {
        let limits = Limits::of(&Interventions::default(), 50);
        let commands = Reached { resource: Resource::Commands, used: 300, limit: 300, per_session: false };
        let files = Reached { resource: Resource::FileOperations, used: 50, limit: 50, per_session: false };
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
