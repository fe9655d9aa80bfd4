//! The seal: a keyed hash that shows whether a file was written by Plimsoll or edited since.
//!
//! The key lies in the user's data directory, where the agent's tools may not read. A process of the same user can; the
//! seal is not a signature.

use super::error::Error;
use super::store::{create_folder_of, move_aside, read_bounded, remove};
use crate::pure::text::short_digest;
use camino::{Utf8Path, Utf8PathBuf};
use std::io::{ErrorKind, Read, Write};

pub struct SealKey([u8; 32]);

impl SealKey {
    /// Made on first use. Two processes that make it at once agree on one.
    pub fn load_or_create(path: &Utf8Path) -> Result<Self, Error> {
        if let Some(key) = Self::load(path)? {
            return Ok(key);
        }
        let parent = path.parent().unwrap_or(Utf8Path::new("."));
        create_folder_of(path)?;
        let mut file = tempfile::NamedTempFile::new_in(parent).map_err(Error::write(path))?;
        file.write_all(&random_bytes().map_err(Error::write(path))?).map_err(Error::write(path))?;
        match file.persist_noclobber(path) {
            Ok(_) => {}
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::Write { path: path.to_owned(), source: error.error }),
        }
        Self::load(path)?
            .ok_or_else(|| Error::Read { path: path.to_owned(), source: std::io::ErrorKind::NotFound.into() })
    }

    /// `None` if there is none yet; a key of the wrong size is an error, never a weaker key.
    pub fn load(path: &Utf8Path) -> Result<Option<Self>, Error> {
        let damaged = |problem| Error::Key { path: path.to_owned(), problem };
        let bytes = match read_bounded(path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(Error::Read { source, .. })
                if matches!(source.kind(), ErrorKind::IsADirectory | ErrorKind::InvalidInput) =>
            {
                return Err(damaged("is not a regular file".into()));
            }
            Err(Error::Read { source, .. }) if source.kind() == ErrorKind::PermissionDenied => {
                return Err(damaged(format!(
                    "cannot be read ({source}): `chmod 600 '{path}'` may be enough"
                )));
            }
            Err(Error::TooLarge { .. }) => return Err(damaged("is no key, but far larger".into())),
            Err(other) => return Err(other),
        };
        let length = bytes.len();
        let key = <[u8; 32]>::try_from(bytes)
            .map_err(|_| damaged(format!("is damaged: it has {length} bytes instead of 32")))?;
        Ok(Some(Self(key)))
    }

    /// A new key in place of the old one. Nothing that was sealed before holds any longer. What was no key is kept beside it.
    pub fn replace(path: &Utf8Path) -> Result<Option<Utf8PathBuf>, Error> {
        let kept = match Self::load(path) {
            Ok(_) => remove(path).map(|()| None)?,
            Err(_) => Some(move_aside(path, "damaged")?),
        };
        Self::load_or_create(path).map(|_| kept)
    }

    /// `purpose` keeps a seal made for one kind of file from serving another.
    pub fn seal(&self, purpose: &str, bytes: &[u8]) -> String {
        self.hash(purpose, bytes).to_hex().to_string()
    }

    /// Compares in constant time.
    pub fn verify(&self, purpose: &str, bytes: &[u8], seal: &str) -> bool {
        blake3::Hash::from_hex(seal).is_ok_and(|claimed| claimed == self.hash(purpose, bytes))
    }

    fn hash(&self, purpose: &str, bytes: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(purpose.as_bytes());
        hasher.update(&[0]);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// Sixteen random bytes as hex: a token that nobody can guess.
pub(crate) fn random_token() -> std::io::Result<String> {
    Ok(short_digest(random_bytes()?, 32))
}

fn random_bytes() -> std::io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_path() -> (tempfile::TempDir, Utf8PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("home/seal.key")).unwrap();
        (directory, path)
    }

    #[test]
    fn processes_that_make_the_key_at_once_agree_on_one() {
        let (_directory, path) = key_path();
        let seals: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| SealKey::load_or_create(&path).unwrap().seal("p", b"x")))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seals.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn a_seal_holds_for_its_bytes_purpose_and_key_alone() {
        let (_directory, path) = key_path();
        let key = SealKey::load_or_create(&path).unwrap();
        let seal = key.seal("receipt", b"content");
        assert!(key.verify("receipt", b"content", &seal));
        assert!(!key.verify("receipt", b"Content", &seal));
        assert!(!key.verify("grant", b"content", &seal));
        let (_other_directory, other) = key_path();
        assert!(!SealKey::load_or_create(&other).unwrap().verify("receipt", b"content", &seal));
    }

    #[test]
    fn a_truncated_key_is_refused() {
        let (_directory, path) = key_path();
        super::super::store::write_atomic(&path, b"short").unwrap();
        let error = SealKey::load_or_create(&path).err().unwrap().to_string();
        assert!(error.contains("5 bytes") && error.contains("plimsoll gate new-key"), "{error}");
    }

    #[test]
    fn a_new_key_accepts_nothing_that_the_old_one_sealed_and_only_what_was_no_key_is_kept() {
        let (_directory, path) = key_path();
        assert_eq!(SealKey::replace(&path).unwrap(), None);
        let seal = SealKey::load(&path).unwrap().unwrap().seal("receipt", b"content");
        assert_eq!(SealKey::replace(&path).unwrap(), None);
        assert!(!SealKey::load(&path).unwrap().unwrap().verify("receipt", b"content", &seal));
        std::fs::write(&path, "short").unwrap();
        let kept = SealKey::replace(&path).unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "short");
        assert!(SealKey::load(&path).unwrap().is_some());
    }
}
