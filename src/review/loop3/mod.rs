//! Loop 3: what an outside reviewer said, whether that was a review at all, and how often it may be asked. Pure.

mod coderabbit;
mod opinion;
mod options;
mod place;
mod quota;
mod sarif;

pub use coderabbit::coderabbit;
pub use opinion::{Ending, Opinion};
pub use options::{Call, Manual, Wanted};
pub use place::Places;
pub use quota::{Exhausted, Quota};
pub use sarif::sarif;
