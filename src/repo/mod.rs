//! Edge: the one door to git. Discovery, tree ids, diffs, what a push would send.
//!
//! Everything git says is read here and handed on as values; nothing here decides what it means. No call changes
//! the user's index, refs, configuration or objects.

mod base;
mod call;
mod changes;
mod child;
#[cfg(feature = "cli")]
mod copy;
mod diff;
mod discover;
mod error;
mod git;
mod hazard;
mod head;
#[cfg(feature = "cli")]
mod hunks;
mod introduced;
mod leaving;
mod listing;
mod lookup;
mod loss;
mod mention;
mod objects;
mod predict;
mod push_line;
mod remote;
mod revision;
mod scratch;
mod script;
mod snapshot;
mod tree;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

pub use base::{Base, base};
pub use changes::{Changed, changed_files, pairs, unignored_files};
#[cfg(feature = "cli")]
pub use copy::Copy;
pub use diff::diff;
pub use discover::Repo;
pub use error::{Error, Result};
pub use git::Git;
pub use hazard::Hazard;
pub use head::Head;
#[cfg(feature = "cli")]
pub use hunks::changed_lines;
pub use introduced::IntroducedBlob;
pub use leaving::{Leaving, Tip, between, leaving};
pub use listing::{Depth, names, subjects};
pub use lookup::{file_at, hooks_directory, published};
pub use loss::{Copies, Losses};
pub use objects::{Content, Objects, objects};
pub use predict::{Forecast, PushRequest, predict};
pub use push_line::PushLine;
pub use remote::RemoteIds;
pub use revision::{Commit, commit, tree_of};
pub use script::{alias, read_text};
pub use snapshot::Snapshot;
pub use tree::{committed_tree, dirty_submodules, staged_tree, worktree_tree};
