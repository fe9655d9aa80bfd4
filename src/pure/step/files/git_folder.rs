//! The parts of a `.git` folder, and the risk of deleting or changing them.

use crate::pure::step::effect::{Addressed, Losing, Target};
use crate::pure::step::place::Place;
use crate::pure::step::zone::{DeletionRisk, Zone, fixed_front, zone};
use camino::{Utf8Path, Utf8PathBuf};

/// The purpose of a part of a git folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GitFolderPart {
    /// Commits, branches, the index, or all of it.
    History,
    /// Programs that git runs.
    Hook,
    Configuration,
    /// Messages, locks, leftovers of a rebase, files of other tools.
    Other,
}

/// The `.git` folder that the path lies in.
pub(crate) fn git_folder_around(path: &Utf8Path) -> Option<&Utf8Path> {
    memchr::memmem::find(path.as_str().as_bytes(), b"/.git")?;
    path.ancestors().find(|folder| folder.file_name() == Some(".git"))
}

/// The directory that contains the path's `.git` folder, and the part that the path belongs to.
pub(crate) fn part(path: &Utf8Path) -> Option<(&Utf8Path, GitFolderPart)> {
    let folder = git_folder_around(path)?;
    let rest = path.strip_prefix(folder).ok()?;
    let name = path.file_name().unwrap_or_default();
    let first = rest.components().next().map(|component| component.as_str()).unwrap_or_default();
    let part = match first {
        _ if name.ends_with(".lock") || name.ends_with(".sample") => GitFolderPart::Other,
        "" | "objects" | "refs" | "packed-refs" | "HEAD" | "logs" | "index" | "modules" | "worktrees"
        | "shallow" => GitFolderPart::History,
        "hooks" => GitFolderPart::Hook,
        "config" | "config.worktree" => GitFolderPart::Configuration,
        _ => GitFolderPart::Other,
    };
    Some((folder.parent()?, part))
}

/// The risk of deleting something in a git folder; `None` for targets elsewhere.
pub(crate) fn deletion(target: &Target, place: &Place) -> Option<DeletionRisk> {
    let path: Utf8PathBuf = match target {
        Target::Path(path) | Target::Inside(path) | Target::Below(path) => path.clone(),
        // The first variable name could match any of its siblings.
        Target::Matching(pattern) => {
            let name = pattern.rsplit('/').next().unwrap_or(pattern);
            if name.ends_with(".lock") || name.ends_with(".sample") {
                return Some(DeletionRisk::Harmless);
            }
            fixed_front(pattern)
        }
        Target::Unknown => return None,
    };
    let (directory, part) = part(&path)?;
    if zone(&path, place) == Zone::Temporary {
        return Some(DeletionRisk::Harmless);
    }
    Some(match part {
        GitFolderPart::History => {
            let repository = Addressed::Directory(directory.to_owned());
            DeletionRisk::Depends(Losing::History { repository })
        }
        GitFolderPart::Hook | GitFolderPart::Configuration => {
            DeletionRisk::OutsideUnless(Losing::Path { path, recursive: true })
        }
        GitFolderPart::Other => DeletionRisk::Harmless,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_folder_has_parts_of_different_weight() {
        for (path, expected) in [
            ("/p/.git", Some(GitFolderPart::History)),
            ("/p/.git/refs/heads/main", Some(GitFolderPart::History)),
            ("/p/.git/index", Some(GitFolderPart::History)),
            ("/p/.git/index.lock", Some(GitFolderPart::Other)),
            ("/p/.git/refs/heads/main.lock", Some(GitFolderPart::Other)),
            ("/p/.git/hooks/pre-commit", Some(GitFolderPart::Hook)),
            ("/p/.git/hooks/pre-commit.sample", Some(GitFolderPart::Other)),
            ("/p/.git/config", Some(GitFolderPart::Configuration)),
            ("/p/.git/info/exclude", Some(GitFolderPart::Other)),
            ("/p/.git/rebase-merge", Some(GitFolderPart::Other)),
            ("/p/.github/workflows/x.yml", None),
            ("/p/x.git/refs", None),
        ] {
            assert_eq!(part(Utf8Path::new(path)).map(|(_, part)| part), expected, "{path}");
        }
        assert_eq!(part(Utf8Path::new("/p/.git/refs")).map(|(around, _)| around), Some(Utf8Path::new("/p")));
    }
}
