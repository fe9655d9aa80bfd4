//! Bytes to secrets found in them, always redacted. Pure.

mod placeholder;
mod redact;
mod rule;
mod scan;

pub use redact::redact;
pub use rule::{PATTERNS, Severity};
pub use scan::{Match, scan};
