//! Collects the pieces of one shell word into the arguments that it becomes.

use super::word::{Word, WordPart};

/// Whether the shell splits a value at blanks and expands patterns in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    Bare,
    Double,
    /// As in a here-document: like double quotes, but `"` is an ordinary character.
    Document,
}

#[derive(Debug, Default)]
pub(super) struct Fields {
    done: Vec<Word>,
    open: Option<Word>,
}

impl Fields {
    pub(super) fn at_start(&self) -> bool {
        self.open.is_none()
    }

    pub(super) fn open(&mut self) -> &mut Word {
        self.open.get_or_insert_default()
    }

    /// Ends the argument at hand, if one was begun.
    pub(super) fn cut(&mut self) {
        self.done.extend(self.open.take());
    }

    /// Adds a value, split at blanks where the shell would.
    pub(super) fn value(&mut self, value: &Word, quoting: Quoting) {
        if quoting != Quoting::Bare {
            self.open().append(value);
            return;
        }
        for part in &value.parts {
            let WordPart::Literal(text) = part else {
                self.open().push(part.clone());
                continue;
            };
            for (index, piece) in text.split([' ', '\t', '\n']).enumerate() {
                if index > 0 {
                    self.cut();
                }
                // The shell leaves this tilde alone, but whoever wrote it meant the home directory.
                let meant = piece.strip_prefix('~').filter(|rest| self.at_start() && is_below(rest));
                if meant.is_some() {
                    self.open().push(WordPart::Tilde(String::new()));
                }
                let piece = meant.unwrap_or(piece);
                if !piece.is_empty() {
                    bare(piece, self.open());
                }
            }
        }
    }

    /// Adds a list the way `"$@"` does: each element an argument of its own.
    pub(super) fn list(&mut self, values: &[Word], quoting: Quoting) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.cut();
            }
            self.value(value, quoting);
        }
    }

    /// One argument.
    pub(super) fn of(word: Word) -> Self {
        Self { done: Vec::new(), open: Some(word) }
    }

    /// Adds the arguments to those of other words.
    pub(super) fn finish(mut self, words: &mut Vec<Word>) {
        words.append(&mut self.done);
        words.extend(self.open);
    }

    pub(super) fn finish_as_one(mut self) -> Word {
        if self.done.is_empty() {
            return self.open.unwrap_or_default();
        }
        self.cut();
        super::scope::join(&self.done)
    }
}

/// Whether this follows `~` where it stands for the own home directory.
fn is_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// Adds source text with its escapes resolved.
pub(super) fn decode(raw: &str, quoting: Quoting, word: &mut Word) {
    if !raw.contains('\\') {
        match quoting {
            Quoting::Bare => bare(raw, word),
            Quoting::Double | Quoting::Document => word.push_text(raw),
        }
        return;
    }
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        match quoting {
            Quoting::Bare => bare(before, word),
            Quoting::Double | Quoting::Document => word.push_text(before),
        }
        let mut characters = after.chars();
        match characters.next() {
            Some('\n') => {}
            Some(c) => {
                let escapes = match quoting {
                    Quoting::Bare => true,
                    Quoting::Double => matches!(c, '$' | '`' | '"' | '\\'),
                    Quoting::Document => matches!(c, '$' | '`' | '\\'),
                };
                if !escapes {
                    word.push_text("\\");
                }
                word.push_text(c.encode_utf8(&mut [0; 4]));
            }
            None => word.push_text("\\"),
        }
        rest = characters.as_str();
    }
    match quoting {
        Quoting::Bare => bare(rest, word),
        Quoting::Double | Quoting::Document => word.push_text(rest),
    }
}

/// Adds unquoted text, patterns marked.
fn bare(text: &str, word: &mut Word) {
    let mut rest = text;
    while let Some((before, pattern, after)) = next_pattern(rest) {
        word.push_text(before);
        word.push(WordPart::Glob(pattern.to_owned()));
        rest = after;
    }
    word.push_text(rest);
}

/// The text before the first pattern, the pattern, and what follows it.
fn next_pattern(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    let is_opening = |byte: u8| matches!(byte, b'*' | b'?' | b'[' | b'(');
    while let Some(offset) = text.get(from..)?.bytes().position(is_opening) {
        let at = from + offset;
        let (start, end) = match text.as_bytes().get(at)? {
            b'[' => (at, text.get(at + 1..)?.find(']').map(|close| at + close + 2)),
            b'(' => {
                let grouped = at > 0 && matches!(text.as_bytes().get(at - 1), Some(b'!' | b'@' | b'+'));
                (
                    at.saturating_sub(1),
                    text.rfind(')').filter(|close| grouped && *close > at).map(|close| close + 1),
                )
            }
            _ => (at, Some(at + 1)),
        };
        if let Some(end) = end {
            return Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?));
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(raw: &str, quoting: Quoting) -> Word {
        let mut word = Word::default();
        decode(raw, quoting, &mut word);
        word
    }

    fn count(fields: Fields) -> usize {
        let mut words = Vec::new();
        fields.finish(&mut words);
        words.len()
    }

    #[test]
    fn escapes_depend_on_the_quotes_around_them() {
        assert_eq!(decoded(r"a\ b\*", Quoting::Bare).literal(), Some("a b*"));
        assert_eq!(decoded(r#"a\n\$\""#, Quoting::Double).literal(), Some(r#"a\n$""#));
        assert_eq!(decoded(r#"a\"\$"#, Quoting::Document).literal(), Some(r#"a\"$"#));
        assert_eq!(decoded("a\\\nb", Quoting::Bare).literal(), Some("ab"));
        assert_eq!(decoded("a\\", Quoting::Bare).literal(), Some("a\\"));
    }

    #[test]
    fn only_unquoted_patterns_are_patterns() {
        assert!(decoded("*.rs", Quoting::Bare).is_glob());
        assert!(decoded("x[ab]", Quoting::Bare).is_glob());
        assert!(decoded("!(keep)", Quoting::Bare).is_glob());
        assert!(!decoded("[", Quoting::Bare).is_glob());
        assert!(!decoded("*.rs", Quoting::Double).is_glob());
    }

    #[test]
    fn unquoted_values_are_split_at_blanks_and_quoted_ones_are_not() {
        let mut fields = Fields::default();
        fields.value(&Word::plain("push --force"), Quoting::Bare);
        assert_eq!(count(fields), 2);
        let mut fields = Fields::default();
        fields.value(&Word::plain("push --force"), Quoting::Double);
        assert_eq!(count(fields), 1);
    }
}
