//! Where a project's checkpoints lie, and which folders never get any.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Singles, Store};
use crate::edge::config::StepPolicy;
use crate::edge::file::folder;
use crate::edge::repo::Copies;
use crate::edge::state::{self, Checkpoints, Lock};
use crate::pure::policy::{Paths, Settings};
use crate::pure::restore::{MIB, StoreLimits};
use crate::pure::review::as_place;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The store of one worktree, and what lies beside it.
pub(crate) struct CheckpointPlace {
    pub(crate) worktree: Utf8PathBuf,
    /// Names the worktree in the store.
    pub(crate) key: String,
    store: Utf8PathBuf,
    beside: Utf8PathBuf,
    pub(crate) limits: StoreLimits,
    /// Relative paths that are none of the project's content: our own records.
    pub(crate) skipped: Vec<Vec<u8>>,
}

/// Which store a worktree uses: also after its `.git` is gone, or is another one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WorktreeRecord {
    pub(crate) version: u64,
    #[serde(serialize_with = "as_place")]
    pub(crate) worktree: String,
    pub(crate) store: String,
    /// When it was first noticed that the folder is gone, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) gone: Option<u64>,
}

/// The store of a project, locked against others.
pub(crate) struct LockedStore<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) place: CheckpointPlace,
    pub(crate) store: Store,
    pub(crate) _lock: Lock,
}

impl<'a> LockedStore<'a> {
    /// Makes the store where it is missing.
    pub(crate) fn open(workspace: &'a Workspace) -> Result<Self, Failure> {
        let place = CheckpointPlace::of(workspace)?;
        let lock = place.lock()?;
        Ok(Self { workspace, store: place.open_store()?, place, _lock: lock })
    }

    /// An error where no checkpoint was taken yet.
    pub(crate) fn existing(workspace: &'a Workspace) -> Result<Self, Failure> {
        let place = CheckpointPlace::of(workspace)?;
        let lock = place.lock()?;
        let store = Store::existing(&place.store)
            .ok_or("there is no checkpoint here yet; `plimsoll checkpoint create` takes one")?;
        Ok(Self { workspace, place, store, _lock: lock })
    }
}

impl WorktreeRecord {
    /// Every worktree that ever had a checkpoint.
    pub(crate) fn all(workspace: &Workspace) -> Vec<Self> {
        let files = folder::entries(&workspace.homes.checkpoints().worktrees());
        let files = files.into_iter().filter(|path| path.extension() == Some("json"));
        files.filter_map(|path| state::read_json_in_place::<Self>(&path, 1).ok().flatten()).collect()
    }
}

impl CheckpointPlace {
    /// For taking: an error where no checkpoints are taken.
    pub(crate) fn of(workspace: &Workspace) -> Result<Self, Failure> {
        if let Some(found) = Self::existing(workspace)? {
            return Ok(found);
        }
        let worktree = real(&workspace.project)?;
        refuse(&worktree, &workspace.environment.home)?;
        let shared = workspace.repo.as_ref().map_or(worktree.as_path(), |repo| repo.common_dir.as_path());
        let record = WorktreeRecord {
            version: 1,
            worktree: worktree.to_string(),
            store: Checkpoints::key(shared),
            gone: None,
        };
        state::write_json(&workspace.homes.checkpoints().worktree(&worktree), &record)?;
        Ok(Self::recorded(workspace, worktree, &record.store))
    }

    /// `None` if no checkpoint was ever taken here.
    pub(crate) fn existing(workspace: &Workspace) -> Result<Option<Self>, Failure> {
        let start = real(&workspace.project)?;
        // Without its `.git`, the top of a project is known only by what was recorded.
        let around = if workspace.repo.is_some() { 1 } else { usize::MAX };
        for worktree in start.ancestors().take(around) {
            let path = workspace.homes.checkpoints().worktree(worktree);
            if let Some(record) = state::read_json::<WorktreeRecord>(&path, 1)? {
                return Ok(Some(Self::recorded(workspace, worktree.to_owned(), &record.store)));
            }
        }
        Ok(None)
    }

    pub(crate) fn recorded(workspace: &Workspace, worktree: Utf8PathBuf, store: &str) -> Self {
        let homes = workspace.homes.checkpoints();
        // Settings that cannot be read are no reason to lose work.
        let settings = workspace.settings().map(|loaded| loaded.settings).unwrap_or_default();
        Self {
            key: Checkpoints::key(&worktree),
            store: homes.store(store),
            beside: homes.beside(store),
            limits: limits(&settings),
            skipped: skipped(workspace, &worktree, &settings.paths),
            worktree,
        }
    }

    /// Waits a bounded while for others.
    pub(crate) fn lock(&self) -> Result<Lock, Failure> {
        Ok(Lock::acquire(&self.beside.join("lock"))?)
    }

    /// The same for no longer than that; `None` if somebody else is at work all the while.
    pub(crate) fn lock_within(&self, patience: Duration) -> Result<Option<Lock>, Failure> {
        Ok(Lock::acquire_within(&self.beside.join("lock"), patience)?)
    }

    /// Held by the background process of this worktree as long as it lives.
    pub(crate) fn background_lock(&self) -> Utf8PathBuf {
        self.beside.join(format!("background-{}.lock", self.key))
    }

    /// Held by whoever combines or removes files of the store that the other lock does not cover.
    pub(crate) fn tidy_lock(&self) -> Utf8PathBuf {
        self.beside.join("tidy.lock")
    }

    /// How far the background capture of this worktree is.
    pub(crate) fn progress(&self) -> Utf8PathBuf {
        self.beside.join("progress").join(format!("{}.json", self.key))
    }

    /// How large the store was when it was last packed.
    pub(crate) fn packed_file(&self) -> Utf8PathBuf {
        self.beside.join("packed.json")
    }

    pub(crate) fn beside(&self) -> &Utf8Path {
        &self.beside
    }

    pub(crate) fn store_path(&self) -> &Utf8Path {
        &self.store
    }

    pub(crate) fn open_store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.store)?)
    }

    pub(crate) fn has_store(&self) -> bool {
        Store::existing(&self.store).is_some()
    }

    pub(crate) fn seen_file(&self) -> Utf8PathBuf {
        self.beside.join("seen").join(format!("{}.bin", self.key))
    }

    pub(crate) fn checkpoints(&self) -> Utf8PathBuf {
        self.beside.join("checkpoints")
    }

    pub(crate) fn checkpoint(&self, id: &str) -> Utf8PathBuf {
        self.checkpoints().join(format!("{id}.json"))
    }

    pub(crate) fn all_surroundings(&self) -> Utf8PathBuf {
        self.beside.join("surroundings")
    }

    pub(crate) fn surroundings(&self, digest: &str) -> Utf8PathBuf {
        self.all_surroundings().join(format!("{digest}.json"))
    }

    pub(crate) fn restores(&self) -> Utf8PathBuf {
        self.beside.join("restores")
    }

    pub(crate) fn logs(&self) -> Utf8PathBuf {
        self.beside.join("written")
    }

    /// The log of the files that tools wrote in this worktree.
    pub(crate) fn written_log(&self) -> Utf8PathBuf {
        self.logs().join(format!("{}.jsonl", self.key))
    }

    pub(crate) fn singles(&self) -> Singles {
        Singles::new(self.beside.join("singles"), self.written_log(), self.limits.single_files_bytes)
    }
}

fn limits(settings: &Settings) -> StoreLimits {
    let settings = &settings.interventions.checkpoint_rollback;
    StoreLimits {
        file_bytes: settings.max_file_mb * MIB,
        checkpoint_bytes: settings.max_checkpoint_mb * MIB,
        checkpoints: usize::try_from(settings.max_checkpoints).unwrap_or(usize::MAX),
        retention_minutes: settings.checkpoint_retention_minutes,
        store_bytes: settings.max_store_mb * MIB,
        wait_milliseconds: settings.max_wait_ms,
        ..StoreLimits::default()
    }
}

fn skipped(workspace: &Workspace, worktree: &Utf8Path, paths: &Paths) -> Vec<Vec<u8>> {
    let ours = [&workspace.environment.data_home, &workspace.environment.state_home];
    let inside = ours.into_iter().map(Utf8PathBuf::as_path).chain([workspace.layout.root()]);
    let inside = inside.filter_map(|path| path.strip_prefix(worktree).ok()).map(Utf8Path::to_string);
    // Wherever else somebody put them, they are files like others.
    let views = [&paths.state_dir, &paths.log_dir].map(|path| path.trim_end_matches('/').to_owned());
    let views = views.into_iter().filter(|path| path.starts_with(".claude/"));
    inside.chain(views).filter(|path| !path.is_empty()).map(String::into_bytes).collect()
}

fn real(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    Ok(path.canonicalize_utf8().map_err(|error| format!("cannot read {path}: {error}"))?)
}

/// Whether checkpoints are taken here at all.
pub(crate) fn covers(workspace: &Workspace) -> bool {
    real(&workspace.project).is_ok_and(|worktree| refuse(&worktree, &workspace.environment.home).is_ok())
}

fn refuse(worktree: &Utf8Path, home: &Utf8Path) -> Result<(), Failure> {
    let home = home.canonicalize_utf8().unwrap_or_else(|_| home.to_owned());
    let name = match worktree {
        top if top.parent().is_none() => "the root of the file system",
        own if own == home => "a home directory",
        around if home.starts_with(around) => "a folder with home directories in it",
        _ => return Ok(()),
    };
    Err(format!("{worktree} is {name}, and no checkpoint is taken of one; start in the folder of a project")
        .into())
}

/// Whether the settings want checkpoints and copies before changes.
pub(crate) fn before_changes(policy: &StepPolicy) -> bool {
    let settings = &policy.interventions.checkpoint_rollback;
    policy.interventions.enabled && settings.enabled && settings.before_changes
}

/// Of which files copies are taken before a step here.
pub(crate) fn copies_before_changes(workspace: &Workspace) -> Copies {
    let policy = workspace.step_policy();
    match before_changes(&policy) && covers(workspace) {
        true => Copies::UpTo(policy.interventions.checkpoint_rollback.max_file_mb * MIB),
        false => Copies::Off,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_the_store_are_those_of_the_settings() {
        let mut settings = Settings::default();
        assert_eq!(limits(&settings), StoreLimits::default());
        let rollback = &mut settings.interventions.checkpoint_rollback;
        rollback.max_file_mb = 1;
        rollback.max_checkpoint_mb = 2;
        rollback.max_checkpoints = 3;
        rollback.checkpoint_retention_minutes = 4;
        rollback.max_store_mb = 5;
        rollback.max_wait_ms = 6;
        let expected = StoreLimits {
            file_bytes: MIB,
            checkpoint_bytes: 2 * MIB,
            checkpoints: 3,
            retention_minutes: 4,
            store_bytes: 5 * MIB,
            wait_milliseconds: 6,
            ..StoreLimits::default()
        };
        assert_eq!(limits(&settings), expected);
    }
}
