//! How much is kept, in bytes.

use super::place::Place;
use crate::checkpoint::bytes;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;

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

pub fn sizes(scene: &Scene) -> Result<Sizes, Failure> {
    let place = Place::existing(scene)?;
    Ok(Sizes {
        store: place.as_ref().map_or(0, |place| bytes(place.store_path())),
        copies: place.as_ref().map_or(0, |place| place.singles().bytes()),
        state: bytes(scene.layout.root()),
        all: bytes(scene.homes.checkpoints().root()),
    })
}
