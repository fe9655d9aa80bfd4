//! The limits of the checkpoint store.

/// All limits of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLimits {
    /// A larger file is left out and listed.
    pub file_bytes: u64,
    /// New content that a hook takes in; the largest files wait for the background capture.
    pub checkpoint_bytes: u64,
    /// A larger project is refused.
    pub files: usize,
    /// Entries of ignored folders that are looked through for what nobody could make again.
    pub ignored_entries: usize,
    /// The most checkpoints of each kind in a worktree; beyond that the oldest are removed.
    pub checkpoints: usize,
    /// Automatic checkpoints older than this go …
    pub retention_minutes: u64,
    /// … except for the newest few of each worktree.
    pub always_kept: usize,
    /// How long checkpoints of a person, checkpoints that an intervention or a restore refers to, and single files are kept.
    pub pinned_days: u64,
    /// The whole store.
    pub store_bytes: u64,
    /// Copies of single files before a tool wrote them.
    pub single_files_bytes: u64,
    /// How long a hook works on a checkpoint; after that it goes on in the background.
    pub wait_milliseconds: u64,
    /// The copies and checkpoints of a worktree that is gone are kept so long, if nobody made or restored any of them.
    pub gone_days: u64,
}

pub const MIB: u64 = 1024 * 1024;

impl Default for StoreLimits {
    fn default() -> Self {
        Self {
            file_bytes: 5 * MIB,
            checkpoint_bytes: 200 * MIB,
            files: 200_000,
            ignored_entries: 20_000,
            checkpoints: 50,
            retention_minutes: 30,
            always_kept: 10,
            pinned_days: 30,
            store_bytes: 2048 * MIB,
            single_files_bytes: 200 * MIB,
            wait_milliseconds: 600,
            gone_days: 3,
        }
    }
}
