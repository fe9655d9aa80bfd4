//! Whether a generator made a text: entropy, and similarity to words.

/// For each letter a bit set of the letters that often follow it in prose and code.
const FOLLOWERS: [u32; 26] = [
    0x19e_b96e, 0x110_4911, 0x01e_4db1, 0x006_4159, 0x0ef_b87f, 0x006_4971, 0x006_0110, 0x008_4111,
    0x22e_f87d, 0x000_0000, 0x000_0110, 0x11c_4939, 0x014_c111, 0x01c_4d7d, 0x05e_fc2c, 0x11e_c911,
    0x010_0000, 0x11e_717d, 0x11c_c195, 0x11e_c9b5, 0x00e_b976, 0x000_0111, 0x002_0181, 0x008_8000,
    0x00c_8000, 0x000_0010,
];

/// Shannon entropy in bits per byte.
pub(super) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let length = value.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / length);
    shares.map(|share| -share * share.log2()).sum()
}

/// Whether its pairs of letters are mostly those of words: nine tenths in words, a third in random text.
pub(super) fn reads_like_words(value: &[u8]) -> bool {
    let (mut pairs, mut common) = (0_u32, 0_u32);
    for (one, other) in value.iter().zip(value.iter().skip(1)) {
        if let (Some(one), Some(other)) = (letter(*one), letter(*other)) {
            pairs += 1;
            common += FOLLOWERS.get(one).map_or(0, |row| row >> other & 1);
        }
    }
    pairs >= 3 && f64::from(common) >= f64::from(pairs) * 0.68
}

fn letter(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

/// Made of words, numbers and dates with separators between them, such as `NEXUS-GPT4-API-KEY` or `rc0.13.0_20230412`.
pub(super) fn is_composed(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| b"_-./:@ ,".contains(byte)).filter(|part| !part.is_empty());
    parts.all(|part| {
        let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        let plain = letters + digits == part.len();
        let number = letters == 0 && digits <= 10;
        let numbered = part.iter().skip_while(|byte| byte.is_ascii_alphabetic()).all(u8::is_ascii_digit);
        let word = digits <= 3 && numbered && letters <= 28 && (letters <= 4 || reads_like_words(part));
        plain && (number || word)
    })
}

/// Eight different punctuation characters: only a secret looks so.
pub(super) fn is_full_of_signs(text: &[u8]) -> bool {
    let signs: Vec<u8> = text.iter().copied().filter(u8::is_ascii_punctuation).collect();
    distinct(&signs) >= 8 && !signs.contains(&b'\\') && !is_search_pattern(text)
}

pub(super) fn is_search_pattern(text: &[u8]) -> bool {
    const PARTS: [&str; 6] = ["a-z", "A-Z", "a-f", "0-9", "[^", "(?"];
    PARTS.iter().any(|part| memchr::memmem::find(text, part.as_bytes()).is_some())
}

/// How many different bytes there are.
pub(super) fn distinct(value: &[u8]) -> u32 {
    let mut seen = [0_u64; 4];
    for byte in value {
        if let Some(word) = seen.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }
    seen.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_tells_repetition_from_chance() {
        assert_eq!(entropy(b"aaaaaaaa"), 0.0);
        assert_eq!(entropy(b"abcdabcd"), 2.0);
        assert_eq!(entropy(b""), 0.0);
    }

    #[test]
    fn words_are_told_from_chance() {
        for text in ["settingsProviderGetApiKey", "AgencyIdentificationCode", "makeKubeConfigController"] {
            assert!(reads_like_words(text.as_bytes()), "{text}");
        }
        for text in ["lvafxt6vtd2t7jbzjk5uynuroodgzymg", "kJ3x9QmZr7TtVw2LpB8sNd5F", "e7285d82dc7c9b6fa5"] {
            assert!(!reads_like_words(text.as_bytes()), "{text}");
        }
        for text in ["NEXUS-GPT4-API-KEY", "rc0.13.0_20230412_0712-SNAPSHOT", "dev-lb1.api.corp.com:5215"] {
            assert!(is_composed(text.as_bytes()), "{text}");
        }
        assert!(!is_composed(b"kJ3x9QmZr7TtVw2LpB8sNd5F"));
    }
}
