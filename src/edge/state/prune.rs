//! Removes old sessions, and permissions whose dialog was refused.

use super::error::Error;
use super::layout::StateLayout;
use camino::Utf8Path;
use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SESSIONS_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The start of a session does not wait for a long clean-up.
const AT_ONCE: usize = 20;

/// Removes at most a handful per call, so that the cost stays flat.
pub fn prune(layout: &StateLayout, now: SystemTime) -> Result<(), Error> {
    remove_older(&layout.root().join("sessions"), now, SESSIONS_KEPT)?;
    remove_older(&layout.raw_answers(), now, SESSIONS_KEPT)?;
    remove_older(&layout.writers(), now, DAY)?;
    remove_older(&layout.pending(), now, DAY)?;
    remove_older(&layout.grants(), now, DAY)
}

fn remove_older(folder: &Utf8Path, now: SystemTime, kept: Duration) -> Result<(), Error> {
    let Ok(entries) = folder.read_dir_utf8() else { return Ok(()) };
    let old = entries.flatten().filter(|entry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > kept))
    });
    for entry in old.take(AT_ONCE) {
        let path = entry.path();
        let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::Write { path: path.to_owned(), source: error });
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[test]
    fn old_sessions_and_grants_go_and_fresh_ones_stay() {
        let directory = tempfile::tempdir().unwrap();
        let layout =
            StateLayout::in_repository(&Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap());
        super::super::store::write_atomic(&layout.session_facts("s"), b"{}").unwrap();
        super::super::store::write_atomic(&layout.grants().join("g.json"), b"{}").unwrap();
        let now = SystemTime::now();
        prune(&layout, now).unwrap();
        assert!(layout.session("s").exists() && layout.grants().join("g.json").exists());
        prune(&layout, now + 2 * DAY).unwrap();
        assert!(layout.session("s").exists() && !layout.grants().join("g.json").exists());
        prune(&layout, now + 31 * DAY).unwrap();
        assert!(!layout.session("s").exists());
    }
}
