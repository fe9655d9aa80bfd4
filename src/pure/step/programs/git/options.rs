//! The options of one git subcommand, in every spelling that git takes.

use crate::pure::shell::{Piece, Pieces, Takes, Word};

/// The options of a subcommand: long ones without a value, and all that take one.
pub(crate) struct GitTable {
    pub flags: &'static str,
    pub valued: &'static str,
}

impl GitTable {
    /// The full name of an option, and whether it is switched off, as git itself reads it: an option in full, else the
    /// one that begins so, else one behind `no-`.
    fn resolve<'a>(&self, name: &'a str) -> (&'a str, bool) {
        let Some(typed) = name.strip_prefix("--") else { return (name, false) };
        match (self.known(typed), typed.strip_prefix("no-")) {
            (Some(name), _) => (name, false),
            (None, Some(rest)) => (self.known(rest).unwrap_or(rest), true),
            (None, None) => (typed, false),
        }
    }

    /// The long option that is typed so or begins so.
    fn known(&self, typed: &str) -> Option<&'static str> {
        let all =
            || self.flags.split(' ').chain(self.valued.split(' ')).filter_map(|name| name.strip_prefix("--"));
        all().find(|name| *name == typed).or_else(|| all().find(|name| name.starts_with(typed)))
    }

    fn takes(&self, name: &str) -> Takes {
        let (name, negated) = self.resolve(name);
        match !negated && self.valued.split(' ').any(|one| one.trim_start_matches('-') == name) {
            true => Takes::Value,
            false => Takes::Nothing,
        }
    }
}

pub(crate) struct GitOptions<'a> {
    /// Long names in full, without dashes; letters as they are. `no-` in front where that was typed.
    given: Vec<(String, Option<&'a str>)>,
    /// Everything else, in order.
    pub operands: Vec<&'a Word>,
    /// Where `--` stood among the operands.
    pub separator: Option<usize>,
}

impl<'a> GitOptions<'a> {
    pub fn parse(arguments: &'a [Word], table: &GitTable) -> Self {
        let mut options = Self { given: Vec::new(), operands: Vec::new(), separator: None };
        for piece in Pieces::new(arguments, whole_text, |name| table.takes(name)) {
            match piece {
                Piece::Option(name, value) => {
                    let (name, negated) = table.resolve(name);
                    let name = if negated { format!("no-{name}") } else { name.to_owned() };
                    options.given.push((name, value.and_then(|value| value.literal())));
                }
                Piece::Separator => options.separator = Some(options.operands.len()),
                Piece::Operand(word) => options.operands.push(word),
            }
        }
        options
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

/// A word that only the run knows in full has no text, so it counts as an operand.
fn whole_text(word: &Word) -> &str {
    word.literal().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: GitTable =
        GitTable { flags: "--force --staged --worktree --dry-run", valued: "-s --source" };

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
            assert_eq!(GitOptions::parse(&words, &TABLE).has(&names), expected, "{text}");
        }
    }

    #[test]
    fn operands_keep_their_place_around_two_dashes() {
        let words = parsed("-s HEAD a -- b -c");
        let options = GitOptions::parse(&words, &TABLE);
        assert_eq!(
            options.operands.iter().filter_map(|word| word.literal()).collect::<Vec<_>>(),
            ["a", "b", "-c"]
        );
        assert_eq!((options.separator, options.value(&["source", "s"])), (Some(1), Some("HEAD")));
    }
}
