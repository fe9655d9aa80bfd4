//! Runs the rules over one file's bytes.

use super::baseline::Baseline;
use super::file_role::FileRole;
use super::keyword::{Trigger, each};
use super::redact::command;
use super::rule::{FoundSecretSpan, Match, MatchStrength, SecretVerdict};
use super::{address, allow, bot_token, call, file, form, generic, header, key_block, manifest, provider};
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// Git's own heuristic for binary content.
const LOOKED_AT_FOR_NUL: usize = 8 * 1024;
/// At most so many characters of a secret are shown.
pub(super) const SHOWN: usize = 4;
const ALLOWED_JUST_NOW: &str = "a comment that this change adds would hide it";

/// A file before and after a change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangedFile<'a> {
    pub path: &'a str,
    /// `None` if the file is new.
    pub old: Option<&'a [u8]>,
    pub new: &'a [u8],
}

/// The secrets in `content`, by line. Binary content and templates of `.env` files have none.
pub(crate) fn scan(path: &str, content: &[u8]) -> Vec<Match> {
    let mut found = found(path, content);
    found.retain(|found| allow::comment(content, found.start).is_none());
    matches(content, &found)
}

/// The secrets in a whole file, also by its name, without the baseline.
pub(crate) fn scan_file(path: &str, content: &[u8], known: &Baseline) -> Vec<Match> {
    let mut found = found(path, content);
    if found.is_empty() {
        found.extend(file::named(path, content));
    }
    found.retain(|found| allow::comment(content, found.start).is_none());
    matches_but(path, content, &found, known)
}

/// Whether a full scan could find a match.
pub(crate) fn is_suspect(path: &str, content: &[u8]) -> bool {
    !found(path, content).is_empty() || file::named(path, content).is_some()
}

/// The secrets that a change adds: those of the new file that the old one does not contain.
pub(crate) fn scan_change(change: ChangedFile<'_>, baseline: &Baseline) -> Vec<Match> {
    let ChangedFile { path, old, new } = change;
    let before = old.unwrap_or_default();
    let known = |part: &[u8]| !part.is_empty() && memmem::find(before, part).is_some();
    let mut found = found(path, new);
    if found.is_empty() && old.is_none() {
        found.extend(file::named(path, new));
    }
    found.retain(|found| !known(essence(new, found)));
    let found: Vec<FoundSecretSpan> = found
        .into_iter()
        .filter_map(|found| match allow::comment(new, found.start) {
            Some(line) if known(new.get(line.clone()).unwrap_or_default()) => None,
            Some(_) => Some(allowed_just_now(found)),
            None => Some(found),
        })
        .collect();
    matches_but(path, new, &found, baseline)
}

/// The part that grants access: of an address only user and password.
fn essence<'a>(content: &'a [u8], found: &FoundSecretSpan) -> &'a [u8] {
    let text = content.get(found.start..found.end).unwrap_or_default();
    let start = memmem::find(text, b"://").map_or(0, |at| at + 3);
    match (found.evidence, memrchr(b'@', text)) {
        (MatchStrength::Address, Some(end)) => text.get(start..end).unwrap_or(text),
        _ => text,
    }
}

/// Only the author of the change has seen the new comment: a guess becomes a question, and a
/// certain form keeps its verdict.
fn allowed_just_now(found: FoundSecretSpan) -> FoundSecretSpan {
    let proven = match found.evidence {
        MatchStrength::Form | MatchStrength::KeyBlock | MatchStrength::Address => true,
        MatchStrength::Name | MatchStrength::NameAndForm => false,
    };
    let verdict = if proven { found.verdict } else { SecretVerdict::Ask };
    FoundSecretSpan { verdict, reason: ALLOWED_JUST_NOW, ..found }
}

/// Every secret in the content, allowed ones too, sorted and without overlaps.
fn found(path: &str, content: &[u8]) -> Vec<FoundSecretSpan> {
    let place = FileRole::of(path);
    let head = content.get(..LOOKED_AT_FOR_NUL).unwrap_or(content);
    if memchr(0, head).is_some() || place == FileRole::Template {
        return Vec::new();
    }
    found_at(place, content)
}

/// Every secret in a text that is not a file, which is never binary.
pub(super) fn found_in_text(content: &[u8]) -> Vec<FoundSecretSpan> {
    found_at(FileRole::Source, content)
}

fn found_at(place: FileRole, content: &[u8]) -> Vec<FoundSecretSpan> {
    let guesses = place != FileRole::Generated;
    let mut all = Vec::new();
    let (mut named_until, mut cut_short) = (0, Vec::new());
    each(content, |at, trigger| {
        let found = match trigger {
            Trigger::Token(row) => {
                if form::is_cut_short(content, at, row) {
                    cut_short.push(at);
                }
                form::token(content, at, row)
            }
            Trigger::Beside(row) if guesses => provider::beside(content, at, row),
            Trigger::Name if guesses && at >= named_until => {
                let (name, found) = generic::named(content, at, place);
                named_until = name.end;
                found
            }
            Trigger::Header if guesses => header::header(content, at),
            Trigger::Curl if guesses => header::curl(content, at),
            Trigger::Manifest if guesses => manifest::manifest(content, at),
            Trigger::Beside(_) | Trigger::Name | Trigger::Header | Trigger::Curl | Trigger::Manifest => None,
            Trigger::Parameter if guesses => generic::parameter(content, at, place),
            Trigger::Call if place.guesses() => call::password(content, at),
            Trigger::Client if place.guesses() => command::guess(content, at),
            Trigger::Parameter | Trigger::Call | Trigger::Client => None,
            // Only redaction looks at it.
            Trigger::Cookie => None,
            Trigger::BotToken => bot_token::bot_token(content, at),
            Trigger::Address => address::address(content, at),
            Trigger::KeyBlock => key_block::key_block(content, at),
            Trigger::EncodedKeyBlock => key_block::encoded(content, at),
        };
        all.extend(found);
    });
    all.retain(|found| {
        found.evidence != MatchStrength::Name || cut_short.binary_search(&found.start).is_err()
    });
    without_overlaps(all)
}

/// Keeps the strongest of overlapping findings.
fn without_overlaps(mut all: Vec<FoundSecretSpan>) -> Vec<FoundSecretSpan> {
    all.sort_by_key(|found| found.start);
    let mut kept: Vec<FoundSecretSpan> = Vec::with_capacity(all.len());
    for found in all {
        let strength = |found: &FoundSecretSpan| (found.verdict, found.evidence, found.end - found.start);
        match kept.last_mut() {
            Some(last) if found.start < last.end => {
                if strength(&found) > strength(last) {
                    *last = found;
                }
            }
            Some(_) | None => kept.push(found),
        }
    }
    kept
}

/// The matches that are not in the baseline.
fn matches_but(path: &str, content: &[u8], found: &[FoundSecretSpan], baseline: &Baseline) -> Vec<Match> {
    let matched = matches(content, found).into_iter().zip(found);
    let new = matched.filter(|(matched, found)| {
        !baseline.allows(path, matched.line, content.get(found.start..found.end).unwrap_or_default())
    });
    new.map(|(matched, _)| matched).collect()
}

fn matches(content: &[u8], found: &[FoundSecretSpan]) -> Vec<Match> {
    let (mut line, mut counted) = (1_u32, 0);
    let matched = found.iter().map(|found| {
        let between = content.get(counted..found.start).unwrap_or_default();
        line = line.saturating_add(u32::try_from(memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX));
        counted = found.start.max(counted);
        let FoundSecretSpan { rule, severity, verdict, reason, start, end, .. } = *found;
        let redacted = redacted(content.get(start..end).unwrap_or_default());
        Match { rule, severity, verdict, reason, line, redacted }
    });
    matched.collect()
}

/// At most the first four characters, fewer of a short secret.
pub(super) fn redacted(secret: &[u8]) -> String {
    let shown = if secret.len() < 12 { secret.len() / 4 } else { SHOWN };
    let mut text: String = String::from_utf8_lossy(secret).chars().take(shown).collect();
    text.push('…');
    text
}

#[cfg(test)]
mod tests;
