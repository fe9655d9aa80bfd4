//! Sessions side by side in one folder: what each has written, and whether a call would take that away.

mod claim;
mod lines;
mod taking;
#[cfg(test)]
mod tests;

pub(crate) use claim::{Claim, Claims};
pub(crate) use lines::{added, after};
pub(crate) use taking::{FileState, Files, Sweep, Taking, Takings, Tracking, at_risk, takings};

/// A session without activity for this many milliseconds no longer counts.
const IDLE: u64 = 60 * 60 * 1000;

/// Whether another session still works here. `ended`: its client is known and no longer runs.
pub(crate) fn is_live(last_active: u64, now: u64, ended: bool) -> bool {
    !ended && now.saturating_sub(last_active) < IDLE
}

/// The findings about other sessions' work, by the place of the effect or the sweep in the survey.
#[derive(Debug, Default)]
pub struct OthersWork {
    pub effects: Vec<(usize, String)>,
    pub sweeps: Vec<(usize, String)>,
}
