//! The same tree for the shell that people and agents write all day, for a tenth of the work.
//!
//! Reads front to back, never twice, and gives up on everything unusual or wrong: nothing is decided here that the
//! thorough reader would decide otherwise, and what it would call a fault is left to it. The tests read every text both
//! ways and compare.

mod compound;
mod document;
mod expansion;
mod keyword;
mod simple;
mod test;
mod word;

use super::tree::{Joint, Node, Piece, Sequence, Span, Statement, Word};
use keyword::Keyword;
use word::Around;

/// Levels open at once; deeper texts are left to the thorough reader and its limits.
const MAX_DEPTH: usize = 20;
/// Statements joined by operators.
const MAX_CHAIN: usize = 500;

/// The whole text, or nothing.
pub(in crate::pure::shell) fn read(text: &str) -> Option<Sequence<'_>> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0, documents: None };
    let sequence = reader.sequence()?;
    (reader.at == text.len() && reader.documents.is_none()).then_some(sequence)
}

/// The whole text as one word, or nothing.
pub(super) fn word(text: &str) -> Option<Word<'_>> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0, documents: None };
    let word = reader.word()?;
    (reader.at == text.len() && reader.documents.is_none()).then_some(word)
}

/// The pieces between double quotes that stand at these bytes.
pub(super) fn quoted(text: &str, span: Span) -> Option<Vec<Piece<'_>>> {
    let bytes = text.as_bytes().get(..span.end)?;
    let mut reader = Reader { text, bytes, at: span.start, depth: 0, documents: None };
    reader.take(b'"')?;
    let pieces = reader.pieces(Around::DoubleQuotes)?;
    reader.take(b'"')?;
    (reader.at == span.end).then_some(pieces)
}

struct Reader<'t> {
    text: &'t str,
    /// The text up to where reading ends.
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    /// The here-documents that begin behind the line at hand.
    documents: Option<Documents>,
}

/// Bodies of here-documents: after which line break they stand, and where they end.
#[derive(Clone, Copy)]
struct Documents {
    line_break: usize,
    end: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.at }
    }

    fn text_from(&self, start: usize) -> Option<&'t str> {
        self.text.get(start..self.at)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Skips blanks and continued lines.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and line breaks, with the here-documents behind them.
    fn lines(&mut self) -> Option<()> {
        loop {
            self.blanks();
            match self.peek() {
                Some(b'#') => self.at += memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len()),
                Some(b'\n') => match self.documents.take() {
                    Some(documents) if documents.line_break == self.at => self.at = documents.end,
                    Some(_) => return None,
                    None => self.at += 1,
                },
                _ => return Some(()),
            }
        }
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Statements up to something that closes what they stand in, or to the end.
    fn sequence(&mut self) -> Option<Sequence<'t>> {
        let mut statements: Vec<Statement<'t>> = Vec::with_capacity(1);
        self.lines()?;
        while !self.closes() {
            let mut statement = self.statement()?;
            self.blanks();
            let ends = match (self.peek(), self.peek_at(1)) {
                (Some(b';'), Some(b';' | b'&')) => false,
                (Some(b'\n' | b'#'), _) => true,
                (Some(sign @ (b';' | b'&')), _) => {
                    statement.background = sign == b'&';
                    self.at += 1;
                    true
                }
                _ => false,
            };
            statements.push(statement);
            if !ends {
                break;
            }
            self.lines()?;
        }
        let span = match statements.as_slice() {
            [] => self.span_from(self.at),
            [first, ..] => Span { start: first.span.start, end: statements.last()?.span.end },
        };
        Some(Sequence { statements, span })
    }

    /// Statements in a compound command, which has to have some.
    fn body(&mut self) -> Option<Sequence<'t>> {
        let sequence = self.deeper(Self::sequence)?;
        (!sequence.statements.is_empty()).then_some(sequence)
    }

    /// Commands joined by `|`, `&&` and `||`.
    fn statement(&mut self) -> Option<Statement<'t>> {
        let start = self.at;
        let first = self.negated()?;
        self.blanks();
        if self.joint().is_none() {
            return Some(first);
        }
        let mut chain = Vec::with_capacity(2);
        chain.push((Joint::And, first));
        while let Some((joint, length)) = self.joint() {
            if chain.len() == MAX_CHAIN {
                return None;
            }
            self.at += length;
            self.lines()?;
            let statement = if joint == Joint::Pipe { self.command()? } else { self.negated()? };
            chain.push((joint, statement));
            self.blanks();
        }
        chained(chain, start)
    }

    /// `time a | b`, which measures the whole pipeline.
    fn timed(&mut self) -> Option<Statement<'t>> {
        let start = self.at;
        self.expect("time")?;
        self.blanks();
        let _ = self.expect("-p");
        self.blanks();
        if self.peek() == Some(b'-') {
            return None;
        }
        let from = self.at;
        let mut pipeline = vec![(Joint::And, self.command()?)];
        self.blanks();
        while let Some((Joint::Pipe, length)) = self.joint() {
            if pipeline.len() == MAX_CHAIN {
                return None;
            }
            self.at += length;
            self.lines()?;
            pipeline.push((Joint::Pipe, self.command()?));
            self.blanks();
        }
        let inner = if pipeline.len() == 1 { pipeline.pop()?.1 } else { chained(pipeline, from)? };
        let span = inner.span;
        let node = Node::Group(Sequence { statements: vec![inner], span });
        let span = Span { start, end: span.end };
        Some(Statement { node, redirects: Vec::new(), background: false, span })
    }

    fn joint(&self) -> Option<(Joint, usize)> {
        match (self.peek()?, self.peek_at(1)) {
            (b'&', Some(b'&')) => Some((Joint::And, 2)),
            (b'|', Some(b'|')) => Some((Joint::Or, 2)),
            (b'|', Some(b'&')) => Some((Joint::Pipe, 2)),
            (b'|', _) => Some((Joint::Pipe, 1)),
            _ => None,
        }
    }

    fn negated(&mut self) -> Option<Statement<'t>> {
        if self.peek() == Some(b'!') && matches!(self.peek_at(1), Some(b' ' | b'\t')) {
            self.at += 1;
            self.blanks();
        }
        match self.keyword() {
            Some(Keyword::Time) => self.timed(),
            _ => self.command(),
        }
    }
}

fn chained<'t>(chain: Vec<(Joint, Statement<'t>)>, start: usize) -> Option<Statement<'t>> {
    let span = Span { start, end: chain.last()?.1.span.end };
    Some(Statement { node: Node::Chain(chain), redirects: Vec::new(), background: false, span })
}
