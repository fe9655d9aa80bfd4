//! May this leave? What leaves, the receipts and the policy in; open or shut with a reason out. Pure.

mod facts;
mod judge;
mod reason;

pub use facts::{Facts, Leak, Submodule, Tip};
pub use judge::{Verdict, judge};
pub use reason::Reason;

#[cfg(test)]
mod scenarios;
