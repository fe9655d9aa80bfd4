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

pub use context::write_for_people;
pub use start::start;
pub use taking::stopped;
pub use watching::guard;
