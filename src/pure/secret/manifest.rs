//! Kubernetes manifests of kind `Secret`, whose `data` is only encoded.

use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};
use memchr::memmem;

const LEAST: usize = 16;
/// How far the data may be from the kind.
const LONGEST: usize = 32 * 1024;
const REASON: &str = "the data of a Secret is encoded, not encrypted";

pub(super) fn manifest(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let kind = content.get(place + 5..)?.iter().copied();
    let word: Vec<u8> =
        kind.take(12).filter(|byte| !b" \t\"'".contains(byte)).take_while(|byte| *byte > b' ').collect();
    if !word.eq_ignore_ascii_case(b"secret") {
        return None;
    }
    let earliest = place.saturating_sub(LONGEST);
    let start =
        memmem::rfind(content.get(earliest..place)?, b"\n---").map_or(earliest, |at| earliest + at + 4);
    let latest = content.len().min(place + LONGEST);
    let end = memmem::find(content.get(place..latest)?, b"\n---").map_or(latest, |at| place + at);
    let mut under_data = None;
    let mut offset = start;
    for line in content.get(start..end)?.split_inclusive(|byte| *byte == b'\n') {
        let indent = line.iter().take_while(|byte| b" \t".contains(byte)).count();
        let text = line.trim_ascii();
        if text == b"data:" || text == b"stringData:" {
            under_data = Some(indent);
        } else if let Some(outer) = under_data.filter(|_| !text.is_empty()) {
            if indent <= outer {
                under_data = None;
            } else if let Some(found) = value(line, offset) {
                return Some(found);
            }
        }
        offset += line.len();
    }
    None
}

fn value(line: &[u8], offset: usize) -> Option<FoundSecretSpan> {
    let after = line.iter().rposition(|byte| b": ".contains(byte)).map_or(0, |at| at + 1);
    let text = line.get(after..)?;
    let lead = text.iter().take_while(|byte| b" \t\"'".contains(byte)).count();
    let text = text.get(lead..)?;
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte)).count();
    let whole = text.get(length..)?.iter().all(|byte| b" \t\r\n\"'".contains(byte));
    let start = offset + after + lead;
    (whole && length >= LEAST).then(|| {
        let span = start..start + length;
        FoundSecretSpan::new("kubernetes-secret", SecretVerdict::Ask, MatchStrength::Name, REASON, span)
    })
}
