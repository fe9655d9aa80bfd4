//! Claude Code's events and answers: bytes to types and back. Pure.

pub mod registration;
