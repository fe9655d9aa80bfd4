//! Words: runs of text, quotes, expansions.

use super::Reader;
use super::keyword::ends_word;
use crate::pure::shell::syntax::tree::{Form, Piece, PieceKind, Span, Word};

/// The text around a piece, which decides where the piece ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Nothing,
    DoubleQuotes,
    Document,
    /// The braces of an expansion, and whether those stand in quotes or a document.
    Braces {
        quoted: bool,
    },
}

impl<'t> Reader<'t> {
    pub(super) fn word(&mut self) -> Option<Word<'t>> {
        let word = self.word_or_nothing()?;
        (word.span.start != word.span.end).then_some(word)
    }

    /// A word that may be empty, as the value of `X=` is.
    pub(super) fn word_or_nothing(&mut self) -> Option<Word<'t>> {
        let start = self.at;
        let plain = match self.rest() {
            // As `test` is called, and the end of it.
            [b'[' | b']', rest @ ..] if rest.first().is_none_or(|byte| ends_word(*byte)) => 1,
            rest => rest.iter().take_while(|byte| is_plain(**byte)).count(),
        };
        self.at += plain;
        let form = match self.peek() {
            end if plain > 0 && end.is_none_or(ends_word) => Form::Plain(self.text_from(start)?),
            _ => {
                self.at = start;
                self.pieced()?
            }
        };
        // `a<(b)` is one word; `{x}>y` names a descriptor.
        if matches!(self.peek(), Some(b'<' | b'>'))
            && (self.peek_at(1) == Some(b'(') || self.bytes.get(start) == Some(&b'{'))
        {
            return None;
        }
        Some(Word { form, span: self.span_from(start) })
    }

    fn pieced(&mut self) -> Option<Form<'t>> {
        if let (Some(b'<' | b'>'), Some(b'(')) = (self.peek(), self.peek_at(1)) {
            return Some(Form::Pieces(vec![self.process()?]));
        }
        let start = self.at;
        let pieces = self.pieces(Around::Nothing)?;
        let mut expands = false;
        for piece in pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::Raw)) {
            let text = piece.span.of(self.text);
            // The thorough reader divides text at a dollar, and so sees no pattern around it.
            if text.contains('$') && text.contains('[') {
                return None;
            }
            expands |= braces_expand(text)?;
        }
        if self.is_misread(start, &pieces) {
            return None;
        }
        Some(if expands { Form::Braces(pieces) } else { Form::Pieces(pieces) })
    }

    /// Whether the thorough reader would divide or refuse this single word: then this reader does not decide.
    fn is_misread(&self, start: usize, pieces: &[Piece<'t>]) -> bool {
        let first = match pieces.first() {
            Some(Piece { kind: PieceKind::Raw, span }) => span.of(self.text).as_bytes(),
            _ => return false,
        };
        match self.bytes.get(start..self.at).unwrap_or_default() {
            [b'#', ..] | [b']', _, ..] | [b'[', b'[', ..] => true,
            [b'{', ..] => pieces.len() > 1 || memchr::memchr_iter(b'{', first).count() > 1,
            [b'~', ..] => memchr::memchr3(b'\\', b'$', b'{', first).is_some(),
            _ => false,
        }
    }

    /// `<(…)` and `>(…)`
    fn process(&mut self) -> Option<Piece<'t>> {
        let start = self.at;
        let reads = self.peek() == Some(b'<');
        self.at += 1;
        let body = self.parenthesized()?;
        if self.peek().is_some_and(|byte| !ends_word(byte)) {
            return None;
        }
        let kind = if reads { PieceKind::ReadFrom(body) } else { PieceKind::WriteTo(body) };
        Some(Piece { kind, span: self.span_from(start) })
    }

    pub(super) fn pieces(&mut self, around: Around) -> Option<Vec<Piece<'t>>> {
        // Mostly there is one.
        let mut pieces = Vec::with_capacity(1);
        let mut start = self.at;
        loop {
            self.run(around)?;
            let at = self.at;
            let piece = match (self.peek(), around) {
                (Some(b'\''), Around::Nothing | Around::Braces { quoted: false }) => Some(self.single()?),
                (Some(b'"'), Around::Nothing | Around::Braces { quoted: false }) => Some(self.double()?),
                (Some(b'`'), _) => Some(self.backticks()?),
                (Some(b'$'), _) => match self.expansion(around)? {
                    Some(piece) => Some(piece),
                    // A dollar that is nothing but that.
                    None => {
                        self.at += 1;
                        continue;
                    }
                },
                _ => None,
            };
            if at > start {
                pieces.push(Piece { kind: PieceKind::Raw, span: Span { start, end: at } });
            }
            let Some(piece) = piece else { return Some(pieces) };
            pieces.push(piece);
            start = self.at;
        }
    }

    /// Skips text that means itself, with its escapes.
    fn run(&mut self, around: Around) -> Option<()> {
        loop {
            let Some(byte) = self.peek() else { return Some(()) };
            let stops = match (byte, around) {
                (b'$' | b'`', _) => true,
                (b'\\', _) => {
                    // Escapes of more than one byte go on as text.
                    let escaped = self.peek_at(1)?;
                    if escaped == b'\n' && around == Around::Nothing {
                        return None;
                    }
                    self.at += 1;
                    false
                }
                (b'"', Around::Document) => false,
                (b'"', _) => true,
                (b'\'', Around::Nothing | Around::Braces { quoted: false }) => true,
                (b'}', Around::Braces { .. }) => true,
                (b'{' | b'(' | b')' | b'<' | b'>' | b';' | b'&' | b'|' | b'\n', Around::Braces { .. }) => {
                    return None;
                }
                (_, Around::Nothing) => {
                    if byte < b' ' && !matches!(byte, b'\t' | b'\n') {
                        return None;
                    }
                    ends_word(byte)
                }
                (b'\r', _) => return None,
                _ => false,
            };
            if stops {
                return Some(());
            }
            self.at += 1;
        }
    }

    fn single(&mut self) -> Option<Piece<'t>> {
        let start = self.at;
        self.at += 1;
        let length = memchr::memchr(b'\'', self.rest())?;
        let text = self.text.get(self.at..self.at + length)?;
        self.at += length + 1;
        Some(Piece { kind: PieceKind::Exact(text), span: self.span_from(start) })
    }

    fn double(&mut self) -> Option<Piece<'t>> {
        let start = self.at;
        self.at += 1;
        let pieces = self.pieces(Around::DoubleQuotes)?;
        self.take(b'"')?;
        Some(Piece { kind: PieceKind::Double(pieces), span: self.span_from(start) })
    }

    fn backticks(&mut self) -> Option<Piece<'t>> {
        let start = self.at;
        let length = memchr::memchr(b'`', self.rest().get(1..)?)?;
        let inside = self.rest().get(1..1 + length)?;
        if inside.iter().any(|byte| matches!(byte, b'\\' | b'\'' | b'"' | b'#' | b'\n')) || inside.is_empty()
        {
            return None;
        }
        self.at += length + 2;
        Some(Piece { kind: PieceKind::Backticks, span: self.span_from(start) })
    }
}

/// Whether the braces in unquoted text stand for several words. Gives up on all but the plainest.
fn braces_expand(text: &str) -> Option<bool> {
    let mut rest = text;
    let mut expands = false;
    if memchr::memchr2(b'{', b'}', text.as_bytes()).is_some() && text.contains('\\') {
        // `\{}`: nothing opens.
        let escaped = text.replace("\\{", "");
        return (!escaped.contains(['{', '\\'])).then_some(false);
    }
    while let Some(open) = memchr::memchr2(b'{', b'}', rest.as_bytes()) {
        let behind = rest.get(open..)?.strip_prefix('{')?;
        let inside = behind.get(..memchr::memchr(b'}', behind.as_bytes())?)?;
        let plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b',' | b'/' | b'*')
        };
        if !inside.bytes().all(plain) {
            return None;
        }
        expands |= inside.contains(',') || inside.contains("..");
        rest = behind.get(inside.len() + 1..)?;
    }
    Some(expands)
}

/// Whether a byte means itself wherever it stands.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'/' | b'.' | b'_' | b'=' | b':' | b',' | b'+' | b'%' | b'@')
        || byte >= 0x80
}
