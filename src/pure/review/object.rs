//! Git's IDs for content. Receipts belong to content, never to commits or to a time.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The ID of a git object, in lower-case hex (SHA-1 or SHA-256).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(String);

impl ObjectId {
    /// Accepts 40 or 64 hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|b| b.is_ascii_hexdigit());
        (hex && matches!(text.len(), 40 | 64)).then(|| Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Git writes "no object" as all zeros.
    pub fn is_zero(&self) -> bool {
        self.0.bytes().all(|b| b == b'0')
    }

    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The ID of a tree; results of checks belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TreeId(pub ObjectId);

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A path as git stores it: bytes, with `/`. Serialised as text, other bytes as `\xNN`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GitPath(pub Vec<u8>);

impl GitPath {
    pub fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }

    /// Undoes `Display`.
    pub fn unquote(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&first, tail)) = rest.split_first() {
            let escape = match (first, tail) {
                (b'\\', [b'\\', after @ ..]) => Some((b'\\', after)),
                (b'\\', [b'x', high, low, after @ ..]) => hex(*high, *low).map(|byte| (byte, after)),
                _ => None,
            };
            let (byte, after) = escape.unwrap_or((first, tail));
            bytes.push(byte);
            rest = after;
        }
        Self(bytes)
    }
}

pub(super) fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

impl fmt::Display for GitPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\\' => f.write_str("\\\\")?,
                    c if c.is_control() => {
                        for byte in c.to_string().bytes() {
                            write!(f, "\\x{byte:02x}")?;
                        }
                    }
                    c => write!(f, "{c}")?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for GitPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl Serialize for GitPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Named, so that the redaction of secrets can tell a path from text.
        serializer.serialize_newtype_struct("GitPath", &self.to_string())
    }
}

/// Serialises a path of this machine, named for the same reason.
pub(crate) fn as_place<S: Serializer>(place: &impl AsRef<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct("Place", place.as_ref())
}

pub(crate) fn as_places<S: Serializer>(places: &[impl AsRef<str>], serializer: S) -> Result<S::Ok, S::Error> {
    struct Place<'a>(&'a str);
    impl Serialize for Place<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            as_place(&self.0, serializer)
        }
    }
    serializer.collect_seq(places.iter().map(|place| Place(place.as_ref())))
}

impl<'de> Deserialize<'de> for GitPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::unquote(&text))
    }
}

/// One side of a change: file mode and blob (or, for a submodule, commit). `None` where the file does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Side {
    pub mode: u32,
    pub id: ObjectId,
}

impl Side {
    const GITLINK: u32 = 0o160_000;

    pub fn is_submodule(&self) -> bool {
        self.mode == Self::GITLINK
    }
}

/// One changed path with its content before and after; the result of a reviewer belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pair {
    pub path: GitPath,
    pub old: Option<Side>,
    pub new: Option<Side>,
}

impl Pair {
    /// The content after the change, unless there is none or it is another repository's.
    pub fn content(&self) -> Option<&ObjectId> {
        self.new.as_ref().filter(|side| !side.is_submodule()).map(|side| &side.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_path_names_survive_being_written_as_text() {
        for bytes in [
            &b"plain.rs"[..],
            b"new\nline",
            b"back\\slash",
            b"\xff\xfe",
            "ümlaut".as_bytes(),
            b"\\x41",
            b"tail\\",
        ] {
            let path = GitPath(bytes.to_vec());
            assert_eq!(GitPath::unquote(&path.to_string()), path);
        }
    }

    #[test]
    fn only_whole_hex_names_are_object_ids() {
        assert!(ObjectId::parse(&"a".repeat(40)).is_some());
        assert!(ObjectId::parse(&"A".repeat(64)).is_some());
        assert!(ObjectId::parse(&"a".repeat(39)).is_none());
        assert!(ObjectId::parse(&"g".repeat(40)).is_none());
    }
}
