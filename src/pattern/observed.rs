//! One step of the session as it came out.

use crate::step::Nature;

#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    pub id: &'a str,
    /// Empty for the main thread.
    pub agent: &'a str,
    pub tool: &'a str,
    /// The tool's input as sent, JSON.
    pub input: &'a str,
    pub nature: Nature,
    pub ended: Ended<'a>,
    /// Milliseconds since 1970.
    pub time: u64,
    pub meter: Meter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended<'a> {
    /// The tool's response, JSON or text.
    Well(&'a str),
    /// The error's text.
    Badly(&'a str),
    /// A person broke it off, or said no: not an error.
    Interrupted,
    /// We refused it. The agent tried all the same.
    Refused,
}

/// What is measured outside: over the whole session, at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meter {
    pub tokens: u64,
    pub memory_mb: u64,
}
