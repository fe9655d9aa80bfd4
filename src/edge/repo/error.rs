//! Errors of questions about a repository. Each one means "could not check".

use crate::edge::git;
use crate::pure::review::{GitPath, ObjectId};
use crate::pure::text::list;
use camino::Utf8PathBuf;
use std::io;

/// Paths in a message; the others are counted.
const SHOWN: usize = 5;

pub(crate) type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("could not read {path}")]
    Read { path: Utf8PathBuf, source: io::Error },

    #[error("{path} is a bare repository, it has no worktree to review; run this in a clone of it")]
    Bare { path: Utf8PathBuf },

    #[error("{path} does not say `gitdir: <path>`; repair it with `git worktree repair` or clone again")]
    BrokenLink { path: Utf8PathBuf },

    #[error(
        "{link} points to {target}, which is not a git directory; `git worktree repair` fixes a moved one"
    )]
    DanglingLink { link: Utf8PathBuf, target: Utf8PathBuf },

    #[error(transparent)]
    Git(#[from] git::Error),

    #[error("could not make a private copy of the index in {path}")]
    Scratch { path: Utf8PathBuf, source: io::Error },

    #[error("could not make a copy of the content in {path}")]
    Copy { path: Utf8PathBuf, source: io::Error },

    #[error(
        "{} holds a repository of its own that is not a submodule; ignore it, add it as a submodule or leave it out",
        list(.paths, SHOWN)
    )]
    NestedRepository { paths: Vec<GitPath> },

    #[error("nothing to leave out: {path} is neither in the worktree nor in HEAD")]
    NothingToLeaveOut { path: GitPath },

    #[error("{} has unresolved conflicts; resolve them and `git add` the result", list(.paths, SHOWN))]
    Unmerged { paths: Vec<GitPath> },

    #[error("there is no commit called `{revision}`")]
    UnknownRevision { revision: String },

    #[error("object {id} is missing from this repository")]
    MissingObject { id: ObjectId },

    #[error("object {id} is too large to read")]
    TooLarge { id: ObjectId },

    #[error("`{local_ref}` is {id}, which leads to no commit")]
    NotACommit { local_ref: String, id: ObjectId },

    #[error("`{remote_ref}` is at {id} on the remote, which is not here yet; run `git fetch` first")]
    FetchFirst { remote_ref: String, id: ObjectId },

    #[error("git's pre-push line `{line}` is not `<local ref> <local id> <remote ref> <remote id>`")]
    PushLine { line: String },

    #[error(
        "`insteadOf = {prefix}` would send our question elsewhere than the push; name the final URL in the remote"
    )]
    RewrittenUrl { prefix: String },

    #[error(
        "a remote has the URL of this push as its name, so that our question would go elsewhere; rename or remove it"
    )]
    RemoteNamedLikeUrl,
}

impl Error {
    pub(super) fn unexpected(command: &str) -> Self {
        git::Error::unexpected(command).into()
    }
}
