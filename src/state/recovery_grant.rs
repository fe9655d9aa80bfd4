//! A person's choice, made in a dialog, how a stopped project goes on: good for one option of one lock, once.

use super::error::Error;
use super::layout::{Homes, Layout};
use super::one_time::{self, OneTime};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryGrant {
    pub choice: String,
    /// The incidents that the person was shown.
    pub incidents: Vec<String>,
    /// Milliseconds since 1970 after which it is void.
    pub expires: u64,
}

impl OneTime for RecoveryGrant {
    const PURPOSE: &'static str = "recovery";

    fn expires(&self) -> u64 {
        self.expires
    }
}

impl RecoveryGrant {
    pub fn write(&self, layout: &Layout, homes: &Homes, token: &str) -> Result<(), Error> {
        one_time::give(&place(layout, token), homes, self, &self.bytes(layout, token))
    }

    /// Takes the grant of this token away and returns it if it holds. A second taker gets nothing.
    pub fn take(layout: &Layout, homes: &Homes, token: &str, now: u64) -> Result<Option<Self>, Error> {
        one_time::take(&place(layout, token), homes, now, |grant: &Self| grant.bytes(layout, token))
    }

    fn bytes(&self, layout: &Layout, token: &str) -> Vec<u8> {
        let Self { choice, incidents, expires } = self;
        format!("{token}\n{}\n{choice}\n{}\n{expires}", layout.root(), incidents.join(" ")).into_bytes()
    }
}

fn place(layout: &Layout, token: &str) -> Utf8PathBuf {
    one_time::place(&layout.grants(), "recovery-", token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_serves_once_in_time_and_as_it_was_given() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let (layout, homes) = (Layout::in_repository(&root.join("git")), Homes::new(&root.join("data")));
        let grant = RecoveryGrant { choice: "abort".into(), incidents: vec!["i-1".into()], expires: 100 };
        let take = |layout: &Layout, now| RecoveryGrant::take(layout, &homes, "token", now).unwrap();

        grant.write(&layout, &homes, "token").unwrap();
        assert_eq!(RecoveryGrant::take(&layout, &homes, "other", 50).unwrap(), None);
        assert_eq!(take(&layout, 100), Some(grant.clone()));
        assert_eq!(take(&layout, 100), None, "a second time");

        grant.write(&layout, &homes, "token").unwrap();
        assert_eq!(take(&layout, 101), None, "late");

        grant.write(&layout, &homes, "token").unwrap();
        let file = place(&layout, "token");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("abort", "manual_intervention")).unwrap();
        assert_eq!(take(&layout, 50), None, "edited");

        let elsewhere = Layout::in_repository(&root.join("other"));
        std::fs::create_dir_all(elsewhere.grants()).unwrap();
        std::fs::write(place(&elsewhere, "token"), text).unwrap();
        assert_eq!(take(&elsewhere, 50), None, "carried to another project");
    }
}
