//! Who changed a file since a checkpoint: the restoring session, or somebody else.

use super::plan::Conflict;
use crate::pure::review::GitPath;
use std::collections::{BTreeMap, BTreeSet};

/// A write to a file by a tool of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub path: GitPath,
    pub session: String,
    /// Milliseconds since 1970.
    pub time: u64,
}

/// The known changes since a checkpoint.
#[derive(Debug, Clone, Default)]
pub struct Attribution {
    ours: BTreeMap<GitPath, u64>,
    theirs: BTreeMap<GitPath, u64>,
    /// Files that changed while another session was active.
    beside: BTreeSet<GitPath>,
    /// When the restoring session was last active.
    last_active: Option<u64>,
}

/// A file's time may lie this much after the call that wrote it, in milliseconds.
const GRACE: u64 = 2_000;

impl Attribution {
    /// `session`: the restoring one. `since`: the time of the checkpoint. `last_active`: when an agent was last active; if
    /// that was before the checkpoint, the restoring person made every change.
    pub fn new(session: Option<&str>, since: u64, written: &[Written], last_active: Option<u64>) -> Self {
        let mut known = Self { last_active: last_active.filter(|last| *last > since), ..Self::default() };
        for write in written.iter().filter(|write| write.time >= since) {
            let ours = session.is_none_or(|session| session == write.session);
            let side = if ours { &mut known.ours } else { &mut known.theirs };
            let time = side.entry(write.path.clone()).or_default();
            *time = write.time.max(*time);
        }
        known
    }

    #[must_use]
    pub fn with_changes_beside(mut self, paths: impl IntoIterator<Item = GitPath>) -> Self {
        self.beside.extend(paths);
        self
    }

    /// Why the restore should keep the current file. `changed`: the file's time, in milliseconds.
    pub fn conflict(&self, path: &GitPath, changed: Option<u64>) -> Option<Conflict> {
        let ours = self.ours.get(path);
        let theirs = self.theirs.get(path);
        let later = match (ours, theirs) {
            (Some(ours), Some(theirs)) => theirs > ours,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if later || (ours.is_none() && self.beside.contains(path)) {
            return Some(Conflict::AnotherSession);
        }
        let after = |changed: u64| self.last_active.is_some_and(|last| changed > last.saturating_add(GRACE));
        changed.is_some_and(after).then_some(Conflict::ChangedSince)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &str, session: &str, time: u64) -> Written {
        Written { path: GitPath::new(path), session: session.into(), time }
    }

    fn told(known: &Attribution, path: &str, changed: u64) -> Option<Conflict> {
        known.conflict(&GitPath::new(path), Some(changed))
    }

    #[test]
    fn what_another_session_wrote_last_is_its_own() {
        let log =
            [written("a", "A", 10), written("b", "B", 10), written("c", "A", 10), written("c", "B", 20)];
        let known = Attribution::new(Some("B"), 5, &log, None);
        assert_eq!(told(&known, "a", 10), Some(Conflict::AnotherSession));
        assert_eq!(told(&known, "b", 10), None);
        assert_eq!(told(&known, "c", 20), None);
        assert_eq!(
            told(&Attribution::new(Some("A"), 5, &log, None), "c", 20),
            Some(Conflict::AnotherSession)
        );
        assert_eq!(told(&Attribution::new(Some("B"), 11, &log, None), "a", 10), None);
    }

    #[test]
    fn what_changed_after_the_agent_was_last_at_work_is_a_persons() {
        let known = Attribution::new(Some("B"), 1_000, &[], Some(50_000));
        assert_eq!(told(&known, "x", 51_000), None);
        assert_eq!(told(&known, "x", 60_000), Some(Conflict::ChangedSince));
        let idle = Attribution::new(Some("B"), 55_000, &[], Some(50_000));
        assert_eq!(told(&idle, "x", 60_000), None);
    }

    #[test]
    fn what_changed_while_another_session_worked_is_kept_unless_we_wrote_it_too() {
        let known = Attribution::new(Some("B"), 1, &[written("ours", "B", 5)], None)
            .with_changes_beside(["ours", "other"].map(GitPath::new));
        assert_eq!(told(&known, "ours", 6), None);
        assert_eq!(told(&known, "other", 6), Some(Conflict::AnotherSession));
    }
}
