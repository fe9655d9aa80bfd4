//! What lies in a `.git` folder, and what its loss or change would mean.

use crate::step::effect::{Addressed, Losing, Target};
use crate::step::place::Place;
use crate::step::zone::{Standing, Zone, fixed_front, zone};
use camino::{Utf8Path, Utf8PathBuf};

/// What a part of a git folder is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Commits, branches, the index, or all of it.
    History,
    /// Programs that git runs.
    Hook,
    Configuration,
    /// Messages, locks, what a rebase leaves behind, what other tools keep there.
    Other,
}

/// The `.git` folder that the path lies in.
pub fn git_folder_around(path: &Utf8Path) -> Option<&Utf8Path> {
    memchr::memmem::find(path.as_str().as_bytes(), b"/.git")?;
    path.ancestors().find(|folder| folder.file_name() == Some(".git"))
}

/// The directory around the `.git` folder that the path lies in, and what the path is there.
pub fn part(path: &Utf8Path) -> Option<(&Utf8Path, Part)> {
    let folder = git_folder_around(path)?;
    let rest = path.strip_prefix(folder).ok()?;
    let name = path.file_name().unwrap_or_default();
    let first = rest.components().next().map(|component| component.as_str()).unwrap_or_default();
    let part = match first {
        _ if name.ends_with(".lock") || name.ends_with(".sample") => Part::Other,
        "" | "objects" | "refs" | "packed-refs" | "HEAD" | "logs" | "index" | "modules" | "worktrees"
        | "shallow" => Part::History,
        "hooks" => Part::Hook,
        "config" | "config.worktree" => Part::Configuration,
        _ => Part::Other,
    };
    Some((folder.parent()?, part))
}

/// What deleting something in a git folder comes to; nothing if the target lies in none.
pub fn deletion(target: &Target, place: &Place) -> Option<Standing> {
    let path: Utf8PathBuf = match target {
        Target::Path(path) | Target::Inside(path) | Target::Below(path) => path.clone(),
        // The first name that is no longer fixed could be any of those beside it.
        Target::Matching(pattern) => {
            let name = pattern.rsplit('/').next().unwrap_or(pattern);
            if name.ends_with(".lock") || name.ends_with(".sample") {
                return Some(Standing::Harmless);
            }
            fixed_front(pattern)
        }
        Target::Unknown => return None,
    };
    let (directory, part) = part(&path)?;
    if zone(&path, place) == Zone::Temporary {
        return Some(Standing::Harmless);
    }
    Some(match part {
        Part::History => {
            let repository = Addressed::Directory(directory.to_owned());
            Standing::Depends(Losing::History { repository })
        }
        Part::Hook | Part::Configuration => Standing::OutsideUnless(Losing::Path { path, recursive: true }),
        Part::Other => Standing::Harmless,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_folder_has_parts_of_different_weight() {
        for (path, expected) in [
            ("/p/.git", Some(Part::History)),
            ("/p/.git/refs/heads/main", Some(Part::History)),
            ("/p/.git/index", Some(Part::History)),
            ("/p/.git/index.lock", Some(Part::Other)),
            ("/p/.git/refs/heads/main.lock", Some(Part::Other)),
            ("/p/.git/hooks/pre-commit", Some(Part::Hook)),
            ("/p/.git/hooks/pre-commit.sample", Some(Part::Other)),
            ("/p/.git/config", Some(Part::Configuration)),
            ("/p/.git/info/exclude", Some(Part::Other)),
            ("/p/.git/rebase-merge", Some(Part::Other)),
            ("/p/.github/workflows/x.yml", None),
            ("/p/x.git/refs", None),
        ] {
            assert_eq!(part(Utf8Path::new(path)).map(|(_, part)| part), expected, "{path}");
        }
        assert_eq!(part(Utf8Path::new("/p/.git/refs")).map(|(around, _)| around), Some(Utf8Path::new("/p")));
    }
}
