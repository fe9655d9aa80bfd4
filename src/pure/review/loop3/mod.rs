//! Loop 3: the output of an outside reviewer, and its quota. Pure.

mod coderabbit;
mod opinion;
mod options;
mod place;
mod quota;
mod sarif;

pub(crate) use coderabbit::coderabbit;
pub(crate) use opinion::Opinion;
pub(crate) use options::{Manual, OutsideCall, OutsideReview};
pub(crate) use place::Places;
pub(crate) use quota::{Exhausted, Quota};
pub(crate) use sarif::sarif;
