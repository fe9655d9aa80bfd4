//! Spans of secrets, and their redaction.

use crate::pure::secret::scan::{SHOWN, redacted};
use std::ops::Range;

/// Sorted, on character boundaries, and without overlaps.
pub(super) fn merged(text: &str, spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let whole = |span: Range<usize>| text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
    let secret = |span: &Range<usize>| text.get(span.clone()).is_some_and(|text| !is_cut(text.as_bytes()));
    let mut spans: Vec<_> = spans.into_iter().map(whole).filter(secret).collect();
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            Some(_) | None => merged.push(span),
        }
    }
    merged
}

/// Empty, or already redacted.
pub(super) fn is_cut(text: &[u8]) -> bool {
    text.is_empty() || text.len() <= SHOWN + 3 && text.ends_with("…".as_bytes())
}

/// One part of the text, redacted. A secret that begins before the part is left out.
pub(super) fn cut(text: &str, part: Range<usize>, spans: &[Range<usize>]) -> String {
    let mut shown = String::with_capacity(part.len());
    let mut at = part.start;
    for span in spans.iter().filter(|span| span.end > part.start && span.start < part.end) {
        shown.push_str(text.get(at..span.start).unwrap_or_default());
        match text.get(span.clone()) {
            Some(secret) if span.start >= part.start => shown.push_str(&redacted(secret.as_bytes())),
            Some(_) | None => shown.push('…'),
        }
        at = span.end.min(part.end);
    }
    shown.push_str(text.get(at..part.end).unwrap_or_default());
    shown
}
