//! What the top of a project looks like, as values.

use std::collections::BTreeSet;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifests {
    /// The names in the project's top directory.
    pub names: BTreeSet<String>,
    pub package_json: Manifest,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Manifest {
    #[default]
    Absent,
    Text(String),
    Unreadable(String),
}

impl Manifests {
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}
