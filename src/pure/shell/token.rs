//! Program text of a scripting language to names, strings and marks. Tolerant: what it misreads is no string.

use super::code::Language;
use super::word::UNKNOWN_TEXT;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CodeToken {
    /// An identifier with its dots: `os.system`, `$command`.
    Name(String),
    Text(String),
    /// A string that the language itself gives to a shell: backticks, `qx()`, `%x[]`.
    Shell(String),
    /// Any other character; a line break is one too, since it may end a statement.
    Mark(char),
}

pub(super) fn tokens(language: Language, text: &str) -> Vec<CodeToken> {
    let mut reader = Reader { language, rest: text };
    let mut tokens = Vec::new();
    while let Some(token) = reader.next_token() {
        tokens.push(token);
    }
    tokens
}

/// How a string treats what is inside it.
#[derive(Clone, Copy)]
struct Style {
    raw: bool,
    /// The opening of an expression inside the string: `{` in Python, `${` in JavaScript, `#{` in Ruby.
    hole: Option<&'static str>,
}

struct Reader<'a> {
    language: Language,
    rest: &'a str,
}

impl Reader<'_> {
    fn next_token(&mut self) -> Option<CodeToken> {
        self.skip_blanks_and_comments();
        let first = self.rest.chars().next()?;
        if let Some(shell) = self.shell_string() {
            return Some(CodeToken::Shell(shell));
        }
        if first.is_alphabetic() || matches!(first, '_' | '$' | '.' | '@') {
            let name = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '@'));
            return Some(self.after_name(name));
        }
        if matches!(first, '"' | '\'' | '`') {
            return Some(CodeToken::Text(self.quoted(self.style(first, ""))));
        }
        self.advance(first.len_utf8());
        Some(CodeToken::Mark(first))
    }

    /// A name directly before a quote is a prefix of the string in Python: `r""`, `f''`.
    fn after_name(&mut self, name: String) -> CodeToken {
        let prefix = self.language == Language::Python
            && name.len() <= 2
            && name.chars().all(|c| "rRbBfFuU".contains(c))
            && self.rest.starts_with(['"', '\'']);
        if !prefix {
            return CodeToken::Name(name);
        }
        CodeToken::Text(self.quoted(self.style('"', &name)))
    }

    fn style(&self, quote: char, prefix: &str) -> Style {
        match self.language {
            Language::Python => {
                Style { raw: prefix.contains(['r', 'R']), hole: prefix.contains(['f', 'F']).then_some("{") }
            }
            Language::JavaScript => Style { raw: false, hole: (quote == '`').then_some("${") },
            Language::Ruby => Style { raw: quote == '\'', hole: (quote == '"').then_some("#{") },
            Language::Perl | Language::Php => Style { raw: quote == '\'', hole: None },
            Language::Lua | Language::Awk => Style { raw: false, hole: None },
        }
    }

    fn shell_string(&mut self) -> Option<String> {
        let opening = match self.language {
            Language::Ruby | Language::Perl | Language::Php if self.rest.starts_with('`') => 0,
            Language::Ruby if self.rest.starts_with("%x") => 2,
            Language::Perl if self.rest.starts_with("qx") => 2,
            _ => return None,
        };
        let delimiter = self.rest.get(opening..)?.chars().next()?;
        if delimiter.is_alphanumeric() || matches!(delimiter, '_' | ' ' | '=') {
            return None;
        }
        self.advance(opening);
        let hole = (self.language == Language::Ruby).then_some("#{");
        Some(self.quoted(Style { raw: false, hole }))
    }

    /// Reads a string whose opening quote comes next.
    fn quoted(&mut self, style: Style) -> String {
        let quote = self.rest.chars().next().unwrap_or('"');
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let close = match quote {
            '(' => ")".to_owned(),
            '[' => "]".to_owned(),
            '{' => "}".to_owned(),
            '<' => ">".to_owned(),
            _ if self.language == Language::Python && self.rest.starts_with(&triple) => triple,
            _ => quote.to_string(),
        };
        self.advance(close.len());
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next() {
            if self.rest.starts_with(&close) {
                self.advance(close.len());
                break;
            }
            if let Some(hole) = style.hole
                && self.rest.starts_with(hole)
            {
                self.advance(hole.len());
                self.take_while(|c| c != '}');
                self.advance(1);
                text.push_str(UNKNOWN_TEXT);
                continue;
            }
            self.advance(c.len_utf8());
            match c {
                '\\' => self.escape(style, &mut text),
                _ => text.push(c),
            }
        }
        text
    }

    fn escape(&mut self, style: Style, text: &mut String) {
        let Some(c) = self.rest.chars().next() else { return };
        self.advance(c.len_utf8());
        match c {
            '\\' | '\'' if style.raw && self.language != Language::Python => text.push(c),
            _ if style.raw => text.extend(['\\', c]),
            'n' => text.push('\n'),
            't' => text.push('\t'),
            '\n' => {}
            'x' => {
                let digits = self.rest.get(..2).unwrap_or_default();
                let byte = u8::from_str_radix(digits, 16);
                if let Ok(byte) = byte {
                    self.advance(2);
                    text.push(char::from(byte));
                }
            }
            '0'..='7' => {
                let digits: String = std::iter::once(c).chain(self.rest.chars().take(2)).collect();
                let octal = digits.find(|c: char| !c.is_digit(8)).unwrap_or(digits.len());
                let code = u32::from_str_radix(digits.get(..octal).unwrap_or_default(), 8);
                self.advance(octal.saturating_sub(1));
                text.extend(code.ok().and_then(char::from_u32));
            }
            'u' => {
                let code = u32::from_str_radix(self.rest.get(..4).unwrap_or_default(), 16);
                if let Some(c) = code.ok().and_then(char::from_u32) {
                    self.advance(4);
                    text.push(c);
                }
            }
            _ => text.push(c),
        }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let trimmed = self.rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
            let line_comment = match self.language {
                Language::JavaScript => trimmed.starts_with("//"),
                Language::Php => trimmed.starts_with("//") || trimmed.starts_with('#'),
                Language::Lua => trimmed.starts_with("--"),
                Language::Python | Language::Perl | Language::Ruby | Language::Awk => {
                    trimmed.starts_with('#')
                }
            };
            self.rest = trimmed;
            if !line_comment {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !accept(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.to_owned()
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(language: Language, text: &str) -> Vec<String> {
        let keep = |token| match token {
            CodeToken::Text(text) => Some(text),
            CodeToken::Shell(text) => Some(format!("shell:{text}")),
            CodeToken::Name(_) | CodeToken::Mark(_) => None,
        };
        tokens(language, text).into_iter().filter_map(keep).collect()
    }

    #[test]
    fn strings_are_read_the_way_their_language_does() {
        assert_eq!(
            strings(Language::Python, r#"a("x\ty", r'\d', '''q"r''')  # "no""#),
            ["x\ty", r"\d", "q\"r"]
        );
        assert_eq!(strings(Language::Python, "f'rm {path}' + \"\\x72m\""), ["rm ${_}", "rm"]);
        assert_eq!(strings(Language::JavaScript, "x(`a ${b.c} d`) // 'no'"), ["a ${_} d"]);
        assert_eq!(strings(Language::Perl, "qx(ls); `id`; 'a\\'b'"), ["shell:ls", "shell:id", "a'b"]);
        assert_eq!(strings(Language::Ruby, "%x[ls #{x}]"), ["shell:ls ${_}"]);
    }

    #[test]
    fn unfinished_strings_end_with_the_text() {
        for text in ["'abc", "\"", "f'{", "'''", "'\\", "'\\x", "%x", "qx"] {
            for language in [Language::Python, Language::JavaScript, Language::Perl, Language::Ruby] {
                tokens(language, text);
            }
        }
    }
}
