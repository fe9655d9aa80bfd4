//! Every path that Plimsoll keeps something at.

use crate::pure::text::child;
use crate::pure::text::short_digest;
use camino::{Utf8Path, Utf8PathBuf};
use std::sync::OnceLock;

/// The truth about one project: `<git-common-dir>/plimsoll`, or a folder in the user's state home without git.
#[derive(Debug, Clone)]
pub struct StateLayout {
    root: Utf8PathBuf,
    /// The session that is asked about, as a rule the only one, and its folder.
    session: OnceLock<(String, Utf8PathBuf)>,
}

impl StateLayout {
    pub fn in_repository(common_dir: &Utf8Path) -> Self {
        Self { root: child(common_dir, "plimsoll"), session: OnceLock::new() }
    }

    /// A project without git is known by its path.
    pub fn without_git(state_home: &Utf8Path, project: &Utf8Path) -> Self {
        Self {
            root: state_home.join("projects").join(short_hash(project.as_str())),
            session: OnceLock::new(),
        }
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The id of the repository, by its place: the same for all its worktrees, another one for every copy and after a move.
    /// Nothing inside the repository can claim the id of another.
    pub fn repository_id(&self) -> String {
        short_hash(&format!("repository {}", self.root))
    }

    pub fn compiled_settings(&self) -> Utf8PathBuf {
        child(&self.root, "settings.bin")
    }

    /// Marks the repository as enrolled, wherever it is moved to.
    pub fn enrolment_mark(&self) -> Utf8PathBuf {
        child(&self.root, "enrolled")
    }

    /// The gate's state in this worktree, for the client's status line.
    pub fn status_line(&self, worktree: &Utf8Path) -> Utf8PathBuf {
        child(&self.root, "status-lines").join(format!("{}.json", short_hash(worktree.as_str())))
    }

    pub fn review_cache(&self) -> Utf8PathBuf {
        child(&self.root, "reviews.bin")
    }

    pub fn check_cache(&self) -> Utf8PathBuf {
        child(&self.root, "cache/checks")
    }

    pub fn receipts(&self) -> Utf8PathBuf {
        child(&self.root, "receipts")
    }

    pub fn receipts_lock(&self) -> Utf8PathBuf {
        child(&self.root, "receipts.lock")
    }

    pub fn grants(&self) -> Utf8PathBuf {
        child(&self.root, "grants")
    }

    /// Reviewers that were started and have not answered.
    pub fn pending(&self) -> Utf8PathBuf {
        child(&self.root, "pending")
    }

    /// Answers of reviewers that did not count, unchanged.
    pub fn raw_answers(&self) -> Utf8PathBuf {
        child(&self.root, "raw")
    }

    /// Tasks, one sealed file each.
    pub fn tasks(&self) -> Utf8PathBuf {
        child(&self.root, "tasks")
    }

    pub fn tasks_lock(&self) -> Utf8PathBuf {
        child(&self.root, "tasks.lock")
    }

    /// The answers of task reviewers, word for word.
    pub fn task_reviews(&self) -> Utf8PathBuf {
        child(&self.root, "task-reviews")
    }

    /// Which task the session works on, and what it was told about it.
    pub fn session_task(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "task.json")
    }

    pub fn session_task_lock(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "task.lock")
    }

    /// Ids come from outside and are hashed before they name a folder.
    pub fn session(&self, id: &str) -> Utf8PathBuf {
        let folder = |id: &str| child(&self.root, "sessions").join(short_hash(id));
        let (known, place) = self.session.get_or_init(|| (id.to_owned(), folder(id)));
        if known == id { place.clone() } else { folder(id) }
    }

    /// The folders of all sessions that are kept.
    pub fn sessions(&self) -> Vec<Utf8PathBuf> {
        let entries = child(&self.root, "sessions").read_dir_utf8().into_iter().flatten().flatten();
        let mut folders: Vec<_> = entries.map(|entry| entry.path().to_owned()).collect();
        folders.sort();
        folders
    }

    pub fn journal(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "journal.bin")
    }

    /// One line for every step review of all sessions.
    pub fn audit(&self) -> Utf8PathBuf {
        child(&self.root, "audit.jsonl")
    }

    /// An older part of it; the higher the number, the older.
    pub(super) fn older_audit(&self, number: usize) -> Utf8PathBuf {
        match number {
            0 => self.audit(),
            _ => self.root.join(format!("audit.{number}.jsonl")),
        }
    }

    pub(super) fn audit_lock(&self) -> Utf8PathBuf {
        child(&self.root, "audit.lock")
    }

    pub fn session_facts(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "facts.json")
    }

    /// The memory of the session monitor.
    pub fn standing(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "watch.bin")
    }

    pub fn standing_lock(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "watch.lock")
    }

    /// The records of what sessions have written lately.
    pub fn writers(&self) -> Utf8PathBuf {
        child(&self.root, "writers")
    }

    /// The orders for the session's next call.
    pub fn orders(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "orders.json")
    }

    /// Counts the calls of the batch that an agent makes.
    pub fn batch(&self, session: &str, agent: u64) -> Utf8PathBuf {
        child(&self.session(session), &format!("batch-{agent:x}"))
    }

    /// Says that there is a checkpoint from before the changes of this prompt.
    pub fn captured_mark(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "captured")
    }

    pub fn session_lock(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "facts.lock")
    }

    pub fn interventions(&self, session: &str) -> Utf8PathBuf {
        child(&self.session(session), "interventions.jsonl")
    }

    /// One folder per emergency stop.
    pub fn incidents(&self) -> Utf8PathBuf {
        child(&self.root, "incidents")
    }

    /// The decisions of people after emergency stops.
    pub fn recoveries(&self) -> Utf8PathBuf {
        child(&self.root, "recoveries.jsonl")
    }

    /// The delivery results of notifications.
    pub fn notifications(&self) -> Utf8PathBuf {
        child(&self.root, "notifications.jsonl")
    }
}

/// Directories of the user, as opposed to those of a repository.
#[derive(Debug, Clone)]
pub struct Homes {
    data: Utf8PathBuf,
}

impl Homes {
    /// `data` is `<data home>/plimsoll`.
    pub fn new(data: &Utf8Path) -> Self {
        Self { data: data.to_owned() }
    }

    pub fn seal_key(&self) -> Utf8PathBuf {
        child(&self.data, "seal.key")
    }

    pub fn enrolment(&self, common_dir: &Utf8Path) -> Utf8PathBuf {
        self.enrolments().join(format!("{}.json", short_hash(common_dir.as_str())))
    }

    /// One record for each enrolled repository.
    pub fn enrolments(&self) -> Utf8PathBuf {
        child(&self.data, "enrolled")
    }

    /// The records of installations into the projects of a repository, one file each.
    pub fn install_records(&self, common_dir: &Utf8Path) -> Utf8PathBuf {
        child(&self.data, "installed-files").join(short_hash(common_dir.as_str()))
    }

    pub fn install_record(&self, common_dir: &Utf8Path, project: &Utf8Path) -> Utf8PathBuf {
        self.install_records(common_dir).join(format!("{}.json", short_hash(project.as_str())))
    }

    /// Sequence and digest of the newest receipt, kept where removing receipts cannot reach it.
    pub fn receipts_head(&self, repository: &str) -> Utf8PathBuf {
        child(&self.data, "heads").join(format!("{}.json", short_hash(repository)))
    }

    /// The clients that started hooks of ours.
    pub fn clients(&self) -> Utf8PathBuf {
        self.data.join("clients")
    }

    pub fn pause(&self, project: &Utf8Path) -> Utf8PathBuf {
        child(&self.data, "paused").join(format!("{}.json", short_hash(project.as_str())))
    }

    /// Tool calls of this project that were refused lately.
    pub fn denials(&self, project: &Utf8Path) -> Utf8PathBuf {
        child(&self.data, "denied").join(short_hash(project.as_str()))
    }

    /// Who uses the outside reviewer on this machine, and how much.
    pub fn outside_reviews(&self) -> Utf8PathBuf {
        child(&self.data, "outside-reviews")
    }

    /// Whether a project is stopped, kept where removing its repository cannot reach it. `root` is that of its layout.
    pub fn project_lock(&self, root: &Utf8Path) -> Utf8PathBuf {
        child(&child(&self.data, "locks"), &format!("{}.json", short_hash(root.as_str())))
    }

    /// The stores of checkpoints, what lies beside each, and which worktree belongs to which.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints { root: child(&self.data, "checkpoints") }
    }

    pub fn hooks(&self) -> Utf8PathBuf {
        child(&self.data, "hooks")
    }
}

/// Where checkpoints lie: outside of every repository, so that nothing done to one reaches them.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    root: Utf8PathBuf,
}

impl Checkpoints {
    /// Says which store a worktree uses, for as long as the folder has that path.
    pub fn worktree(&self, worktree: &Utf8Path) -> Utf8PathBuf {
        child(&self.root, "worktrees").join(format!("{}.json", Self::key(worktree)))
    }

    /// The folder of all of them.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The directory in which each worktree records its store.
    pub fn worktrees(&self) -> Utf8PathBuf {
        child(&self.root, "worktrees")
    }

    /// A name for a path that is fit for a file.
    pub fn key(path: &Utf8Path) -> String {
        short_hash(path.as_str())
    }

    /// Whether it could be such a name.
    pub fn is_key(name: &str) -> bool {
        name.len() == KEY && name.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    pub fn store(&self, key: &str) -> Utf8PathBuf {
        self.root.join(format!("{key}.git"))
    }

    /// Manifests and copies of single files.
    pub fn beside(&self, key: &str) -> Utf8PathBuf {
        self.root.join(key)
    }
}

/// The length of a name that stands for a path.
const KEY: usize = 32;

pub(super) fn short_hash(text: &str) -> String {
    short_digest(text, KEY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_an_id_of_its_own_that_never_changes() {
        let id = |place: &str| StateLayout::in_repository(Utf8Path::new(place)).repository_id();
        assert_eq!(id("/a/.git"), id("/a/.git"));
        assert_ne!(id("/a/.git"), id("/b/.git"));
    }

    #[test]
    fn a_hostile_session_id_stays_inside_the_layout() {
        let layout = StateLayout::in_repository(Utf8Path::new("/repo/.git"));
        for id in ["../../etc/passwd", "/absolute", "", "a/b", "\0"] {
            let path = layout.journal(id);
            assert_eq!(
                path.parent().and_then(|p| p.parent()),
                Some(Utf8Path::new("/repo/.git/plimsoll/sessions")),
                "{id}"
            );
        }
    }
}
