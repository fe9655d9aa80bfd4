//! One tool call with its result, as the hooks report it.

use crate::pure::step::Nature;

#[derive(Debug, Clone, Copy)]
pub(crate) struct MonitoredCall<'a> {
    pub id: &'a str,
    /// Empty for the main thread.
    pub agent: &'a str,
    pub tool: &'a str,
    /// The tool's input as sent, JSON.
    pub input: &'a str,
    pub nature: Nature,
    pub ended: CallResult<'a>,
    /// Milliseconds since 1970.
    pub time: u64,
    pub meter: Meter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallResult<'a> {
    /// The tool's response, JSON or text.
    Succeeded(&'a str),
    /// The error's text.
    Failed(&'a str),
    /// A person interrupted or rejected it: not an error.
    Interrupted,
    /// Plimsoll refused the call.
    Refused,
}

/// Measured by the caller: tokens of the session, and memory now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Meter {
    pub tokens: u64,
    pub memory_mb: u64,
}
