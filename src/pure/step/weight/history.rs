//! The earlier tool calls of the session: whether a call is new, repeated or has failed before.

use crate::pure::step::assessment::Nature;

/// One earlier tool call, by fingerprints: the same fingerprint is the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Past {
    /// Tool and input.
    pub action: u64,
    /// Tool, program and subcommand; see `Action::family`.
    pub family: u64,
    pub nature: Nature,
    pub outcome: PastOutcome,
    /// The finding of a rule, as `StepDecision::mark`; 0 for none.
    pub rule: u64,
    /// It happened before the last prompt.
    pub before_prompt: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PastOutcome {
    /// Unfinished or unknown.
    Open,
    Success,
    Failure,
    /// Refused by Plimsoll or a person.
    Refused,
}

/// The last calls of a session, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StepHistory {
    past: Vec<Past>,
    file_operations: u64,
}

impl StepHistory {
    pub fn new(past: Vec<Past>) -> Self {
        let counted = past.iter().rev().take_while(|one| !one.before_prompt);
        let file_operations = counted.filter(|one| one.nature.touches_files()).count() as u64;
        Self { past, file_operations }
    }

    /// With the number of file operations since the last prompt, which the recorded calls may not cover.
    #[must_use]
    pub fn with_file_operations(mut self, count: u64) -> Self {
        self.file_operations = self.file_operations.max(count);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.past.is_empty()
    }

    pub fn file_operations(&self) -> u64 {
        self.file_operations
    }

    /// How often the call or another of its family failed since one of them last succeeded.
    pub fn failures(&self, action: u64, family: u64) -> usize {
        let similar = self.past.iter().rev().filter(|one| one.action == action || one.family == family);
        let since = similar.take_while(|one| one.outcome != PastOutcome::Success);
        since.filter(|one| one.outcome == PastOutcome::Failure).count()
    }

    pub fn is_first(&self, action: u64) -> bool {
        !self.past.iter().any(|one| one.action == action)
    }

    pub fn knows_family(&self, family: u64) -> bool {
        self.past.iter().any(|one| one.family == family)
    }

    /// The call was refused since the last prompt.
    pub fn was_refused(&self, action: u64) -> bool {
        self.since_prompt().any(|one| one.action == action && one.outcome == PastOutcome::Refused)
    }

    /// The call ran since the last prompt, and nothing that could change its result happened in between.
    pub fn repeats_idly(&self, action: u64) -> bool {
        let idle = |one: &&Past| one.action == action || one.nature == Nature::Read;
        self.since_prompt().take_while(idle).any(|one| one.action == action)
    }

    /// How often a rule had this finding, enforced or only logged.
    pub fn times_reported(&self, rule: u64) -> usize {
        self.past.iter().filter(|one| rule != 0 && one.rule == rule).count()
    }

    /// Whether a call with this finding of a rule has run: somebody allowed it.
    pub fn was_granted(&self, rule: u64) -> bool {
        self.past.iter().any(|one| rule != 0 && one.rule == rule && one.outcome == PastOutcome::Success)
    }

    fn since_prompt(&self) -> impl Iterator<Item = &Past> {
        self.past.iter().rev().take_while(|one| !one.before_prompt)
    }
}

impl Nature {
    /// Creates, changes or deletes files.
    pub fn touches_files(self) -> bool {
        matches!(self, Self::Creation | Self::Modification | Self::Deletion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DONE: Past = Past {
        action: 1,
        family: 10,
        nature: Nature::Modification,
        outcome: PastOutcome::Success,
        rule: 0,
        before_prompt: false,
    };
    const FAILED: Past = Past { outcome: PastOutcome::Failure, ..DONE };

    #[test]
    fn failures_of_the_family_count_until_one_of_it_succeeds() {
        let other = Past { action: 2, ..FAILED };
        assert_eq!(StepHistory::new(vec![FAILED, other]).failures(1, 10), 2);
        assert_eq!(StepHistory::new(vec![FAILED, DONE, other]).failures(1, 10), 1);
        assert_eq!(StepHistory::new(vec![Past { action: 3, family: 30, ..FAILED }]).failures(1, 10), 0);
    }

    #[test]
    fn only_file_operations_since_the_last_prompt_count() {
        let read = Past { nature: Nature::Read, ..DONE };
        let earlier = Past { before_prompt: true, ..DONE };
        let history = StepHistory::new(vec![earlier, DONE, read, DONE]);
        assert_eq!(history.file_operations(), 2);
        assert_eq!(history.with_file_operations(250).file_operations(), 250);
    }

    #[test]
    fn a_repetition_is_idle_only_if_nothing_changed_in_between() {
        let read = Past { action: 5, nature: Nature::Read, ..DONE };
        let edit = Past { action: 6, ..DONE };
        assert!(StepHistory::new(vec![read, Past { action: 7, ..read }]).repeats_idly(5));
        assert!(!StepHistory::new(vec![read, edit]).repeats_idly(5));
        assert!(!StepHistory::new(vec![Past { before_prompt: true, ..read }]).repeats_idly(5));
    }

    #[test]
    fn a_prompt_ends_a_refusal() {
        let refused = Past { outcome: PastOutcome::Refused, ..DONE };
        assert!(StepHistory::new(vec![refused]).was_refused(1));
        assert!(!StepHistory::new(vec![Past { before_prompt: true, ..refused }]).was_refused(1));
    }
}
