//! Loop 2: a reader is started with our words and our context, watched while it reads, and its answer taken when it stops.

mod contents;
mod context;
mod material;
mod results;
mod reuse;
mod start;
mod taking;
pub mod verdict;
mod watching;

pub(in crate::flow) use contents::text;
pub use context::write_for_people;
pub(in crate::flow) use context::{DiffFiles, digest, folder_name, mark, sweep, write_diff};
pub(in crate::flow) use material::gather;
pub use start::start;
pub(in crate::flow) use taking::addressed;
pub use taking::stopped;
pub use watching::guard;
