//! Edge: questions about a repository. Discovery, tree ids, diffs, what a push would send.
//!
//! Everything git says is read here and handed on as values; nothing here decides what it means. No call changes
//! the user's index, refs, configuration or objects, except those of `courier` and `notes`, which a push,
//! a fetch or an attestation asks for.

mod base;
mod changes;
#[cfg(feature = "cli")]
mod copy;
#[cfg(feature = "cli")]
mod courier;
mod diff;
mod discover;
mod drafts;
mod error;
mod git;
mod hazard;
mod head;
#[cfg(feature = "cli")]
mod history;
#[cfg(feature = "cli")]
mod hunks;
mod installed;
mod introduced;
mod leaving;
mod listing;
mod lookup;
mod loss;
mod mention;
#[cfg(feature = "cli")]
mod notes;
mod objects;
mod predict;
mod push_line;
#[cfg(feature = "cli")]
mod reach;
mod remote;
mod revision;
mod scratch;
mod script;
mod snapshot;
mod tree;

#[cfg(test)]
mod tests;
#[cfg(test)]
use tests::fixture;

pub(crate) use base::{Base, base};
pub(crate) use changes::{WorktreeChanges, changed_files, unignored_files};
#[cfg(feature = "cli")]
pub(crate) use copy::Copy;
#[cfg(feature = "cli")]
pub(crate) use courier::{Courier, RemoteRefs, fetch_refspecs, remote_url, set_upstream, update_refs};
pub(crate) use diff::diff;
pub use discover::Repo;
pub(crate) use drafts::{blobs_between, drafts};
pub use error::Error;
pub(crate) use git::Git;
pub(crate) use hazard::Hazard;
pub(crate) use head::Head;
#[cfg(feature = "cli")]
pub(crate) use history::history;
#[cfg(feature = "cli")]
pub(crate) use hunks::changed_lines;
#[cfg(feature = "cli")]
pub(crate) use installed::sides;
pub(crate) use leaving::{LeavingRef, LeavingTip, between, leaving};
pub(crate) use listing::{Depth, messages, names, tags};
pub(crate) use lookup::git_folder_on_disk;
pub use lookup::is_tracked;
pub(crate) use lookup::{configuration_files, file_at, hooks_directory, published, remote_folders};
pub(crate) use loss::{Copies, Losses, standing, worktree_of};
#[cfg(feature = "cli")]
pub(crate) use notes::{NOTES, NoteContent, NoteTree, note_tree, notes_tip, write_notes};
pub(crate) use objects::{Content, objects};
#[cfg(feature = "cli")]
pub(crate) use predict::refs as tracked_refs;
pub(crate) use predict::{Forecast, PushRequest, predict};
pub(crate) use push_line::PushLine;
#[cfg(feature = "cli")]
pub(crate) use reach::{commit_at, new_commits, reached, trees};
pub(crate) use remote::RemoteIds;
#[cfg(feature = "cli")]
pub(crate) use revision::find_commit;
#[cfg(feature = "cli")]
pub(crate) use revision::tree_of;
pub(crate) use revision::{Commit, commit};
pub(crate) use script::{alias, read_text};
pub(crate) use snapshot::Snapshot;
pub(crate) use tree::{committed_tree, dirty_submodules, staged_tree, worktree_tree};
