//! A reviewer that was started and has not answered: its context, and what its answer has to prove. Sealed.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::lock::Lock;
use super::seal::SealKey;
use super::sealed::SealedKind;
use super::store::{files_in, read_bounded, remove};
use crate::pure::review::{FindingId, GitPath, ObjectId, Pair, ReviewScope, TreeId, as_place};
use crate::pure::task::TaskId;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

const SEALED: SealedKind = SealedKind { purpose: "pending", field: "pending", version: 1 };
/// Milliseconds after its time is up in which an answer is still taken.
const GRACE: u64 = 30 * 60 * 1000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    pub nonce: String,
    pub session: String,
    /// Which sub-agent it is, known from the first file of the context that it reads.
    pub agent: Option<String>,
    pub tree: TreeId,
    pub scope: ReviewScope,
    /// As it was asked for.
    pub requested_base: Option<String>,
    pub base: Option<ObjectId>,
    /// The commit at which the review began.
    #[serde(default)]
    pub head: Option<ObjectId>,
    /// Hash of the policy under which it reads.
    pub policy: String,
    /// The changes of this round, and which of them are shown only in part.
    pub pairs: Vec<Pair>,
    pub partly: Vec<GitPath>,
    /// Files of which only the name is shown.
    pub unshown: Vec<GitPath>,
    /// How many changes were read before or wait for the next round.
    pub reused: usize,
    pub reused_minutes: u64,
    pub later: usize,
    /// Files of the context, each with the mark at its end.
    pub marks: Vec<(String, String)>,
    #[serde(serialize_with = "as_place")]
    pub folder: Utf8PathBuf,
    /// Every file of the context, also those that may be left unread.
    pub files: Vec<String>,
    /// Of the context as it was written.
    pub digest: String,
    /// Findings that were shown as open.
    pub open: Vec<FindingId>,
    pub model: String,
    /// Milliseconds since 1970.
    pub started: u64,
    pub timeout_ms: u64,
    /// Answers that did not count.
    pub tries: u32,
    /// Set where it is a task that is reviewed, not a change.
    #[serde(default)]
    pub task: Option<TaskReading>,
    /// Files of the context that the agent was seen to read from the first line to the last.
    #[serde(default)]
    pub seen: Vec<String>,
}

/// Which review of which task an agent is part of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskReading {
    pub task: TaskId,
    pub review: String,
    pub stage: TaskStage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStage {
    Reviewing,
    Parsing,
}

impl Pending {
    /// One remark for each file that the agent was not seen to read.
    pub fn unseen(&self) -> Vec<String> {
        let unseen = self.marks.iter().filter(|(name, _)| !self.seen.contains(name));
        unseen.map(|(name, _)| format!("you did not Read {name} to its end; Read it now")).collect()
    }

    pub fn is_late(&self, now: u64) -> bool {
        now.saturating_sub(self.started) > self.timeout_ms
    }

    fn is_forgotten(&self, now: u64) -> bool {
        now.saturating_sub(self.started) > self.timeout_ms.saturating_add(GRACE)
    }

    /// Held while an answer is taken, so that it is taken once.
    pub fn lock(layout: &StateLayout) -> Result<Lock, Error> {
        Lock::acquire(&layout.pending().with_extension("lock"))
    }

    pub fn write(&self, layout: &StateLayout, homes: &Homes) -> Result<(), Error> {
        SEALED.write(&place(layout, &self.nonce), &SealKey::load_or_create(&homes.seal_key())?, self)
    }

    pub fn remove(&self, layout: &StateLayout) -> Result<(), Error> {
        remove(&place(layout, &self.nonce))
    }

    /// The running reviewers of a session, oldest first. A file that was edited or is long overdue does not count.
    pub fn of_session(
        layout: &StateLayout,
        homes: &Homes,
        session: &str,
        now: u64,
    ) -> Result<Vec<Self>, Error> {
        let Some(key) = SealKey::load(&homes.seal_key())? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for path in files_in(&layout.pending())? {
            let Some(bytes) = read_bounded(&path)? else { continue };
            found.extend(SEALED.open::<Self>(&bytes, &key).ok().filter(|pending| {
                pending.session == session
                    && path == place(layout, &pending.nonce)
                    && !pending.is_forgotten(now)
            }));
        }
        found.sort_by_key(|pending| pending.started);
        Ok(found)
    }
}

fn place(layout: &StateLayout, nonce: &str) -> Utf8PathBuf {
    layout.pending().join(format!("{}.json", super::layout::short_hash(nonce)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(nonce: &str, session: &str) -> Pending {
        Pending {
            nonce: nonce.into(),
            session: session.into(),
            agent: None,
            tree: TreeId(ObjectId::parse(&"a".repeat(40)).unwrap()),
            scope: ReviewScope::default(),
            requested_base: None,
            base: None,
            head: None,
            policy: "p".into(),
            pairs: Vec::new(),
            partly: Vec::new(),
            unshown: Vec::new(),
            reused: 0,
            reused_minutes: 0,
            later: 0,
            marks: vec![("context.md".into(), "m".into())],
            folder: "/x".into(),
            files: Vec::new(),
            digest: "d".into(),
            open: Vec::new(),
            model: "opus".into(),
            started: 1_000,
            timeout_ms: 10,
            tries: 0,
            task: None,
            seen: Vec::new(),
        }
    }

    #[test]
    fn only_the_sessions_own_unedited_and_recent_reviewers_are_found() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let (layout, homes) = (StateLayout::in_repository(&root.join("git")), Homes::new(&root.join("data")));
        let found = |session: &str, now| {
            let found = Pending::of_session(&layout, &homes, session, now).unwrap();
            found.into_iter().map(|pending| pending.nonce).collect::<Vec<_>>()
        };
        assert_eq!(found("s", 1_000), [""; 0]);
        for (nonce, session) in [("one", "s"), ("two", "s"), ("three", "t")] {
            pending(nonce, session).write(&layout, &homes).unwrap();
        }
        assert_eq!(found("s", 1_000).len(), 2);
        assert_eq!(found("s", 1_011 + GRACE), [""; 0]);
        let file = place(&layout, "one");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("\"tries\":0", "\"tries\":1")).unwrap();
        assert_eq!(found("s", 1_000), ["two"]);
        std::fs::write(&file, "garbage").unwrap();
        assert_eq!(found("s", 1_000), ["two"]);
        std::fs::copy(place(&layout, "two"), place(&layout, "four")).unwrap();
        assert_eq!(found("s", 1_000), ["two"], "a copy under another name is nobody's");
        pending("two", "s").remove(&layout).unwrap();
        assert_eq!(found("s", 1_000), [""; 0]);
    }
}
