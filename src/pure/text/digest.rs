//! Names for content: the beginning of its hash.

/// The hash of the bytes, in 64 hexadecimal digits.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    blake3::hash(bytes.as_ref()).to_hex().to_string()
}

/// The first `length` digits of it.
pub fn short_digest(bytes: impl AsRef<[u8]>, length: usize) -> String {
    let hash = blake3::hash(bytes.as_ref());
    let digits = hash.as_bytes().iter().flat_map(|byte| [byte >> 4, byte & 15]).take(length);
    let mut text = String::with_capacity(length);
    text.extend(digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_digest_is_the_beginning_of_the_long_one() {
        for length in [0, 1, 16, 63, 64] {
            assert_eq!(short_digest("a", length), digest("a").get(..length).unwrap());
        }
    }
}
