//! Errors of the policy room.

/// The schema let something through that the settings cannot hold: a bug, so nothing may rely on the result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the merged configuration does not fit the settings")]
    Unfit(#[source] serde_json::Error),
}
