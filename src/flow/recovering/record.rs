//! What people decided after emergency stops, one line each, which nothing removes.

use super::choice::Choice;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::flow::{clock, incidents};
use crate::state::{read_bounded, without_waiting};
use serde::{Deserialize, Serialize};
use std::fs::DirBuilder;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub time: String,
    pub choice: String,
    /// `terminal` or `dialog`.
    pub by: String,
    pub incidents: Vec<String>,
}

/// What is decided is decided about every incident so far, whether the lock still names it or not.
pub(super) fn note(scene: &Scene, choice: Choice, by: &str, named: &[String]) -> Result<(), Failure> {
    let before = decided(scene);
    let open = incidents::list(scene).into_iter().map(|one| one.id);
    let open = open.filter(|id| !before.contains(id) && !named.contains(id));
    let line = Decided {
        time: clock::timestamp(),
        choice: choice.name().into(),
        by: by.into(),
        incidents: named.iter().cloned().chain(open).collect(),
    };
    let text = format!("{}\n", serde_json::to_string(&line)?);
    DirBuilder::new().recursive(true).mode(0o700).create(scene.layout.root())?;
    let path = scene.layout.recoveries();
    let mut file = without_waiting().create(true).append(true).mode(0o600).open(path)?;
    Ok(file.write_all(text.as_bytes())?)
}

/// The oldest first; a line that cannot be read decides nothing.
pub fn decisions(scene: &Scene) -> Vec<Decided> {
    let bytes = read_bounded(&scene.layout.recoveries()).ok().flatten().unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The incidents that a person has decided about.
pub fn decided(scene: &Scene) -> Vec<String> {
    decisions(scene).into_iter().flat_map(|decided| decided.incidents).collect()
}
