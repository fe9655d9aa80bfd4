//! Comments that mark a false positive, in the syntax of every common scanner.

use memchr::{memchr, memmem, memrchr};
use std::ops::Range;

/// On the line of the secret.
const SAME_LINE: [&str; 11] = [
    "gitleaks:allow",
    "betterleaks:allow",
    "trufflehog:ignore",
    "pragma: allowlist secret",
    "pragma: whitelist secret",
    "kingfisher:ignore",
    "secretlint-disable-line",
    "ggignore",
    "noqa: s105",
    "noqa: s106",
    "nosec b10",
];
/// On the line before it.
const LINE_BEFORE: [&str; 3] = [
    "pragma: allowlist nextline secret",
    "pragma: whitelist nextline secret",
    "secretlint-disable-next-line",
];
const FROM_HERE: &str = "secretlint-disable";
const TO_HERE: &str = "secretlint-enable";

/// How far back a comment for a block may be.
const FURTHEST: usize = 256 * 1024;

/// The line of the comment that allows the secret at `place`.
pub(super) fn comment(content: &[u8], place: usize) -> Option<Range<usize>> {
    let line = line_around(content, place);
    if has_any(content, &line, &SAME_LINE) {
        return Some(line);
    }
    let before = line.start.checked_sub(1).map(|end| line_around(content, end));
    if let Some(before) = before.filter(|before| has_any(content, before, &LINE_BEFORE)) {
        return Some(before);
    }
    block(content, line.start)
}

/// `secretlint-disable` without a line counts until `secretlint-enable`.
fn block(content: &[u8], place: usize) -> Option<Range<usize>> {
    let before = content.get(place.saturating_sub(FURTHEST)..place)?;
    let found = memmem::rfind(before, FROM_HERE.as_bytes())?;
    let start = place - before.len() + found;
    let rest = before.get(found + FROM_HERE.len()..)?;
    let lined = rest.starts_with(b"-line") || rest.starts_with(b"-next");
    let ended = memmem::find(rest, TO_HERE.as_bytes()).is_some();
    (!lined && !ended).then(|| line_around(content, start))
}

fn has_any(content: &[u8], line: &Range<usize>, comments: &[&str]) -> bool {
    let lower = content.get(line.clone()).unwrap_or_default().to_ascii_lowercase();
    comments.iter().any(|comment| memmem::find(&lower, comment.as_bytes()).is_some())
}

fn line_around(content: &[u8], place: usize) -> Range<usize> {
    let place = place.min(content.len());
    let (before, after) = content.split_at(place);
    let start = memrchr(b'\n', before).map_or(0, |at| at + 1);
    start..place + memchr(b'\n', after).unwrap_or(after.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str) -> bool {
        comment(text.as_bytes(), memmem::find(text.as_bytes(), b"HERE").unwrap()).is_some()
    }

    #[test]
    fn a_comment_counts_for_its_line_the_next_or_from_there_on() {
        assert!(allowed("a\nHERE # gitleaks:allow\n"));
        assert!(allowed("HERE // PRAGMA: allowlist secret"));
        assert!(allowed("# pragma: allowlist nextline secret\nHERE"));
        assert!(allowed("// secretlint-disable\na\nHERE"));
        assert!(!allowed("# gitleaks:allow\nHERE"));
        assert!(!allowed("HERE\n# gitleaks:allow"));
        assert!(!allowed("// secretlint-disable\n// secretlint-enable\nHERE"));
        assert!(!allowed("HERE"));
    }
}
