//! Paths: their zones, protected, sensitive and secret files, and generated files.

pub(crate) mod generated;
pub(crate) mod git_folder;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod place;
pub(crate) mod protected;
pub(crate) mod scope;
pub(crate) mod secret_file;
pub(crate) mod sensitive;
pub(crate) mod zone;
