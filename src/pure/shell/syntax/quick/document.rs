//! Here-documents. Their text stands behind the line, so it is read ahead and skipped when the line ends.

use super::word::Around;
use super::{Documents, Reader};
use crate::pure::shell::syntax::tree::{Piece, PieceKind, Span};

impl<'t> Reader<'t> {
    /// Behind `<<`: the text of the document.
    pub(super) fn document(&mut self) -> Option<Vec<Piece<'t>>> {
        let indented = self.take(b'-').is_some();
        self.blanks();
        let (delimiter, quoted) = self.delimiter()?;
        let line_break = self.at + memchr::memchr(b'\n', self.rest())?;
        let start = match self.documents {
            Some(documents) if documents.line_break == line_break => documents.end,
            Some(_) => return None,
            None => line_break + 1,
        };
        let (body_end, end) = self.end_of_body(start, delimiter, indented)?;
        self.documents = Some(Documents { line_break, end });
        let body = self.text.get(start..body_end)?;
        let span = Span { start, end: body_end };
        let expands = !quoted && memchr::memchr3(b'$', b'`', b'\\', body.as_bytes()).is_some();
        match (expands, indented && memchr::memchr(b'\t', body.as_bytes()).is_some()) {
            (false, false) => Some(vec![Piece { kind: PieceKind::Exact(body), span }]),
            (true, false) => self.within(span),
            (_, true) => None,
        }
    }

    fn delimiter(&mut self) -> Option<(&'t [u8], bool)> {
        let rest = self.rest();
        let (word, length, quoted) = match rest.split_first()? {
            (quote @ (b'\'' | b'"'), behind) => {
                let word = behind.get(..memchr::memchr(*quote, behind)?)?;
                (word, word.len() + 2, true)
            }
            (b'\\', behind) => {
                let word = name_at(behind);
                (word, word.len() + 1, true)
            }
            _ => (name_at(rest), name_at(rest).len(), false),
        };
        if word.is_empty() || name_at(word).len() != word.len() {
            return None;
        }
        self.at += length;
        self.peek().is_none_or(super::keyword::ends_word).then_some((word, quoted))
    }

    /// Where the body ends, and where its last line does.
    fn end_of_body(&self, start: usize, delimiter: &[u8], indented: bool) -> Option<(usize, usize)> {
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..)?;
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let mut line = rest.get(..length)?;
            while let (true, Some(stripped)) = (indented, line.strip_prefix(b"\t")) {
                line = stripped;
            }
            if line == delimiter {
                return Some((at, (at + length + 1).min(self.bytes.len())));
            }
            at += length + 1;
        }
    }

    /// The pieces of a text that expands, in the middle of which something else may stand.
    fn within(&mut self, span: Span) -> Option<Vec<Piece<'t>>> {
        let (at, bytes, documents) = (self.at, self.bytes, self.documents.take());
        (self.at, self.bytes) = (span.start, bytes.get(..span.end)?);
        let pieces = self.pieces(Around::Document)?;
        let whole = self.at == span.end && self.documents.is_none();
        (self.at, self.bytes, self.documents) = (at, bytes, documents);
        whole.then_some(pieces)
    }
}

fn name_at(bytes: &[u8]) -> &[u8] {
    let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    bytes.get(..bytes.iter().take_while(plain).count()).unwrap_or_default()
}
