//! The text of a settings file before our first change, stored beside the file until our hooks are removed.

use plimsoll::pure::text::digest;
use serde::{Deserialize, Serialize};

/// The text before our change, and a digest of the text that we wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Backup {
    version: u32,
    /// `None` where there was no file.
    pub(crate) before: Option<String>,
    /// Digest of the text that we wrote. `None` after somebody else changed the file: the old text must not return then.
    written: Option<String>,
}

impl Backup {
    pub(crate) fn new(before: Option<&str>, written: &str) -> Self {
        Self { version: 1, before: before.map(str::to_owned), written: Some(digest(written)) }
    }

    pub(crate) fn has_written(&self, text: &str) -> bool {
        self.written.as_deref() == Some(digest(text).as_str())
    }

    /// After `current` was replaced by `written`.
    pub(crate) fn followed_by(self, current: &str, written: &str) -> Self {
        let restorable = self.has_written(current);
        Self { written: restorable.then(|| digest(written)), ..self }
    }
}
