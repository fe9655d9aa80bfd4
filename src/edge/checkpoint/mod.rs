//! Edge: the private store of checkpoints, and the files of the project that it is filled from and restores to.
//!
//! The store is a bare git directory that no repository of the user knows of. Files are read by a walk of our own and handed
//! to `git fast-import` as they are: no index, no filter, no attribute, no repository inside the project has a say in it.

mod capture;
mod contents;
mod error;
mod folder;
mod ignore_check;
mod import;
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

pub(crate) use capture::{Capture, CaptureRequest, Captured, capture};
pub(crate) use error::Error;
pub(crate) use objects::difference;
pub use objects::{StoreObjects, listing};
pub use pace::CaptureProgress;
pub(crate) use pace::{Next, Pace};
pub(crate) use put::{Ground, PutRefusal};
pub(crate) use singles::{Before, Note, Singles};
pub use store::Store;
pub(crate) use store::{bytes, is_temporary};
