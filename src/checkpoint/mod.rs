//! Edge: the private store of checkpoints, and the files of the project that it is filled from and restores to.
//!
//! The store is a bare git directory that no repository of the user knows of. Files are read by a walk of our own and handed
//! to `git fast-import` as they are: no index, no filter, no attribute, no repository inside the project has a say in it.

mod capture;
mod contents;
mod error;
mod excluded;
mod folder;
mod git;
mod import;
mod leash;
mod listed;
mod objects;
mod pace;
mod place;
mod put;
mod root;
mod seen;
mod singles;
mod stat;
mod store;
mod walk;

pub use capture::{Capture, Captured, Wanted, capture};
pub use error::{Error, Result};
pub use objects::{Objects, difference, listing};
pub use pace::{Next, Pace, Progress, Rest};
pub use put::{Ground, Refusal};
pub use singles::{Before, Note, Singles};
pub use stat::Stat;
pub use store::{Store, bytes, is_temporary};
pub use walk::TEMPORARY;
