//! Words that mean something to the shell where a command begins.

use super::Reader;

/// The kind of command that a first word begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    If,
    While,
    For,
    Case,
    Function,
    Time,
    /// It ends what the command would stand in.
    Closing,
    /// Left to the thorough reader: rare, or it changes how the rest is read.
    Unusual,
}

fn keyword(word: &[u8]) -> Option<Keyword> {
    Some(match word {
        b"if" => Keyword::If,
        b"while" | b"until" => Keyword::While,
        b"for" => Keyword::For,
        b"case" => Keyword::Case,
        b"function" => Keyword::Function,
        b"then" | b"do" | b"done" | b"fi" | b"elif" | b"else" | b"esac" => Keyword::Closing,
        b"time" => Keyword::Time,
        b"coproc" | b"select" | b"in" | b"foreach" | b"repeat" | b"nocorrect" | b"noglob" | b"shopt"
        | b"setopt" | b"unsetopt" | b"emulate" | b"alias" | b"unalias" => Keyword::Unusual,
        _ => return None,
    })
}

impl<'t> Reader<'t> {
    /// The keyword at hand.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        if !matches!(self.peek()?, b'a' | b'c'..=b'f' | b'i' | b'n' | b'r'..=b'u' | b'w') {
            return None;
        }
        keyword(self.letters())
    }

    /// The small letters at hand, if they are a whole word.
    fn letters(&self) -> &'t [u8] {
        let rest = self.rest();
        let length = rest.iter().take(10).take_while(|byte| byte.is_ascii_lowercase()).count();
        match rest.get(length) {
            // Behind a line that is continued the word may go on; whoever expects it gives up.
            Some(byte) if !ends_word(*byte) && *byte != b'\\' => &[],
            _ => rest.get(..length).unwrap_or_default(),
        }
    }

    /// Whether the commands at hand are over.
    pub(super) fn closes(&self) -> bool {
        match self.peek() {
            None | Some(b')' | b';') => true,
            Some(b'}') => self.peek_at(1).is_none_or(ends_word),
            _ => self.keyword() == Some(Keyword::Closing),
        }
    }

    /// Takes this word, which has to come next.
    pub(super) fn expect(&mut self, word: &str) -> Option<()> {
        self.blanks();
        let rest = self.rest().strip_prefix(word.as_bytes())?;
        if rest.first().is_some_and(|byte| !ends_word(*byte)) {
            return None;
        }
        self.at += word.len();
        Some(())
    }
}

/// Whether an unquoted word ends in front of this byte.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}
