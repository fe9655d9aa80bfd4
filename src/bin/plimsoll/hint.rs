//! What to do after a failure, where its message does not say so itself.

use plimsoll::{config, repo, state};
use std::error::Error;

const ACCESS: &str = "look at the permissions of that file and its directory, then run the same line again";

/// The first hint that the error or one of its causes gives.
pub(crate) fn hint(failure: &(dyn Error + 'static)) -> Option<&'static str> {
    std::iter::successors(Some(failure), |&error| error.source()).find_map(|error| {
        let known = error.downcast_ref().map(of_configuration);
        let known = known.or_else(|| error.downcast_ref().map(of_state));
        known.or_else(|| error.downcast_ref().map(of_repository)).flatten()
    })
}

fn of_configuration(error: &config::Error) -> Option<&'static str> {
    match error {
        config::Error::NoHome => Some("set HOME to your home directory"),
        config::Error::NoPerson(_) => None,
        config::Error::Invalid(_) => {
            Some("mend the line that is named; `plimsoll config check` says when all is well")
        }
        config::Error::Unreadable { .. } | config::Error::Unwritable { .. } => Some(ACCESS),
        config::Error::NotAFile { .. } | config::Error::TooLarge { .. } | config::Error::Unmergeable(_) => {
            Some("mend or move that file, then run `plimsoll config check`")
        }
        config::Error::Exists { .. } => Some("edit it, or move it away first"),
    }
}

fn of_state(error: &state::Error) -> Option<&'static str> {
    match error {
        state::Error::Busy { .. } => Some("wait for the other process to end, then run the same line again"),
        state::Error::Newer { .. } | state::Error::Unrecorded { .. } | state::Error::Key { .. } => None,
        state::Error::Read { .. } | state::Error::Write { .. } => Some(ACCESS),
        state::Error::Edited { .. } => Some("look at that file; move it away if you do not trust it"),
        state::Error::Corrupt { .. } | state::Error::Damaged { .. } | state::Error::TooLarge { .. } => {
            Some("`plimsoll doctor` names the command that mends it")
        }
    }
}

fn of_repository(error: &repo::Error) -> Option<&'static str> {
    match error {
        repo::Error::UnknownRevision { .. } => Some("`git branch --all` and `git tag` list what there is"),
        repo::Error::NothingToLeaveOut { .. } => Some("`git status` lists the files that can be left out"),
        repo::Error::MissingObject { .. } => {
            Some("`git fsck` shows what else is missing; `git fetch` may bring it")
        }
        // These say it themselves, or nothing helps but looking at what git printed.
        repo::Error::Read { .. }
        | repo::Error::Bare { .. }
        | repo::Error::BrokenLink { .. }
        | repo::Error::DanglingLink { .. }
        | repo::Error::Start { .. }
        | repo::Error::Pipe { .. }
        | repo::Error::Failed { .. }
        | repo::Error::WouldWait { .. }
        | repo::Error::Deadline { .. }
        | repo::Error::TooMuch { .. }
        | repo::Error::Unexpected { .. }
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
        assert_eq!(hint(&std::io::Error::other("no idea")), None);
    }
}
