//! Fingerprints of texts that are compared but not stored.

/// Identifies a text. Stable across builds, unlike the standard hasher; not for secrets.
pub fn fingerprint(text: &[u8]) -> u64 {
    let (chunks, rest) = text.as_chunks::<8>();
    let mix = |sum: u64, word: u64| (sum.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let sum = chunks.iter().fold(text.len() as u64, |sum, chunk| mix(sum, u64::from_le_bytes(*chunk)));
    let sum = rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)));
    sum ^ sum >> 29
}
