//! Secrets in files and in git's objects: each is read once, and compared with what was there before only where needed.

mod blobs;
#[cfg(feature = "cli")]
mod changes;
#[cfg(feature = "cli")]
mod tree;

pub(crate) use blobs::{Blob, Scanned, scan_blobs};
#[cfg(feature = "cli")]
pub use changes::ScannedChanges;
#[cfg(feature = "cli")]
pub use changes::scan_changes;
#[cfg(feature = "cli")]
pub use tree::scan_paths;
