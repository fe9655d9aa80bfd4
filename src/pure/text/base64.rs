//! base64 with padding, as envelopes and signatures spell bytes.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let number = (0..3).fold(0_u32, |sum, at| sum << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for place in 0..4 {
            let digit = ALPHABET.get((number >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'A');
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// The bytes that the text spells; nothing if it is not base64 with padding.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let body = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut number, mut bits) = (0_u32, 0);
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        number = number << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(number >> bits & 255).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_spellings() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        for wrong in ["Zg", "Zg=", "Z===", "Z g=", "Zm9v\n"] {
            assert_ne!(from_base64(wrong).as_deref(), Some(&b"f"[..]), "{wrong}");
        }
        assert_eq!(from_base64("Zm9v*mFy"), None);
    }

    proptest! {
        #[test]
        fn every_byte_comes_back(bytes: Vec<u8>) {
            prop_assert_eq!(from_base64(&base64(&bytes)), Some(bytes));
        }
    }
}
