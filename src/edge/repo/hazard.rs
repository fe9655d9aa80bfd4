//! States of a repository in which its history or index does not mean what it says.

use super::error::Result;
use super::git::Git;
use crate::pure::review::GitPath;
use std::collections::BTreeSet;
use std::{fmt, fs};

/// A reason not to trust what git tells. Replacement objects are none: our git does not look at them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hazard {
    /// History is cut off, so a merge base may be missing or wrong.
    Shallow,
    /// `info/grafts` rewrites parents for the user's git, so a push may send another history than we see.
    Grafts,
    /// Conflicts in the index.
    Unmerged(Vec<GitPath>),
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shallow => {
                f.write_str("the history is cut off here (shallow clone); run `git fetch --unshallow`")
            }
            Self::Grafts => f.write_str("info/grafts rewrites history; remove it"),
            Self::Unmerged(paths) => {
                let names: Vec<String> = paths.iter().map(ToString::to_string).collect();
                write!(f, "unresolved conflicts in {}", names.join(", "))
            }
        }
    }
}

impl Git {
    pub fn hazards(&self) -> Result<Vec<Hazard>> {
        let common = &self.repo().common_dir;
        let has_content = |path: &str| fs::metadata(common.join(path)).is_ok_and(|found| found.len() > 0);
        let unmerged = unmerged(self)?;
        let found = [
            has_content("shallow").then_some(Hazard::Shallow),
            has_content("info/grafts").then_some(Hazard::Grafts),
            (!unmerged.is_empty()).then_some(Hazard::Unmerged(unmerged)),
        ];
        Ok(found.into_iter().flatten().collect())
    }
}

pub(super) fn unmerged(git: &Git) -> Result<Vec<GitPath>> {
    let listed = git.call(["ls-files", "--unmerged", "-z"]).bytes()?;
    let paths = listed.split(|byte| *byte == 0).filter_map(|entry| {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        entry.get(tab + 1..).map(|path| GitPath(path.to_vec()))
    });
    Ok(paths.collect::<BTreeSet<_>>().into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn a_plain_repository_has_no_hazard() {
        assert_eq!(Fixture::with_commit().open().hazards().unwrap(), []);
    }

    #[test]
    fn shallow_history_grafts_and_conflicts_are_named() {
        let fixture = Fixture::with_commit();
        fixture.conflict();
        let head = fixture.git(&["rev-parse", "HEAD"]);
        fixture.write(".git/info/grafts", format!("{head}\n"));
        fixture.write(".git/shallow", format!("{head}\n"));
        let unmerged = Hazard::Unmerged(vec![GitPath::new("a.txt")]);
        assert_eq!(fixture.open().hazards().unwrap(), [Hazard::Shallow, Hazard::Grafts, unmerged]);
    }
}
