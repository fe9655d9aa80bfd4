//! Redaction: text without its secrets, to be shown and stored.

pub(super) mod command;
mod credential;
mod decoded_text;
mod span;

use super::rule::MatchStrength;
use super::scan::{found_in_text, redacted};
use super::{key_block, keyword};
use decoded_text::{DecodedText, Join};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::{Deref, Range};

/// Shorter secrets are redacted only where they were found: elsewhere the same letters may be a word.
const REPEATED: usize = 8;
/// How much text around a piece is scanned, for secrets that cross its ends.
const AROUND: usize = 4096;

/// Redacted text of a session, a person or a program. Only this module creates it; stored text is read back unchanged.
#[derive(Clone, PartialEq, Eq, Default, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Redacted(String);

impl Redacted {
    pub fn new(text: &str) -> Self {
        Self(redact(text))
    }

    /// The beginning of a text, shortened by `cut` after redaction.
    pub fn beginning(text: &str, most: usize, cut: impl FnOnce(&str) -> String) -> Self {
        Secrets::default().beginning(text, most, cut)
    }

    /// A piece of a text, shortened by `cut` after redaction. The text around the piece is scanned too.
    pub fn piece(text: &str, piece: Range<usize>, cut: impl FnOnce(&str) -> String) -> Self {
        let start = text.floor_char_boundary(piece.start.saturating_sub(AROUND));
        let end = text.ceil_char_boundary(piece.end.saturating_add(AROUND).min(text.len()));
        let around = text.get(start..end).unwrap_or_default();
        let spans = spans(around);
        let piece = piece.start.saturating_sub(start)..piece.end.saturating_sub(start);
        Self(cut(&span::cut(around, piece, &spans)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Redacted {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Redacted {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl Deref for Redacted {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Redacts every possible secret. A false positive costs only a few characters, so this finds more
/// than the scan of files: short passwords, forms inside longer words, escaped and broken lines.
pub(crate) fn redact(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { without(text, &spans(text)) }
}

/// Whether a text certainly has no secret. Cheap, and true of nearly every name and ID.
pub(crate) fn is_plain(text: &str) -> bool {
    keyword::is_plain(text.as_bytes())
}

/// Redacts source code only where the scan of files would report a secret: a reviewer has to read the rest.
pub(crate) fn redact_code(text: &str) -> String {
    let content = text.as_bytes();
    let found = found_in_text(content).into_iter().map(|found| match found.evidence {
        MatchStrength::KeyBlock => key_block::whole(content, found.start..found.end),
        MatchStrength::Name | MatchStrength::NameAndForm | MatchStrength::Address | MatchStrength::Form => {
            found.start..found.end
        }
    });
    without(text, &span::merged(text, found.collect()))
}

/// The secrets of a whole text, to redact pieces of it that are not recognisable alone.
#[derive(Debug, Default)]
pub(crate) struct Secrets(BTreeSet<String>);

impl Secrets {
    /// Adds the secrets of another text.
    pub fn add(&mut self, text: &str) {
        if is_plain(text) {
            return;
        }
        for secret in spans(text).into_iter().filter_map(|span| text.get(span)) {
            // A line end may split a secret, and a quote may hold only the last part of an address.
            self.0.extend(telling_parts(secret).map(str::to_owned));
            self.0.insert(secret.to_owned());
        }
    }

    pub fn redact(&self, text: &str) -> Redacted {
        let known = self.0.iter().rev().fold(text.to_owned(), |shown, secret| match shown.contains(secret) {
            true => shown.replace(secret, &redacted(secret.as_bytes())),
            false => shown,
        });
        Redacted(redact(&known))
    }

    /// The beginning of a text, shortened by `cut` after redaction.
    pub fn beginning(&self, text: &str, most: usize, cut: impl FnOnce(&str) -> String) -> Redacted {
        let end = text.floor_char_boundary(most.saturating_add(AROUND));
        let text = text.get(..end).unwrap_or(text);
        let is_clean = self.0.is_empty() && is_plain(text);
        Redacted(if is_clean { cut(text) } else { cut(&self.redact(text)) })
    }
}

/// Whether a quote can hold a secret that only the text around it reveals.
pub(crate) fn may_hold_secret(quote: &str) -> bool {
    telling_parts(quote).next().is_some()
}

/// The parts that are too long and too mixed for a word.
fn telling_parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_-+=".contains(c)));
    parts.filter(|part| part.len() >= REPEATED && part.bytes().any(|byte| !byte.is_ascii_lowercase()))
}

fn spans(text: &str) -> Vec<Range<usize>> {
    let plain = DecodedText::plain(text);
    let mut all = credential::all(plain.bytes());
    for join in Join::ALL {
        let Some(reading) = DecodedText::joined(text, join) else { continue };
        let found = match join {
            // A line end between two words is rarely inside a secret.
            Join::Lines => credential::forms(reading.bytes()),
            Join::Continued | Join::Escaped | Join::Percent => credential::all(reading.bytes()),
        };
        let known: Vec<usize> = all.iter().map(|span| span.start).collect();
        let new = |span: &Range<usize>| join != Join::Lines || !known.contains(&span.start);
        all.extend(found.into_iter().map(|span| reading.original(span)).filter(new));
    }
    span::merged(text, all)
}

fn without(text: &str, spans: &[Range<usize>]) -> String {
    if spans.is_empty() {
        return text.to_owned();
    }
    let secrets: BTreeSet<&str> = spans.iter().filter_map(|span| text.get(span.clone())).collect();
    // One secret may begin with another: in reverse order the longer one goes first.
    let again = secrets.into_iter().rev().filter(|secret| secret.len() >= REPEATED);
    again.fold(span::cut(text, 0..text.len(), spans), |shown, secret| match shown.contains(secret) {
        true => shown.replace(secret, &redacted(secret.as_bytes())),
        false => shown,
    })
}

#[cfg(test)]
mod tests;
