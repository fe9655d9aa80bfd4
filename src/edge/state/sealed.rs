//! The one form of a sealed file: a version, a value as JSON, and the seal of exactly these bytes.

use super::error::Error;
use super::layout::Homes;
use super::redacting::{Names, Redacting};
use super::seal::SealKey;
use super::store::{read_bounded, to_lines, write_atomic};
use camino::Utf8Path;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;

/// One kind of sealed file.
pub(super) struct SealedKind {
    /// Keeps a seal made for one kind from serving another.
    pub purpose: &'static str,
    /// The value's name in the file.
    pub field: &'static str,
    /// A file of a newer version is refused.
    pub version: u64,
}

/// Why a sealed file does not count. Follows the name of the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum SealProblem {
    #[error("is damaged ({0})")]
    Damaged(serde_json::Error),
    #[error("was written by a newer Plimsoll; update Plimsoll")]
    Newer(u64),
    #[error("was edited after it was written, or sealed with another key")]
    Edited,
}

struct Written<'a> {
    kind: &'a SealedKind,
    value: Box<RawValue>,
    seal: String,
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("version", &self.kind.version)?;
        map.serialize_entry(self.kind.field, &self.value)?;
        map.serialize_entry("seal", &self.seal)?;
        map.end()
    }
}

#[derive(Deserialize)]
struct Sealed<'a> {
    version: u64,
    // The purpose in the seal tells the kinds apart.
    #[serde(borrow, alias = "receipt", alias = "entry", alias = "pending", alias = "task", alias = "grant")]
    value: &'a RawValue,
    seal: String,
}

impl SealedKind {
    /// Every string in the value is read by the scanner first.
    pub fn encode<T: Serialize>(&self, key: &SealKey, value: &T) -> serde_json::Result<Vec<u8>> {
        let value = serde_json::value::to_raw_value(&Redacting { value, names: Names::Kept })?;
        let seal = key.seal(self.purpose, value.get().as_bytes());
        to_lines(&Written { kind: self, value, seal })
    }

    pub fn write<T: Serialize>(&self, path: &Utf8Path, key: &SealKey, value: &T) -> Result<(), Error> {
        write_atomic(path, &self.encode(key, value).map_err(Error::encode(path))?)
    }

    pub fn open<T: DeserializeOwned>(&self, bytes: &[u8], key: &SealKey) -> Result<T, SealProblem> {
        let sealed: Sealed = serde_json::from_slice(bytes).map_err(SealProblem::Damaged)?;
        if !(1..=self.version).contains(&sealed.version) {
            return Err(SealProblem::Newer(sealed.version));
        }
        if !key.verify(self.purpose, sealed.value.get().as_bytes(), &sealed.seal) {
            return Err(SealProblem::Edited);
        }
        serde_json::from_str(sealed.value.get()).map_err(SealProblem::Damaged)
    }

    /// `None` if there is no such file; one that does not count is an error.
    pub fn read<T: DeserializeOwned>(&self, path: &Utf8Path, homes: &Homes) -> Result<Option<T>, Error> {
        let Some(bytes) = read_bounded(path)? else { return Ok(None) };
        let opened = match SealKey::load(&homes.seal_key())? {
            Some(key) => self.open(&bytes, &key),
            None => Err(SealProblem::Edited),
        };
        let path = path.to_owned();
        opened.map(Some).map_err(|problem| match problem {
            SealProblem::Damaged(source) => Error::Damaged { path, source },
            SealProblem::Newer(found) => Error::Newer { path, found, known: self.version },
            SealProblem::Edited => Error::Edited { path },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: SealedKind = SealedKind { purpose: "check", field: "entry", version: 1 };

    fn key() -> (tempfile::TempDir, SealKey) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap().join("key");
        (directory, SealKey::load_or_create(&path).unwrap())
    }

    #[test]
    fn a_value_comes_back_for_its_own_kind_and_key_alone() {
        let ((_directory, key), (_other_directory, other)) = (key(), key());
        let bytes = KIND.encode(&key, &vec![1, 2]).unwrap();
        assert_eq!(KIND.open::<Vec<u8>>(&bytes, &key).unwrap(), [1, 2]);
        assert!(matches!(KIND.open::<Vec<u8>>(&bytes, &other), Err(SealProblem::Edited)));
        let task = SealedKind { purpose: "task", ..KIND };
        assert!(matches!(task.open::<Vec<u8>>(&bytes, &key), Err(SealProblem::Edited)));
    }

    #[test]
    fn a_file_on_one_line_is_read_and_an_unknown_version_is_refused() {
        let (_directory, key) = key();
        let file = |version| {
            format!(r#"{{"version":{version},"entry":[1],"seal":"{}"}}"#, key.seal("check", b"[1]"))
        };
        assert_eq!(KIND.open::<Vec<u8>>(file(1).as_bytes(), &key).unwrap(), [1]);
        for version in [0, 2] {
            assert!(matches!(
                KIND.open::<Vec<u8>>(file(version).as_bytes(), &key),
                Err(SealProblem::Newer(_))
            ));
        }
    }
}
