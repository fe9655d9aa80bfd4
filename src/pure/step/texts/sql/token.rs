//! SQL text to tokens: comments are dropped, quoted text is data.

use std::iter::Peekable;
use std::str::CharIndices;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SqlToken<'a> {
    /// A keyword or a plain name, as written.
    Word(&'a str),
    /// A name in double quotes, backticks or brackets.
    Name(&'a str),
    /// A string, whichever way it is quoted.
    Text(&'a str),
    Symbol(char),
}

/// The meaning of a backslash in a string, which differs between servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backslash {
    Plain,
    Escapes,
}

impl SqlToken<'_> {
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    pub fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }
}

pub(crate) fn tokens(text: &str, backslash: Backslash) -> Vec<SqlToken<'_>> {
    let mut reader = Reader { text, rest: text.char_indices().peekable(), backslash };
    let mut tokens = Vec::new();
    while let Some((at, first)) = reader.rest.next() {
        tokens.extend(reader.token(at, first));
    }
    tokens
}

struct Reader<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    backslash: Backslash,
}

impl<'a> Reader<'a> {
    fn token(&mut self, at: usize, first: char) -> Option<SqlToken<'a>> {
        match first {
            _ if first.is_whitespace() => None,
            '-' if self.follows('-') => self.line_comment(),
            '#' | '\\' if self.begins_line(at) => self.line_comment(),
            '/' if self.follows('*') => self.comment(at),
            '\'' => Some(SqlToken::Text(self.quoted(at + 1, '\''))),
            '"' | '`' => Some(SqlToken::Name(self.quoted(at + 1, first))),
            '[' => Some(SqlToken::Name(self.quoted(at + 1, ']'))),
            '$' => Some(self.dollar(at)),
            _ if is_word(first) => Some(SqlToken::Word(self.word(at))),
            _ => Some(SqlToken::Symbol(first)),
        }
    }

    fn follows(&mut self, expected: char) -> bool {
        self.rest.peek().is_some_and(|(_, next)| *next == expected)
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    fn line_comment(&mut self) -> Option<SqlToken<'a>> {
        self.rest.find(|(_, next)| *next == '\n');
        None
    }

    /// MySQL runs the content of a comment that begins with `/*!`.
    fn comment(&mut self, at: usize) -> Option<SqlToken<'a>> {
        let body = self.text.get(at + 2..).unwrap_or_default();
        let length = match body.strip_prefix('!') {
            Some(runs) => 1 + runs.len() - runs.trim_start_matches(|c: char| c.is_ascii_digit()).len(),
            None => body.find("*/").map_or(body.len(), |end| end + 2),
        };
        self.skip_to(at + 2 + length);
        None
    }

    fn skip_to(&mut self, end: usize) {
        while self.rest.next_if(|(at, _)| *at < end).is_some() {}
    }

    /// Up to the closing quote; a doubled one stands for itself.
    fn quoted(&mut self, start: usize, close: char) -> &'a str {
        while let Some((at, next)) = self.rest.next() {
            if next == '\\' && self.backslash == Backslash::Escapes {
                self.rest.next();
            } else if next == close && self.rest.next_if(|(_, after)| *after == close).is_none() {
                return self.text.get(start..at).unwrap_or_default();
            }
        }
        self.text.get(start..).unwrap_or_default()
    }

    /// `$tag$ … $tag$`, or a parameter such as `$1`.
    fn dollar(&mut self, at: usize) -> SqlToken<'a> {
        let after = self.text.get(at + 1..).unwrap_or_default();
        let tag = after.find(|c: char| !is_word(c) || c == '$').unwrap_or(after.len());
        let opener = self.text.get(at..at + tag + 2).filter(|opener| opener.ends_with('$'));
        let Some(opener) = opener.filter(|_| !after.starts_with(|c: char| c.is_ascii_digit())) else {
            return SqlToken::Symbol('$');
        };
        let start = at + opener.len();
        let body = self.text.get(start..).unwrap_or_default();
        let length = body.find(opener).unwrap_or(body.len());
        self.skip_to(start + length + opener.len());
        SqlToken::Text(body.get(..length).unwrap_or_default())
    }

    fn word(&mut self, at: usize) -> &'a str {
        let mut end = self.text.len();
        while let Some((next_at, next)) = self.rest.peek() {
            if !is_word(*next) {
                end = *next_at;
                break;
            }
            self.rest.next();
        }
        self.text.get(at..end).unwrap_or_default()
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text, Backslash::Plain)
            .into_iter()
            .filter_map(|token| match token {
                SqlToken::Word(word) => Some(word),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn comments_strings_and_quoted_names_hold_no_keywords() {
        for text in [
            "a -- drop\nb",
            "a /* drop */ b",
            "# drop\na b",
            "\\connect drop\na b",
            "a 'it''s drop' b",
            "a \"drop\" `drop` [drop] b",
            "a $$ drop $$ b",
            "a $x$ drop $$ drop $x$ b",
        ] {
            assert_eq!(words(text), ["a", "b"], "{text}");
        }
        assert_eq!(words("a $1 b"), ["a", "1", "b"]);
        assert_eq!(words("/*!50000 a */ b"), ["a", "b"]);
    }

    #[test]
    fn what_does_not_end_does_no_harm() {
        for text in ["'", "\"x", "/*", "$$ x", "$x", "[", "--", "ä'ö", "$ä$ü"] {
            tokens(text, Backslash::Plain);
            tokens(text, Backslash::Escapes);
        }
    }
}
