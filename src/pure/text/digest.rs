//! Names for content: the beginning of its hash.

/// The hash of the bytes, in 64 hexadecimal digits.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    blake3::hash(bytes.as_ref()).to_hex().to_string()
}

/// The first `length` digits of it.
pub fn short_digest(bytes: impl AsRef<[u8]>, length: usize) -> String {
    blake3::hash(bytes.as_ref()).to_hex().chars().take(length).collect()
}
