//! The paths that a restore may change.

use super::surroundings::Nested;
use crate::pure::review::GitPath;

/// Some folders and files, or the whole project without other worktrees of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestoreScope {
    wanted: Vec<GitPath>,
    spared: Vec<GitPath>,
}

impl RestoreScope {
    /// `wanted` empty: everything but the linked worktrees among `nested`.
    pub fn new(wanted: Vec<GitPath>, nested: &[Nested]) -> Self {
        let linked = nested.iter().filter(|nested| nested.linked).map(|nested| nested.path.clone());
        let spared = linked.filter(|path| !wanted.iter().any(|wanted| lies_in(wanted, path))).collect();
        Self { wanted, spared }
    }

    pub fn holds(&self, path: &GitPath) -> bool {
        let wanted = self.wanted.is_empty() || self.wanted.iter().any(|folder| lies_in(path, folder));
        wanted && !self.spared.iter().any(|folder| lies_in(path, folder))
    }
}

/// Whether `path` is `folder` or lies in it; the empty folder is the project.
fn lies_in(path: &GitPath, folder: &GitPath) -> bool {
    let Some(rest) = path.0.strip_prefix(folder.0.as_slice()) else { return false };
    folder.0.is_empty() || rest.is_empty() || rest.starts_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<GitPath> {
        names.iter().map(|name| GitPath::new(name)).collect()
    }

    #[test]
    fn a_named_folder_holds_what_lies_in_it_and_nothing_beside_it() {
        let scope = RestoreScope::new(paths(&["front", "a/b.txt"]), &[]);
        for path in paths(&["front", "front/x", "a/b.txt"]) {
            assert!(scope.holds(&path), "{path}");
        }
        for path in paths(&["frontend/x", "a/b.txt.old", "a", "back/x"]) {
            assert!(!scope.holds(&path), "{path}");
        }
    }

    #[test]
    fn another_worktree_of_the_repository_is_spared_unless_it_is_named() {
        let nested = |path: &str, linked| Nested { path: GitPath::new(path), head: None, linked };
        let nested = [nested(".trees/other", true), nested("vendor/lib", false)];
        let everything = RestoreScope::new(Vec::new(), &nested);
        assert!(!everything.holds(&GitPath::new(".trees/other/x")));
        assert!(everything.holds(&GitPath::new("vendor/lib/x")));
        assert!(everything.holds(&GitPath::new(".trees/x")));
        let named = RestoreScope::new(paths(&[".trees/other"]), &nested);
        assert!(named.holds(&GitPath::new(".trees/other/x")));
        assert!(!RestoreScope::new(paths(&[""]), &nested).holds(&GitPath::new(".trees/other/x")));
    }
}
