//! The options of one git subcommand, in every spelling that git takes.

use crate::shell::Word;

/// What a subcommand knows. A `=` behind a long option or a `:` behind a letter: the next word is its value.
pub struct Spec {
    pub long: &'static [&'static str],
    pub short: &'static str,
}

pub struct Options<'a> {
    /// Long names in full, without dashes; letters as they are. `no-` in front where that was typed.
    given: Vec<(String, Option<&'a str>)>,
    /// Everything else, in order.
    pub operands: Vec<&'a Word>,
    /// Where `--` stood among the operands.
    pub separator: Option<usize>,
}

impl<'a> Options<'a> {
    pub fn parse(arguments: &'a [Word], spec: &Spec) -> Self {
        let mut options = Self { given: Vec::new(), operands: Vec::new(), separator: None };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let text = word.literal().filter(|_| options.separator.is_none());
            match text {
                Some("--") => options.separator = Some(options.operands.len()),
                Some(text) if text.starts_with("--") => options.long(text, spec, &mut words),
                Some(text) if text.starts_with('-') && text.len() > 1 => {
                    options.short(text, spec, &mut words)
                }
                _ => options.operands.push(word),
            }
        }
        options
    }

    fn long(&mut self, text: &'a str, spec: &Spec, words: &mut std::slice::Iter<'a, Word>) {
        let text = text.trim_start_matches('-');
        let (typed, inline) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let known = |typed: &str| {
            let name = |entry: &&&str| entry.trim_end_matches('=').starts_with(typed);
            let exact = spec.long.iter().find(|entry| entry.trim_end_matches('=') == typed);
            exact.or_else(|| spec.long.iter().find(name)).copied()
        };
        // Like git itself: an option in full, else the one that begins so, else one that is switched off.
        let (entry, negated) = match (known(typed), typed.strip_prefix("no-")) {
            (Some(entry), _) => (entry, false),
            (None, Some(rest)) => (known(rest).unwrap_or(rest), true),
            (None, None) => (typed, false),
        };
        let name = entry.trim_end_matches('=');
        let takes_next = entry.ends_with('=') && inline.is_none() && !negated;
        let value = if takes_next { words.next().and_then(Word::literal) } else { inline };
        self.given.push((if negated { format!("no-{name}") } else { name.to_owned() }, value));
    }

    fn short(&mut self, text: &'a str, spec: &Spec, words: &mut std::slice::Iter<'a, Word>) {
        for (at, letter) in text.char_indices().skip(1) {
            let takes_value = spec.short.contains(&format!("{letter}:"));
            if !takes_value {
                self.given.push((letter.to_string(), None));
                continue;
            }
            let attached = text.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
            let value = attached.or_else(|| words.next().and_then(Word::literal));
            self.given.push((letter.to_string(), value));
            return;
        }
    }

    /// Whether an option is on under one of its names; the last word counts.
    pub fn has(&self, names: &[&str]) -> bool {
        let state = |(given, _): &(String, Option<&str>)| match given.strip_prefix("no-") {
            Some(given) if names.contains(&given) => Some(false),
            _ => names.contains(&given.as_str()).then_some(true),
        };
        self.given.iter().rev().find_map(state).unwrap_or(false)
    }

    /// Whether an option is mentioned at all, on or off.
    pub fn mentions(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(given, _)| names.contains(&given.strip_prefix("no-").unwrap_or(given)))
    }

    pub fn values(&self, names: &[&str]) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(|(given, _)| names.contains(&given.as_str())).filter_map(|(_, value)| *value)
    }

    pub fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.given
            .iter()
            .rev()
            .find(|(given, _)| names.contains(&given.as_str()))
            .and_then(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: Spec = Spec { long: &["force", "source=", "staged", "worktree", "dry-run"], short: "s:fSWn" };

    fn parsed(text: &str) -> Vec<Word> {
        text.split(' ').map(Word::plain).collect()
    }

    #[test]
    fn options_are_found_in_every_spelling() {
        for (text, names, expected) in [
            ("--force x", ["force", "f"], true),
            ("--for x", ["force", "f"], true),
            ("-nf x", ["force", "f"], true),
            ("-sf x", ["force", "f"], false),
            ("-s f x", ["force", "f"], false),
            ("--source f x", ["force", "f"], false),
            ("--force --no-force x", ["force", "f"], false),
            ("x -- --force", ["force", "f"], false),
            ("--dry-r", ["dry-run", "n"], true),
        ] {
            let words = parsed(text);
            assert_eq!(Options::parse(&words, &SPEC).has(&names), expected, "{text}");
        }
    }

    #[test]
    fn operands_keep_their_place_around_two_dashes() {
        let words = parsed("-s HEAD a -- b -c");
        let options = Options::parse(&words, &SPEC);
        assert_eq!(
            options.operands.iter().filter_map(|word| word.literal()).collect::<Vec<_>>(),
            ["a", "b", "-c"]
        );
        assert_eq!((options.separator, options.value(&["source", "s"])), (Some(1), Some("HEAD")));
    }
}
