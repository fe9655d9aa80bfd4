//! One-time permissions: what a person permits in a dialog or a terminal. Sealed, named by a token, good for one use.
//!
//! The token travels only in the command that the dialog shows, so a command that nobody approved does not have it.

use super::error::Error;
use super::layout::{Homes, StateLayout, short_hash};
use super::seal::SealKey;
use super::sealed::SealedKind;
use super::store::remove;
use crate::pure::review::ObjectId;
use crate::pure::secret::Redacted;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// One kind of one-time permission.
pub trait Permission: Serialize + DeserializeOwned {
    /// Keeps the seal and the file of one kind from serving another.
    const KIND: &'static str;
}

/// Exactly these commits may ship once although the gate is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverridePermission {
    /// The commits at the tips, sorted.
    pub tips: Vec<ObjectId>,
    pub reason: Redacted,
}

/// How a stopped project continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryPermission {
    pub choice: String,
    /// The incidents that the person was shown.
    pub incidents: Vec<String>,
}

/// A refused tool call becomes a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowOnce {}

impl Permission for OverridePermission {
    const KIND: &'static str = "override";
}

impl Permission for RecoveryPermission {
    const KIND: &'static str = "recovery";
}

impl Permission for AllowOnce {
    const KIND: &'static str = "allow";
}

impl OverridePermission {
    /// The token of a permission that was given in a terminal: it belongs to the commit, since no command carries it.
    pub(crate) fn token_of(commit: &ObjectId) -> String {
        format!("commit {commit}")
    }
}

/// The permissions of one project.
pub struct Permissions {
    folder: Utf8PathBuf,
    key: Utf8PathBuf,
}

/// The result of using a permission up.
#[derive(Debug, PartialEq, Eq)]
pub enum PermissionUse<P> {
    /// There was no permission, or it had expired.
    Nothing,
    Granted(P),
    /// This file was edited or damaged. It was removed and does not count.
    Damaged(Utf8PathBuf),
}

impl<P> PermissionUse<P> {
    pub fn granted(self) -> Option<P> {
        match self {
            Self::Granted(permission) => Some(permission),
            Self::Nothing | Self::Damaged(_) => None,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Grant<P> {
    /// Hash of the file's path, and so of project, kind and token.
    place: String,
    /// Milliseconds since 1970.
    expires: u64,
    permission: P,
}

impl Permissions {
    pub fn of(layout: &StateLayout, homes: &Homes) -> Self {
        Self::inside(layout.grants(), homes)
    }

    pub(super) fn inside(folder: Utf8PathBuf, homes: &Homes) -> Self {
        Self { folder, key: homes.seal_key() }
    }

    /// Replaces an earlier permission of the same token. `expires`: milliseconds since 1970.
    pub fn grant<P: Permission>(&self, token: &str, permission: &P, expires: u64) -> Result<(), Error> {
        let path = self.path::<P>(token);
        let key = SealKey::load_or_create(&self.key)?;
        sealed::<P>().write(&path, &key, &Grant { place: short_hash(path.as_str()), expires, permission })
    }

    /// Removes the permission and returns it if it holds: unedited, of this project and kind, in time. Of two callers at once
    /// one gets it.
    pub fn take<P: Permission>(&self, token: &str, now: u64) -> Result<PermissionUse<P>, Error> {
        let path = self.path::<P>(token);
        let read = super::store::read_bounded(&path);
        if matches!(read, Ok(None)) {
            return Ok(PermissionUse::Nothing);
        }
        let taken = Utf8PathBuf::from(format!("{path}.{}", std::process::id()));
        if std::fs::rename(&path, &taken).is_err() {
            return Ok(PermissionUse::Nothing);
        }
        remove(&taken)?;
        let key = SealKey::load(&self.key)?;
        let opened =
            key.zip(read.ok().flatten()).map(|(key, bytes)| sealed::<P>().open::<Grant<P>>(&bytes, &key));
        Ok(match opened {
            Some(Ok(grant)) if grant.place != short_hash(path.as_str()) => PermissionUse::Damaged(path),
            Some(Ok(grant)) if now <= grant.expires => PermissionUse::Granted(grant.permission),
            Some(Ok(_)) => PermissionUse::Nothing,
            Some(Err(_)) | None => PermissionUse::Damaged(path),
        })
    }

    /// A file named by the token's hash: whoever can list it does not learn the token.
    fn path<P: Permission>(&self, token: &str) -> Utf8PathBuf {
        self.folder.join(format!("{}-{}.grant", P::KIND, short_hash(token)))
    }
}

fn sealed<P: Permission>() -> SealedKind {
    SealedKind { purpose: P::KIND, field: "grant", version: 1 }
}

/// A typed request that no dialog has shown yet: `/ship --override "reason"` or `/recover CHOICE`. It turns one refusal into a
/// question, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionRequest {
    /// The reason of an override, the choice of a recovery.
    #[serde(rename = "reason", alias = "choice")]
    pub text: Redacted,
    /// Milliseconds since 1970.
    pub time: u64,
}

impl PermissionRequest {
    const LASTS: u64 = 10 * 60 * 1000;

    pub fn new(text: &str, now: u64) -> Self {
        Self { text: Redacted::new(text), time: now }
    }

    pub fn is_recent(&self, now: u64) -> bool {
        now.saturating_sub(self.time) <= Self::LASTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permission() -> RecoveryPermission {
        RecoveryPermission { choice: "abort".into(), incidents: vec!["i-1".into()] }
    }

    struct Place {
        _directory: tempfile::TempDir,
        root: Utf8PathBuf,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
            Self { _directory: directory, root }
        }

        fn of(&self, project: &str) -> Permissions {
            Permissions::of(
                &StateLayout::in_repository(&self.root.join(project)),
                &Homes::new(&self.root.join("data")),
            )
        }
    }

    #[test]
    fn a_permission_serves_once_for_its_own_token_and_kind() {
        let place = Place::new();
        let permissions = place.of("git");
        permissions.grant("token", &permission(), 100).unwrap();
        assert_eq!(permissions.take::<RecoveryPermission>("other", 50).unwrap(), PermissionUse::Nothing);
        assert_eq!(permissions.take::<AllowOnce>("token", 50).unwrap(), PermissionUse::Nothing);
        assert_eq!(permissions.take("token", 100).unwrap(), PermissionUse::Granted(permission()));
        assert_eq!(permissions.take::<RecoveryPermission>("token", 100).unwrap(), PermissionUse::Nothing);
    }

    #[test]
    fn a_late_edited_or_carried_permission_does_not_hold_and_is_gone() {
        let place = Place::new();
        let (permissions, other) = (place.of("git"), place.of("other"));
        let take =
            |permissions: &Permissions, now| permissions.take::<RecoveryPermission>("token", now).unwrap();
        permissions.grant("token", &permission(), 100).unwrap();
        assert_eq!(take(&permissions, 101), PermissionUse::Nothing, "late");

        permissions.grant("token", &permission(), 100).unwrap();
        let path = permissions.path::<RecoveryPermission>("token");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("abort", "manual")).unwrap();
        assert_eq!(take(&permissions, 50), PermissionUse::Damaged(path.clone()), "edited");
        assert!(!path.exists());

        let elsewhere = other.path::<RecoveryPermission>("token");
        std::fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
        std::fs::write(&elsewhere, text).unwrap();
        assert_eq!(take(&other, 50), PermissionUse::Damaged(elsewhere), "carried to another project");
    }

    #[test]
    fn a_request_of_an_earlier_build_is_read() {
        for text in [r#"{"choice":"abort","time":7}"#, r#"{"reason":"abort","time":7}"#] {
            assert_eq!(
                serde_json::from_str::<PermissionRequest>(text).unwrap(),
                PermissionRequest::new("abort", 7)
            );
        }
    }
}
