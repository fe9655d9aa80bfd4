//! The next command after an error whose message does not name it.

use plimsoll::app::failure::NoRepository;
use plimsoll::edge::{config, repo, state};
use std::error::Error;

const ACCESS: &str = "check the permissions of the file and its directory, then run the same command again";

/// The first hint that the error or one of its causes gives.
pub(crate) fn hint(failure: &(dyn Error + 'static)) -> Option<&'static str> {
    std::iter::successors(Some(failure), |&error| error.source()).find_map(|error| {
        if error.is::<NoRepository>() {
            return Some("change to the folder of a repository, or run `git init` first");
        }
        let known = error.downcast_ref().map(of_configuration);
        let known = known.or_else(|| error.downcast_ref().map(of_state));
        known.or_else(|| error.downcast_ref().map(of_repository)).flatten()
    })
}

fn of_configuration(error: &config::Error) -> Option<&'static str> {
    match error {
        config::Error::NoHome | config::Error::MissingHome(_) => Some("set HOME to your home directory"),
        config::Error::NoPerson(_) => None,
        config::Error::Invalid(_) => Some("fix the named line, then run `plimsoll config check`"),
        config::Error::Unreadable { .. } | config::Error::Unwritable { .. } => Some(ACCESS),
        config::Error::NotAFile { .. }
        | config::Error::NotText { .. }
        | config::Error::TooLarge { .. }
        | config::Error::Unmergeable(_) => Some("fix or move the file, then run `plimsoll config check`"),
        config::Error::Exists { .. } => Some("edit the file, or move it away first"),
    }
}

fn of_state(error: &state::Error) -> Option<&'static str> {
    match error {
        state::Error::Busy { .. } => {
            Some("wait until the other process ends, then run the same command again")
        }
        state::Error::Newer { .. } | state::Error::Unrecorded { .. } | state::Error::Key { .. } => None,
        state::Error::Read { .. } | state::Error::Write { .. } => Some(ACCESS),
        state::Error::Edited { .. } => Some("check the file; move it away if you do not trust it"),
        state::Error::Corrupt { .. } | state::Error::Damaged { .. } | state::Error::TooLarge { .. } => {
            Some("run `plimsoll doctor` for the fix")
        }
    }
}

fn of_repository(error: &repo::Error) -> Option<&'static str> {
    match error {
        repo::Error::UnknownRevision { revision } if revision == "HEAD" => {
            Some("this repository has no commit yet: commit something first")
        }
        repo::Error::UnknownRevision { .. } => Some("`git branch --all` and `git tag` list all revisions"),
        repo::Error::NothingToLeaveOut { .. } => Some("`git status` lists the files that can be left out"),
        repo::Error::MissingObject { .. } => {
            Some("`git fsck` lists missing objects; `git fetch` may restore them")
        }
        // The message names the next command, or only git's own output helps.
        repo::Error::Read { .. }
        | repo::Error::Bare { .. }
        | repo::Error::BrokenLink { .. }
        | repo::Error::DanglingLink { .. }
        | repo::Error::Git { .. }
        | repo::Error::Scratch { .. }
        | repo::Error::Copy { .. }
        | repo::Error::NestedRepository { .. }
        | repo::Error::Unmerged { .. }
        | repo::Error::TooLarge { .. }
        | repo::Error::NotACommit { .. }
        | repo::Error::FetchFirst { .. }
        | repo::Error::PushLine { .. }
        | repo::Error::RewrittenUrl { .. }
        | repo::Error::RemoteNamedLikeUrl => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_found_behind_other_errors_and_missing_where_nothing_is_known() {
        #[derive(Debug, thiserror::Error)]
        #[error("around it")]
        struct Around(#[source] repo::Error);
        let failure = Around(repo::Error::UnknownRevision { revision: "v9".into() });
        assert!(hint(&failure).is_some_and(|hint| hint.contains("git tag")));
        let unborn = repo::Error::UnknownRevision { revision: "HEAD".into() };
        assert!(hint(&unborn).is_some_and(|hint| hint.contains("no commit yet")));
        assert!(hint(&NoRepository).is_some_and(|hint| hint.contains("git init")));
        assert_eq!(hint(&std::io::Error::other("no idea")), None);
    }
}
