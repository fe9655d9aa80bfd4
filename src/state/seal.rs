//! The seal: a keyed hash that shows whether a file was written by Plimsoll or edited since.
//!
//! The key lies in the user's data directory, where the agent's tools may not read. A process of the same user can; the
//! seal is not a signature.

use super::error::Error;
use super::redacting::{Names, Redacting};
use super::store::{create_private_directory, read_bounded};
use camino::Utf8Path;
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{Read, Write};

pub struct Key([u8; 32]);

impl Key {
    /// Made on first use. Two processes that make it at once agree on one.
    pub fn load_or_create(path: &Utf8Path) -> Result<Self, Error> {
        if let Some(key) = Self::load(path)? {
            return Ok(key);
        }
        let parent = path.parent().unwrap_or(Utf8Path::new("."));
        create_private_directory(parent)?;
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
        let Some(bytes) = read_bounded(path)? else { return Ok(None) };
        let key = <[u8; 32]>::try_from(bytes).map_err(|_| Error::Read {
            path: path.to_owned(),
            source: std::io::ErrorKind::InvalidData.into(),
        })?;
        Ok(Some(Self(key)))
    }

    /// `purpose` keeps a seal made for one kind of file from serving another.
    pub fn seal(&self, purpose: &str, bytes: &[u8]) -> String {
        self.hash(purpose, bytes).to_hex().to_string()
    }

    /// A value as it is written, read by the scanner, and the seal of exactly that.
    pub(super) fn sealed<T: Serialize>(
        &self,
        purpose: &str,
        value: &T,
    ) -> serde_json::Result<(Box<RawValue>, String)> {
        let raw = serde_json::value::to_raw_value(&Redacting { value, names: Names::Kept })?;
        let seal = self.seal(purpose, raw.get().as_bytes());
        Ok((raw, seal))
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
pub fn random_token() -> std::io::Result<String> {
    Ok(blake3::hash(&random_bytes()?).to_hex().chars().take(32).collect())
}

fn random_bytes() -> std::io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn key_path() -> (tempfile::TempDir, Utf8PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("home/seal.key")).unwrap();
        (directory, path)
    }

    #[test]
    fn processes_that_make_the_key_at_once_agree_on_one() {
        let (_directory, path) = key_path();
        let seals: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| Key::load_or_create(&path).unwrap().seal("p", b"x"))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seals.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn a_seal_holds_for_its_bytes_purpose_and_key_alone() {
        let (_directory, path) = key_path();
        let key = Key::load_or_create(&path).unwrap();
        let seal = key.seal("receipt", b"content");
        assert!(key.verify("receipt", b"content", &seal));
        assert!(!key.verify("receipt", b"Content", &seal));
        assert!(!key.verify("grant", b"content", &seal));
        let (_other_directory, other) = key_path();
        assert!(!Key::load_or_create(&other).unwrap().verify("receipt", b"content", &seal));
    }

    #[test]
    fn a_truncated_key_is_refused() {
        let (_directory, path) = key_path();
        super::super::store::write_atomic(&path, b"short").unwrap();
        assert!(Key::load_or_create(&path).is_err());
    }
}
