//! Expansions after a dollar.

use super::Reader;
use super::word::Around;
use crate::pure::shell::syntax::tree::{
    Change, Fallback, Form, Parameter, ParameterKind, Piece, PieceKind, Sequence, Word,
};

impl<'t> Reader<'t> {
    /// The expansion at hand; nothing inside if the dollar only means itself.
    pub(super) fn expansion(&mut self, around: Around) -> Option<Option<Piece<'t>>> {
        let start = self.at;
        let quoted = !matches!(around, Around::Nothing | Around::Braces { quoted: false });
        let kind = match self.peek_at(1) {
            Some(b'(') if self.peek_at(2) == Some(b'(') => {
                self.at += 1;
                self.arithmetic()?;
                PieceKind::Unknown(self.text.get(start + 1..self.at)?)
            }
            Some(b'(') => {
                self.at += 1;
                PieceKind::Substitution(self.parenthesized()?)
            }
            Some(b'{') => {
                self.at += 2;
                let kind = self.deeper(|reader| reader.parameter(quoted))?;
                self.take(b'}')?;
                kind
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-' | b'0'..=b'9') => {
                self.at += 2;
                PieceKind::Variable(self.text.get(start + 1..self.at)?)
            }
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                self.at += 1;
                PieceKind::Variable(self.name())
            }
            Some(b'[') => return None,
            Some(b'\'') if around == Around::Nothing => PieceKind::Exact(self.escaped()?),
            Some(b'\'' | b'"') if !quoted => return None,
            _ => return Some(None),
        };
        Some(Some(Piece { kind, span: self.span_from(start) }))
    }

    /// `$'…'` with escapes of one letter. The text stays until the process ends, as the thorough reader's does.
    fn escaped(&mut self) -> Option<&'t str> {
        let start = self.at + 2;
        let mut text = String::new();
        self.at = start;
        loop {
            let stop = self.at + memchr::memchr2(b'\'', b'\\', self.rest())?;
            text.push_str(self.text.get(self.at..stop)?);
            self.at = stop + 1;
            if self.bytes.get(stop) == Some(&b'\'') {
                return Some(if text.len() + 1 == self.at - start {
                    self.text.get(start..stop)?
                } else {
                    text.leak()
                });
            }
            text.push(match self.peek()? {
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                sign @ (b'\'' | b'"' | b'\\' | b'?') => char::from(sign),
                _ => return None,
            });
            self.at += 1;
        }
    }

    /// Commands in parentheses, which are at hand.
    pub(super) fn parenthesized(&mut self) -> Option<Sequence<'t>> {
        self.take(b'(')?;
        let documents = self.documents.take();
        let body = self.deeper(Self::sequence)?;
        if self.documents.is_some() || documents.is_some_and(|outer| outer.line_break < self.at) {
            return None;
        }
        self.documents = documents;
        self.take(b')')?;
        Some(body)
    }

    fn name(&mut self) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        self.text_from(start).unwrap_or_default()
    }

    /// The text between `${` and `}`.
    fn parameter(&mut self, quoted: bool) -> Option<PieceKind<'t>> {
        let start = self.at;
        let prefix = match self.peek()? {
            sign @ (b'#' | b'!') => {
                self.at += 1;
                Some(sign)
            }
            _ => None,
        };
        let name = match self.peek()? {
            b'@' | b'*' | b'?' | b'$' | b'0'..=b'9' if prefix.is_none() => {
                self.at += 1;
                self.text_from(start)?
            }
            _ => self.name(),
        };
        let kind = match (prefix, self.peek()?) {
            _ if name.is_empty() => return None,
            (None, b'}') => return Some(PieceKind::Variable(name)),
            (None, b'[') => self.subscripted(name)?,
            (None, _) => self.operation(name, quoted)?,
            (Some(b'!'), b'}') => ParameterKind::Indirect { name },
            (Some(b'#'), b'}') => ParameterKind::Other,
            (Some(_), _) => return None,
        };
        Some(PieceKind::Parameter(Parameter { raw: self.text_from(start)?, kind }))
    }

    /// `[@]`, `[*]` or a number.
    fn subscripted(&mut self, name: &'t str) -> Option<ParameterKind<'t>> {
        self.at += 1;
        let start = self.at;
        let all = matches!(self.peek()?, b'@' | b'*');
        while self.peek()? != b']' {
            if !(all && self.at == start || self.peek()?.is_ascii_digit()) {
                return None;
            }
            self.at += 1;
        }
        let index = self.text_from(start).filter(|index| !index.is_empty())?;
        self.at += 1;
        (self.peek()? == b'}').then_some(match all {
            true => ParameterKind::AllElements { name },
            false => ParameterKind::Element { name, index },
        })
    }

    fn operation(&mut self, name: &'t str, quoted: bool) -> Option<ParameterKind<'t>> {
        let colon = self.take(b':').is_some();
        let fallback = match self.peek()? {
            b'-' => Some(Fallback::Use),
            b'=' => Some(Fallback::Assign),
            b'+' => Some(Fallback::Replace),
            b'?' => Some(Fallback::Fail),
            _ => None,
        };
        if let Some(operator) = fallback {
            self.at += 1;
            let start = self.at;
            let pieces = self.pieces(Around::Braces { quoted })?;
            let word = Word { form: Form::Pieces(pieces), span: self.span_from(start) };
            return Some(ParameterKind::Default { name, operator, operand: Some(Box::new(word)) });
        }
        if colon {
            return self.slice(name);
        }
        let sign = self.peek()?;
        let doubled = self.peek_at(1) == Some(sign);
        self.at += if doubled { 2 } else { 1 };
        let change = match sign {
            b'#' => Change::WithoutPrefix(self.pattern_up_to_brace()?),
            b'%' => Change::WithoutSuffix(self.pattern_up_to_brace()?),
            b'/' => {
                let pattern = self.plain_up_to(b'/')?;
                self.at += 1;
                let with = self.plain_up_to(b'}')?;
                if doubled { Change::ReplaceAll(pattern, with) } else { Change::ReplaceFirst(pattern, with) }
            }
            b'^' if doubled => Change::Upper,
            b',' if doubled => Change::Lower,
            _ => return None,
        };
        (self.peek()? == b'}').then_some(ParameterKind::Changed { name, change })
    }

    fn slice(&mut self, name: &'t str) -> Option<ParameterKind<'t>> {
        let offset = self.number()?;
        let length = match self.take(b':') {
            Some(()) => Some(self.number()?),
            None => None,
        };
        (self.peek()? == b'}').then_some(ParameterKind::Slice { name, offset, length })
    }

    fn number(&mut self) -> Option<&'t str> {
        let start = self.at;
        while self.peek()?.is_ascii_digit() {
            self.at += 1;
        }
        self.text_from(start).filter(|number| !number.is_empty())
    }

    /// A pattern without expansions. In quotes it has to be one text, and stands for just that.
    fn pattern_up_to_brace(&mut self) -> Option<&'t str> {
        let Some(quote @ (b'"' | b'\'')) = self.peek() else { return self.plain_up_to(b'}') };
        self.at += 1;
        let text = self.plain_up_to(quote)?;
        self.at += 1;
        (self.peek()? == b'}').then_some(text)
    }

    /// A pattern or replacement without quotes and expansions.
    fn plain_up_to(&mut self, end: u8) -> Option<&'t str> {
        let start = self.at;
        loop {
            match self.peek()? {
                byte if byte == end => return self.text_from(start).filter(|text| !text.is_empty()),
                b'$' | b'`' | b'\\' | b'\'' | b'"' | b'{' | b'}' | b'(' | b'\n' | b'\r' | b'&' => {
                    return None;
                }
                _ => self.at += 1,
            }
        }
    }
}
