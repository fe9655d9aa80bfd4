//! Bytes to secrets found in them, always redacted. Pure.

mod placeholder;
mod rule;
mod scan;

pub use rule::{PATTERNS, Severity};
pub use scan::{Match, scan};
