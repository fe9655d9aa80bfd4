//! Loop 2 without the world around it: what a reader is shown, and what of its answer counts. Pure.

mod answer;
mod chunk;
mod index;
mod prompt;
mod quote;
mod round;
mod section;
mod specs;
mod stack;
mod summary;

pub(crate) use answer::object;
pub use answer::{Claim, Expected, Read, nonce, read};
pub use chunk::{Chunk, LINES as PART_LINES, chunks, pieces};
pub use index::{Index, Listed, OPEN};
pub use prompt::{again, prompt};
pub use quote::{Text, located};
pub use round::{Round, RoundLimits};
pub use section::{Section, Shown};
pub use specs::{FOLDERS as SPEC_FOLDERS, is_spec, matching};
pub use stack::stack;
pub use summary::{Summarised, summarised};
