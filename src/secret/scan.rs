//! Runs the rules over one file's bytes.

use super::baseline::Baseline;
use super::keyword::{Trigger, each};
use super::place::Place;
use super::rule::{Evidence, Found, Match, Verdict};
use super::{address, allow, bot_token, file, form, generic, header, key_block, manifest, provider};
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// Git's own rule of thumb for binary content.
const LOOKED_AT_FOR_NUL: usize = 8 * 1024;
/// Characters of a secret that are shown at most.
pub(super) const SHOWN: usize = 4;
const ALLOWED_JUST_NOW: &str = "a comment that this change adds would hide it";

/// A file before and after. What it held before is not new, and neither is a comment that was there.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub path: &'a str,
    /// `None` if the file is new.
    pub old: Option<&'a [u8]>,
    pub new: &'a [u8],
}

/// The secrets in `content`, by line. Binary content and templates of `.env` files have none.
pub fn scan(path: &str, content: &[u8]) -> Vec<Match> {
    let mut found = found(path, content);
    found.retain(|found| allow::comment(content, found.start).is_none());
    matches(content, &found)
}

/// The same for a file of its own, whose name may say something, too, without what is known.
pub fn scan_file(path: &str, content: &[u8], known: &Baseline) -> Vec<Match> {
    let mut found = found(path, content);
    if found.is_empty() {
        found.extend(file::named(path, content));
    }
    found.retain(|found| allow::comment(content, found.start).is_none());
    matches_but(path, content, &found, known)
}

/// Whether there is anything in it that a closer look could turn into a match.
pub fn is_suspect(path: &str, content: &[u8]) -> bool {
    !found(path, content).is_empty() || file::named(path, content).is_some()
}

/// The secrets that a change brings in: the whole file is read, what the old one held is left out.
pub fn scan_change(change: Change<'_>, baseline: &Baseline) -> Vec<Match> {
    let Change { path, old, new } = change;
    let before = old.unwrap_or_default();
    let known = |part: &[u8]| !part.is_empty() && memmem::find(before, part).is_some();
    let mut found = found(path, new);
    if found.is_empty() && old.is_none() {
        found.extend(file::named(path, new));
    }
    found.retain(|found| !known(essence(new, found)));
    let found: Vec<Found> = found
        .into_iter()
        .filter_map(|found| match allow::comment(new, found.start) {
            Some(line) if known(new.get(line.clone()).unwrap_or_default()) => None,
            Some(_) => Some(allowed_just_now(found)),
            None => Some(found),
        })
        .collect();
    matches_but(path, new, &found, baseline)
}

/// What gives access: of an address only user and password.
fn essence<'a>(content: &'a [u8], found: &Found) -> &'a [u8] {
    let text = content.get(found.start..found.end).unwrap_or_default();
    let start = memmem::find(text, b"://").map_or(0, |at| at + 3);
    match (found.evidence, memrchr(b'@', text)) {
        (Evidence::Address, Some(end)) => text.get(start..end).unwrap_or(text),
        _ => text,
    }
}

/// Nobody but the author of the change has seen the comment yet: a guess becomes a question that names it, and what a
/// provider's own form proves stays what it is.
fn allowed_just_now(found: Found) -> Found {
    let proven = match found.evidence {
        Evidence::Form | Evidence::KeyBlock | Evidence::Address => true,
        Evidence::Name | Evidence::NameAndForm => false,
    };
    let verdict = if proven { found.verdict } else { Verdict::Ask };
    Found { verdict, reason: ALLOWED_JUST_NOW, ..found }
}

/// Every secret in the content, in order and without overlaps, allowed ones too.
fn found(path: &str, content: &[u8]) -> Vec<Found> {
    let place = Place::of(path);
    let head = content.get(..LOOKED_AT_FOR_NUL).unwrap_or(content);
    if memchr(0, head).is_some() || place == Place::Template {
        return Vec::new();
    }
    found_at(place, content)
}

/// The same for a text that is no file: no byte in it makes it binary.
pub(super) fn every(content: &[u8]) -> Vec<Found> {
    found_at(Place::Source, content)
}

fn found_at(place: Place, content: &[u8]) -> Vec<Found> {
    let guesses = place != Place::Generated;
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
            // Only a text that is kept is read so closely.
            Trigger::Client | Trigger::Cookie => None,
            Trigger::BotToken => bot_token::bot_token(content, at),
            Trigger::Address => address::address(content, at),
            Trigger::KeyBlock => key_block::key_block(content, at),
            Trigger::EncodedKeyBlock => key_block::encoded(content, at),
        };
        all.extend(found);
    });
    all.retain(|found| found.evidence != Evidence::Name || cut_short.binary_search(&found.start).is_err());
    without_overlaps(all)
}

/// Of several that overlap the strongest.
fn without_overlaps(mut all: Vec<Found>) -> Vec<Found> {
    all.sort_by_key(|found| found.start);
    let mut kept: Vec<Found> = Vec::with_capacity(all.len());
    for found in all {
        let strength = |found: &Found| (found.verdict, found.evidence, found.end - found.start);
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

/// Without those that the baseline knows.
fn matches_but(path: &str, content: &[u8], found: &[Found], baseline: &Baseline) -> Vec<Match> {
    let matched = matches(content, found).into_iter().zip(found);
    let new = matched.filter(|(matched, found)| {
        !baseline.allows(path, matched.line, content.get(found.start..found.end).unwrap_or_default())
    });
    new.map(|(matched, _)| matched).collect()
}

fn matches(content: &[u8], found: &[Found]) -> Vec<Match> {
    let (mut line, mut counted) = (1_u32, 0);
    let matched = found.iter().map(|found| {
        let between = content.get(counted..found.start).unwrap_or_default();
        line = line.saturating_add(u32::try_from(memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX));
        counted = found.start.max(counted);
        let Found { rule, severity, verdict, reason, start, end, .. } = *found;
        let redacted = redacted(content.get(start..end).unwrap_or_default());
        Match { rule, severity, verdict, reason, line, redacted }
    });
    matched.collect()
}

/// The first four characters at most, and of a short secret fewer.
pub(super) fn redacted(secret: &[u8]) -> String {
    let shown = if secret.len() < 12 { secret.len() / 4 } else { SHOWN };
    let mut text: String = String::from_utf8_lossy(secret).chars().take(shown).collect();
    text.push('…');
    text
}

#[cfg(test)]
mod tests;
