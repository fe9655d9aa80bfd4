//! Whether the sandbox keeps authority out of the agent's reach.

use std::fmt;

/// Probed, not declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxState {
    /// The settings do not switch the sandbox on.
    Off,
    On,
    /// On, with what a command could do all the same.
    Limited(Vec<String>),
}

impl SandboxState {
    /// On, unless there are doubts.
    pub fn with(doubts: Vec<String>) -> Self {
        if doubts.is_empty() { Self::On } else { Self::Limited(doubts) }
    }

    pub fn is_on(&self) -> bool {
        match self {
            Self::Off => false,
            Self::On | Self::Limited(_) => true,
        }
    }
}

impl fmt::Display for SandboxState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => formatter.write_str("not sandboxed"),
            Self::On => formatter.write_str("sandboxed"),
            Self::Limited(doubts) => write!(formatter, "sandboxed, but {}", doubts.join("; ")),
        }
    }
}
