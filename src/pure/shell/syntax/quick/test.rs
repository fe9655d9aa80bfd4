//! Arithmetic and `[[ … ]]`: only where they end matters, and what is substituted in them.

use super::keyword::ends_word;
use super::{MAX_DEPTH, Reader};
use crate::pure::shell::syntax::tree::Node;

impl<'t> Reader<'t> {
    /// `((…))`, which is at hand.
    pub(super) fn arithmetic(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            match self.peek()? {
                b'(' if open == MAX_DEPTH => return None,
                b'(' => open += 1,
                b')' if open == 2 => {
                    self.at += 1;
                    return self.take(b')');
                }
                b')' => open = open.checked_sub(1).filter(|left| *left >= 2)?,
                b'$' if self.peek_at(1) == Some(b'(') => return None,
                b'\'' | b'"' | b'`' | b'\\' | b'\n' | b'\r' | b';' | b'{' | b'#' => return None,
                _ => {}
            }
            self.at += 1;
        }
    }

    pub(super) fn arithmetic_command(&mut self) -> Option<Node<'t>> {
        let start = self.at;
        self.arithmetic()?;
        self.peek().is_none_or(ends_word).then(|| Node::Test(self.span_from(start)))
    }

    pub(super) fn conditional(&mut self) -> Option<Node<'t>> {
        let start = self.at;
        self.expect("[[")?;
        loop {
            self.comparison()?;
            self.blanks();
            match self.rest() {
                [b'&', b'&', ..] | [b'|', b'|', ..] => self.at += 2,
                _ => {
                    self.expect("]]")?;
                    return Some(Node::Test(self.span_from(start)));
                }
            }
        }
    }

    /// `-f x`, `x = y` or a word alone.
    fn comparison(&mut self) -> Option<()> {
        self.blanks();
        while self.expect("!").is_some() {
            self.blanks();
        }
        let first = self.operand()?;
        self.blanks();
        if let [b'-', letter] = first.as_bytes() {
            return letter.is_ascii_alphabetic().then(|| self.operand()).flatten().map(drop);
        }
        const OPERATORS: &[&str] =
            &["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
        if self.expect("=~").is_some() {
            self.blanks();
            return self.expression();
        }
        if OPERATORS.iter().any(|operator| self.expect(operator).is_some()) {
            self.blanks();
            self.operand()?;
        }
        Some(())
    }

    fn operand(&mut self) -> Option<&'t str> {
        let word = self.word()?;
        let text = word.span.of(self.text);
        (!text.starts_with('[') && text != "]]" && text != "!").then_some(text)
    }

    /// A regular expression of the plainest kind.
    fn expression(&mut self) -> Option<()> {
        let start = self.at;
        while !matches!(self.peek()?, b' ' | b'\t') {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"^$.*+?[]-_/:,=@%".contains(&byte);
            if !plain(self.peek()?) || (self.peek() == Some(b'$') && self.peek_at(1) == Some(b'(')) {
                return None;
            }
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}
