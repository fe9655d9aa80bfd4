//! Texts that are spelled in another alphabet: base64, hexadecimal, rot13.

/// The text that `text` encodes in base64, with or without padding, in either alphabet.
pub(crate) fn base64(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.extend(u8::try_from(held >> bits & 0xff));
        }
        held &= (1 << bits) - 1;
    }
    String::from_utf8(bytes).ok()
}

/// The text that `text` encodes in pairs of hexadecimal digits; blanks, `\x` and `0x` between them are skipped.
pub(crate) fn hexadecimal(text: &str) -> Option<String> {
    let dense = text.replace("\\x", "").replace("0x", "");
    let digits: Option<Vec<u8>> = dense
        .chars()
        .filter(|each| !each.is_whitespace() && *each != ':')
        .map(|each| each.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let bytes = digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
    String::from_utf8(bytes).ok()
}

pub(crate) fn rot13(text: &str) -> String {
    let turned = |each: char| match each {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(each) + 13),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(each) - 13),
        _ => None,
    };
    text.chars().map(|each| turned(each).unwrap_or(each)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_texts_are_read_and_others_are_not() {
        assert_eq!(base64("bHMgLWw=\n").as_deref(), Some("ls -l"));
        assert_eq!(base64("bHMgLWw").as_deref(), Some("ls -l"));
        assert_eq!(base64("not base64!"), None);
        assert_eq!(hexadecimal("6c 73\n").as_deref(), Some("ls"));
        assert_eq!(hexadecimal("\\x6c\\x73").as_deref(), Some("ls"));
        assert_eq!(hexadecimal("xyz"), None);
        assert_eq!(rot13("yf -y"), "ls -l");
    }
}
