//! File metadata that shows whether a file has changed.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Stat {
    inode: u64,
    pub size: u64,
    modified: i64,
    changed: i64,
    mode: u32,
}

const SECOND: i64 = 1_000_000_000;
/// File systems stamp with a clock that may lag behind ours.
const LAG: i64 = 20_000_000;

impl Stat {
    pub(super) fn of(found: &Metadata) -> Self {
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(SECOND).saturating_add(rest);
        Self {
            inode: found.ino(),
            size: found.size(),
            modified: nanoseconds(found.mtime(), found.mtime_nsec()),
            changed: nanoseconds(found.ctime(), found.ctime_nsec()),
            mode: found.mode(),
        }
    }

    pub fn permissions(&self) -> u32 {
        self.mode & 0o7777
    }

    pub(super) fn is_executable(&self) -> bool {
        self.mode & 0o100 != 0
    }

    /// Milliseconds since 1970.
    pub fn changed_at(&self) -> u64 {
        u64::try_from(self.changed / 1_000_000).unwrap_or_default()
    }

    /// Whether a look that began at `taken` (milliseconds) could have missed a change that left the same times.
    pub(super) fn is_settled(&self, taken: u64) -> bool {
        let taken = i64::try_from(taken).unwrap_or_default().saturating_mul(1_000_000);
        self.changed < taken.saturating_sub(LAG)
    }
}
