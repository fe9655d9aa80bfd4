//! Where paths lie, whose files they are, and whether anybody could make them again.

pub mod git_folder;
pub mod path;
pub mod pattern;
pub mod place;
pub mod protected;
pub mod remake;
pub mod scope;
pub mod secret_file;
pub mod sensitive;
pub mod zone;
