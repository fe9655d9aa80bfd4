//! Where a project's checkpoints lie, and which folders never get any.

use crate::checkpoint::{Singles, Store};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::policy::{Paths, Settings};
use crate::restore::{Limits, MIB};
use crate::review::as_place;
use crate::state::{self, Checkpoints, Lock};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The store of one worktree, and what lies beside it.
pub(super) struct Place {
    pub(super) worktree: Utf8PathBuf,
    /// Names the worktree in the store.
    pub(super) key: String,
    store: Utf8PathBuf,
    beside: Utf8PathBuf,
    pub(super) limits: Limits,
    /// Relative paths that are none of the project's content: our own records.
    pub(super) skipped: Vec<Vec<u8>>,
}

/// Which store a worktree uses: also after its `.git` is gone, or is another one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) version: u64,
    #[serde(serialize_with = "as_place")]
    pub(super) worktree: String,
    pub(super) store: String,
    /// When it was first noticed that the folder is gone, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gone: Option<u64>,
}

impl Place {
    /// For taking: an error where no checkpoints are taken.
    pub(super) fn of(scene: &Scene) -> Result<Self, Failure> {
        if let Some(found) = Self::existing(scene)? {
            return Ok(found);
        }
        let worktree = real(&scene.project)?;
        refuse(&worktree, &scene.environment.home)?;
        let shared = scene.repo.as_ref().map_or(worktree.as_path(), |repo| repo.common_dir.as_path());
        let record = Record {
            version: 1,
            worktree: worktree.to_string(),
            store: Checkpoints::key(shared),
            gone: None,
        };
        state::write_json(&scene.homes.checkpoints().worktree(&worktree), &record)?;
        Ok(Self::recorded(scene, worktree, &record.store))
    }

    /// `None` if no checkpoint was ever taken here.
    pub(super) fn existing(scene: &Scene) -> Result<Option<Self>, Failure> {
        let start = real(&scene.project)?;
        // Without its `.git`, the top of a project is known only by what was recorded.
        let around = if scene.repo.is_some() { 1 } else { usize::MAX };
        for worktree in start.ancestors().take(around) {
            let path = scene.homes.checkpoints().worktree(worktree);
            if let Some(record) = state::read_json::<Record>(&path, 1)? {
                return Ok(Some(Self::recorded(scene, worktree.to_owned(), &record.store)));
            }
        }
        Ok(None)
    }

    pub(super) fn recorded(scene: &Scene, worktree: Utf8PathBuf, store: &str) -> Self {
        let homes = scene.homes.checkpoints();
        // Settings that cannot be read are no reason to lose work.
        let settings = scene.settings().map(|loaded| loaded.settings).unwrap_or_default();
        Self {
            key: Checkpoints::key(&worktree),
            store: homes.store(store),
            beside: homes.beside(store),
            limits: limits(&settings),
            skipped: skipped(scene, &worktree, &settings.paths),
            worktree,
        }
    }

    /// Waits a bounded while for others.
    pub(super) fn lock(&self) -> Result<Lock, Failure> {
        Ok(Lock::acquire(&self.beside.join("lock"))?)
    }

    /// The same for no longer than that; `None` if somebody else is at work all the while.
    pub(super) fn lock_within(&self, patience: Duration) -> Result<Option<Lock>, Failure> {
        Ok(Lock::acquire_within(&self.beside.join("lock"), patience)?)
    }

    /// Held by the background process of this worktree as long as it lives.
    pub(super) fn background_lock(&self) -> Utf8PathBuf {
        self.beside.join(format!("background-{}.lock", self.key))
    }

    /// Held by whoever combines or removes files of the store that the other lock does not cover.
    pub(super) fn tidy_lock(&self) -> Utf8PathBuf {
        self.beside.join("tidy.lock")
    }

    /// How far the background capture of this worktree is.
    pub(super) fn progress(&self) -> Utf8PathBuf {
        self.beside.join("progress").join(format!("{}.json", self.key))
    }

    /// How large the store was when it was last packed.
    pub(super) fn packed(&self) -> Utf8PathBuf {
        self.beside.join("packed.json")
    }

    pub(super) fn beside(&self) -> &Utf8Path {
        &self.beside
    }

    pub(super) fn store_path(&self) -> &Utf8Path {
        &self.store
    }

    pub(super) fn open_store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.store)?)
    }

    /// Without a store there is nothing to read.
    pub(super) fn store(&self) -> Result<Store, Failure> {
        Ok(Store::existing(&self.store)
            .ok_or("there is no checkpoint here yet; `plimsoll checkpoint create` takes one")?)
    }

    pub(super) fn seen(&self) -> Utf8PathBuf {
        self.beside.join("seen").join(format!("{}.bin", self.key))
    }

    pub(super) fn checkpoints(&self) -> Utf8PathBuf {
        self.beside.join("checkpoints")
    }

    pub(super) fn checkpoint(&self, id: &str) -> Utf8PathBuf {
        self.checkpoints().join(format!("{id}.json"))
    }

    pub(super) fn all_surroundings(&self) -> Utf8PathBuf {
        self.beside.join("surroundings")
    }

    pub(super) fn surroundings(&self, digest: &str) -> Utf8PathBuf {
        self.all_surroundings().join(format!("{digest}.json"))
    }

    pub(super) fn restores(&self) -> Utf8PathBuf {
        self.beside.join("restores")
    }

    pub(super) fn logs(&self) -> Utf8PathBuf {
        self.beside.join("written")
    }

    /// What tools wrote in this worktree, line by line.
    pub(super) fn written(&self) -> Utf8PathBuf {
        self.logs().join(format!("{}.jsonl", self.key))
    }

    pub(super) fn singles(&self) -> Singles {
        Singles::new(self.beside.join("singles"), self.written(), self.limits.single_files_bytes)
    }
}

fn limits(settings: &Settings) -> Limits {
    let settings = &settings.interventions.checkpoint_rollback;
    Limits {
        file_bytes: settings.max_file_mb * MIB,
        checkpoint_bytes: settings.max_checkpoint_mb * MIB,
        checkpoints: usize::try_from(settings.max_checkpoints).unwrap_or(usize::MAX),
        retention_minutes: settings.checkpoint_retention_minutes,
        store_bytes: settings.max_store_mb * MIB,
        wait_milliseconds: settings.max_wait_ms,
        ..Limits::default()
    }
}

fn skipped(scene: &Scene, worktree: &Utf8Path, paths: &Paths) -> Vec<Vec<u8>> {
    let ours = [&scene.environment.data_home, &scene.environment.state_home];
    let inside = ours.into_iter().map(Utf8PathBuf::as_path).chain([scene.layout.root()]);
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
pub fn covers(scene: &Scene) -> bool {
    real(&scene.project).is_ok_and(|worktree| refuse(&worktree, &scene.environment.home).is_ok())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_the_store_are_those_of_the_settings() {
        let mut settings = Settings::default();
        assert_eq!(limits(&settings), Limits::default());
        let rollback = &mut settings.interventions.checkpoint_rollback;
        rollback.max_file_mb = 1;
        rollback.max_checkpoint_mb = 2;
        rollback.max_checkpoints = 3;
        rollback.checkpoint_retention_minutes = 4;
        rollback.max_store_mb = 5;
        rollback.max_wait_ms = 6;
        let expected = Limits {
            file_bytes: MIB,
            checkpoint_bytes: 2 * MIB,
            checkpoints: 3,
            retention_minutes: 4,
            store_bytes: 5 * MIB,
            wait_milliseconds: 6,
            ..Limits::default()
        };
        assert_eq!(limits(&settings), expected);
    }
}
