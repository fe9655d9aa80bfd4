//! File system facts about a path besides its content.

use camino::Utf8Path;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::time::SystemTime;

/// When it last changed, in milliseconds since 1970; `None` if that cannot be told.
pub(crate) fn modified_at(path: &Utf8Path) -> Option<u64> {
    let time = path.symlink_metadata().and_then(|found| found.modified()).ok()?;
    u64::try_from(time.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_millis()).ok()
}

/// In bytes; `None` if that cannot be told.
pub(crate) fn size(path: &Utf8Path) -> Option<u64> {
    path.metadata().ok().map(|found| found.len())
}

/// Whether it is a file that can be run.
pub(crate) fn is_executable(path: &Utf8Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

pub(crate) fn make_executable(path: &Utf8Path) -> io::Result<()> {
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755))
}

pub(crate) fn rename(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::fs::rename(from, to)
}
