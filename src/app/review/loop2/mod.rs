//! Loop 2: a reviewer is started with our words and our context, watched while it reads, and its answer taken when it stops.

mod answer;
mod contents;
mod context;
mod instructions;
mod material;
mod reuse;
pub(crate) mod reviewer_guard;
mod start;
mod story;
pub(crate) mod verdict;

pub(crate) use answer::{take_answer, waiting_for};
pub(crate) use contents::text;
pub use context::write_for_people;
pub(crate) use context::{DiffFiles, digest, folder_name, mark, sweep, write_diff};
pub(crate) use material::gather;
pub(crate) use reviewer_guard::guard;
pub(crate) use start::{pending, start};
