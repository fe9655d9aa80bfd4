//! Where many paths lead once links are followed. Most of them lie in the same folders, so that each folder is looked at once.

use crate::pure::step::{TextMap, joined};
use camino::{Utf8Path, Utf8PathBuf};

#[derive(Default)]
pub(crate) struct RealPaths {
    folders: TextMap<Seen>,
}

struct Seen {
    real: Utf8PathBuf,
    is_there: bool,
}

/// Folders above a path are remembered up to this many levels.
const LEVELS: usize = 2;

impl RealPaths {
    /// The same as `real_path`.
    pub fn of(&mut self, path: &Utf8Path) -> Utf8PathBuf {
        self.look(path, LEVELS).real
    }

    fn look(&mut self, path: &Utf8Path, levels: usize) -> Seen {
        let Some((folder, name)) = folder_and_name(path).filter(|_| levels > 0) else {
            return Seen { real: real_path(path), is_there: path.symlink_metadata().is_ok() };
        };
        if !self.folders.contains_key(folder) {
            let seen = self.look(Utf8Path::new(folder), levels - 1);
            self.folders.insert(folder.to_owned(), seen);
        }
        let folder = self.folders.get(folder);
        // Nothing lies in what is not there.
        let found = folder.filter(|folder| folder.is_there).and_then(|_| path.symlink_metadata().ok());
        let is_link = found.as_ref().is_some_and(|found| found.is_symlink());
        let behind = is_link.then(|| path.canonicalize_utf8().ok()).flatten();
        let beside = || folder.map_or_else(|| real_path(path), |folder| joined(&folder.real, name));
        Seen { real: behind.unwrap_or_else(beside), is_there: found.is_some() }
    }
}

/// By the text alone; nothing where that would not do.
fn folder_and_name(path: &Utf8Path) -> Option<(&str, &str)> {
    let slash = memchr::memrchr(b'/', path.as_str().as_bytes())?;
    let (folder, name) = (path.as_str().get(..slash)?, path.as_str().get(slash + 1..)?);
    (!folder.is_empty() && !matches!(name, "" | "." | "..")).then_some((folder, name))
}

/// Follows links as far as the path exists.
pub(crate) fn real_path(path: &Utf8Path) -> Utf8PathBuf {
    let mut rest: Vec<&str> = Vec::new();
    for ancestor in path.ancestors() {
        // One look at what is not there, instead of one at each of its parents.
        let is_there = ancestor.symlink_metadata().is_ok();
        if let Some(real) = is_there.then(|| ancestor.canonicalize_utf8().ok()).flatten() {
            return rest.iter().rev().fold(real, |path, name| path.join(name));
        }
        rest.extend(ancestor.file_name());
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_paths_lead_where_each_of_them_leads() {
        let root = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(root.path()).unwrap();
        std::fs::create_dir_all(root.join("real/deep")).unwrap();
        std::fs::write(root.join("real/file"), "").unwrap();
        for (link, behind) in [("link", "real"), ("real/to_file", "file"), ("dangling", "nowhere")] {
            std::os::unix::fs::symlink(behind, root.join(link)).unwrap();
        }
        let mut paths = RealPaths::default();
        for path in [
            "real/file", "real/new", "real/to_file", "link", "link/file", "link/to_file", "link/deep/new",
            "dangling", "dangling/x", "missing/x/y", "real/../real/file", "real/..", "",
        ] {
            let path = root.join(path);
            assert_eq!(paths.of(&path), real_path(&path), "{path}");
        }
        assert_eq!(paths.of("/x".into()), real_path("/x".into()));
    }
}
