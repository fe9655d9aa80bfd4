//! A person's permission, given in a dialog, to ship exactly these commits once in spite of a shut gate.

use super::error::Error;
use super::layout::{Homes, Layout};
use super::one_time::{self, OneTime};
use crate::review::ObjectId;
use crate::secret::Redacted;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// What may leave: the commits at the tips, sorted.
    pub tips: Vec<ObjectId>,
    pub reason: Redacted,
    /// Milliseconds since 1970 after which it is void.
    pub expires: u64,
}

impl OneTime for Grant {
    const PURPOSE: &'static str = "grant";

    fn expires(&self) -> u64 {
        self.expires
    }
}

/// The token of a permission that was given in a terminal: it belongs to the commit, since no command carries it.
pub fn commit_token(commit: &ObjectId) -> String {
    format!("commit {commit}")
}

impl Grant {
    pub fn write(&self, layout: &Layout, homes: &Homes, token: &str) -> Result<(), Error> {
        one_time::give(&place(layout, token), homes, self, &self.bytes(token))
    }

    /// Takes the grant of this token away and returns it if it holds. A second taker gets nothing.
    pub fn take(layout: &Layout, homes: &Homes, token: &str, now: u64) -> Result<Option<Self>, Error> {
        one_time::take(&place(layout, token), homes, now, |grant: &Self| grant.bytes(token))
    }

    fn bytes(&self, token: &str) -> Vec<u8> {
        let tips: Vec<&str> = self.tips.iter().map(ObjectId::as_str).collect();
        format!("{token}\n{}\n{}\n{}", tips.join(" "), self.expires, self.reason).into_bytes()
    }
}

fn place(layout: &Layout, token: &str) -> Utf8PathBuf {
    one_time::place(&layout.grants(), "", token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Layout, Homes) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        (directory, Layout::in_repository(&root.join("git")), Homes::new(&root.join("data")))
    }

    fn grant() -> Grant {
        Grant {
            tips: vec![ObjectId::parse(&"a".repeat(40)).unwrap()],
            reason: Redacted::new("hotfix"),
            expires: 100,
        }
    }

    #[test]
    fn a_grant_serves_once() {
        let (_directory, layout, homes) = place();
        grant().write(&layout, &homes, "token").unwrap();
        assert_eq!(Grant::take(&layout, &homes, "other", 50).unwrap(), None);
        assert_eq!(Grant::take(&layout, &homes, "token", 50).unwrap(), Some(grant()));
        assert_eq!(Grant::take(&layout, &homes, "token", 50).unwrap(), None);
    }

    #[test]
    fn a_late_or_edited_grant_is_void() {
        let (_directory, layout, homes) = place();
        grant().write(&layout, &homes, "token").unwrap();
        assert_eq!(Grant::take(&layout, &homes, "token", 101).unwrap(), None);

        grant().write(&layout, &homes, "token").unwrap();
        let file = super::place(&layout, "token");
        let text = std::fs::read_to_string(&file).unwrap().replace(&"a".repeat(40), &"b".repeat(40));
        std::fs::write(&file, text).unwrap();
        assert_eq!(Grant::take(&layout, &homes, "token", 50).unwrap(), None);
    }
}
