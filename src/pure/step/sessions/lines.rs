//! The lines of two versions of a file.

use crate::pure::client::Tool;
use crate::pure::step::fingerprint;
use std::collections::BTreeMap;

/// How often each line occurs, by its fingerprint. Blank lines do not count.
pub(super) type LineCounts = BTreeMap<u64, usize>;

pub(super) fn counts(text: &[u8]) -> LineCounts {
    let mut counts = LineCounts::new();
    fingerprints(text).for_each(|line| *counts.entry(line).or_default() += 1);
    counts
}

/// The lines that `new` has more often than `old`.
pub(crate) fn added(old: &[u8], new: &[u8]) -> Vec<u64> {
    let [old, new] = without_common_ends(old, new);
    let mut before = counts(old);
    let is_new = |line: &u64| match before.get_mut(line).filter(|left| **left > 0) {
        Some(left) => {
            *left -= 1;
            false
        }
        None => true,
    };
    fingerprints(new).filter(is_new).collect()
}

/// The content of a file after a tool has written it; `None` if only the run will know.
pub(crate) fn after(tool: &Tool, now: &[u8]) -> Option<Vec<u8>> {
    let Tool::Write { text, replaced, .. } = tool else { return None };
    match replaced.as_deref() {
        None => Some(text.clone().into_bytes()),
        Some("") if now.is_empty() => Some(text.clone().into_bytes()),
        Some("") => None,
        Some(old) => {
            let now = std::str::from_utf8(now).ok().filter(|now| now.contains(old))?;
            Some(now.replace(old, text).into_bytes())
        }
    }
}

fn fingerprints(text: &[u8]) -> impl Iterator<Item = u64> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).map(fingerprint)
}

/// Both texts without the whole lines that they begin and end with alike.
fn without_common_ends<'t>(one: &'t [u8], other: &'t [u8]) -> [&'t [u8]; 2] {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let line = |text: &[u8]| text.get(..same)?.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
    let front = line(one).unwrap_or_default();
    let [one, other] = [one, other].map(|text| text.get(front..).unwrap_or_default());
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let cut = |text: &'t [u8]| {
        let end = text.get(text.len() - same..).unwrap_or_default();
        let kept = end.iter().position(|byte| *byte == b'\n').map_or(same, |at| at);
        text.get(..text.len() - (same - kept)).unwrap_or_default()
    };
    [cut(one), cut(other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_are_those_that_were_not_there_before() {
        let new = |old: &str, new: &str| added(old.as_bytes(), new.as_bytes());
        let lines = |text: &str| fingerprints(text.as_bytes()).collect::<Vec<_>>();
        for (old, text, expected) in [
            ("", "a\nb\n", "a\nb"),
            ("a\nb\n", "a\nx\nb\n", "x"),
            ("a\nb\n", "b\na\n", ""),
            ("a\nb", "a\nb2", "b2"),
            ("a\n", "a\na\n", "a"),
            ("a\n\nb\n", "a\n\n\nb\n", ""),
            ("same\n", "same\n", ""),
            ("let a = 1;\n", "let a = 12;\n", "let a = 12;"),
            ("}\n", "f {\n}\n}\n", "f {\n}"),
        ] {
            assert_eq!(new(old, text), lines(expected), "{old:?} {text:?}");
        }
    }

    #[test]
    fn an_edit_is_known_where_its_text_is_found() {
        let edit = |old: Option<&str>| Tool::Write {
            path: "f".into(),
            text: "new".into(),
            replaced: old.map(ToOwned::to_owned),
        };
        let content =
            |tool, now: &str| after(&tool, now.as_bytes()).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(content(edit(None), "x").as_deref(), Some("new"));
        assert_eq!(content(edit(Some("b")), "abc").as_deref(), Some("anewc"));
        assert_eq!(content(edit(Some("z")), "abc"), None);
        assert_eq!(content(edit(Some("")), "abc"), None);
        assert_eq!(content(edit(Some("")), "").as_deref(), Some("new"));
        assert_eq!(content(Tool::Passive, "x"), None);
    }
}
