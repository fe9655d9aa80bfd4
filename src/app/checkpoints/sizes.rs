//! How much is kept, in bytes.

use super::place::CheckpointPlace;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::bytes;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The store of this project.
    pub store: u64,
    /// Copies of single files of this project.
    pub copies: u64,
    /// All that is kept of this project's sessions and reviews.
    pub state: u64,
    /// Everything that is kept for checkpoints, of all projects.
    pub all: u64,
}

pub fn sizes(workspace: &Workspace) -> Result<Sizes, Failure> {
    let place = CheckpointPlace::existing(workspace)?;
    Ok(Sizes {
        store: place.as_ref().map_or(0, |place| bytes(place.store_path())),
        copies: place.as_ref().map_or(0, |place| place.singles().bytes()),
        state: bytes(workspace.layout.root()),
        all: bytes(workspace.homes.checkpoints().root()),
    })
}
