//! What a settings file was before our first change, kept beside it until we are removed.

use serde::{Deserialize, Serialize};

/// The text before us, and a digest of what we made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Backup {
    version: u32,
    /// Nothing where there was no file.
    pub(crate) before: Option<String>,
    /// Digest of the text we wrote; nothing once somebody else had changed the file in between, because then the
    /// text before us is no longer what they want back.
    written: Option<String>,
}

impl Backup {
    pub(crate) fn new(before: Option<&str>, written: &str) -> Self {
        Self { version: 1, before: before.map(str::to_owned), written: Some(digest(written)) }
    }

    pub(crate) fn wrote(&self, text: &str) -> bool {
        self.written.as_deref() == Some(digest(text).as_str())
    }

    /// After `current` was replaced by `written`.
    pub(crate) fn followed_by(self, current: &str, written: &str) -> Self {
        let restorable = self.wrote(current);
        Self { written: restorable.then(|| digest(written)), ..self }
    }
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
