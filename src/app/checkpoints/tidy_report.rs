//! The report of a tidy-up: everything that it removed, or would remove.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TidyMode {
    Do,
    /// Only reports what would go.
    Tell,
}

/// One thing that went, or would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Freed {
    pub what: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TidyReport {
    pub freed: Vec<Freed>,
}

impl TidyReport {
    pub fn bytes(&self) -> u64 {
        self.freed.iter().map(|one| one.bytes).sum()
    }

    pub(crate) fn note(&mut self, what: impl Into<String>, bytes: u64) {
        self.freed.push(Freed { what: what.into(), bytes });
    }
}
