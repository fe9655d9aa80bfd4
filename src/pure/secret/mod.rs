//! Bytes to secrets found in them, always redacted. Pure.

mod address;
mod allow;
mod assignment;
mod baseline;
mod bot_token;
mod call;
mod catalogue;
mod file;
mod file_role;
mod form;
mod generic;
mod header;
mod key_block;
mod keyword;
mod manifest;
mod name;
mod placeholder;
mod provider;
mod randomness;
mod redact;
mod rule;
mod scan;

pub(crate) use baseline::Baseline;
pub(crate) use redact::{Redacted, Secrets, is_plain, may_hold_secret, redact, redact_code};
pub(crate) use rule::{Match, PATTERNS, SecretSeverity, SecretVerdict};
pub(crate) use scan::{ChangedFile, is_suspect, scan, scan_change, scan_file};
