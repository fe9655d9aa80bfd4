//! Bytes to secrets found in them, always redacted. Pure.

mod address;
mod allow;
mod assignment;
mod baseline;
mod bot_token;
mod catalogue;
mod file;
mod form;
mod generic;
mod header;
mod key_block;
mod keyword;
mod manifest;
mod name;
mod place;
mod placeholder;
mod provider;
mod randomness;
mod redact;
mod rule;
mod scan;

pub use baseline::Baseline;
pub use redact::{Redacted, Secrets, is_plain, redact, redact_code};
pub use rule::{Match, PATTERNS, RULE_SET, Severity, Verdict};
pub use scan::{Change, is_suspect, scan, scan_change, scan_file};
