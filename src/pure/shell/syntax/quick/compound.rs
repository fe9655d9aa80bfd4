//! Compound commands and functions.

use super::keyword::Keyword;
use super::{Reader, Statement};
use crate::pure::shell::syntax::tree::{Form, Node, Redirect, Sequence, Span, Values, Word};
use crate::pure::shell::word::is_name;

impl<'t> Reader<'t> {
    pub(super) fn command(&mut self) -> Option<Statement<'t>> {
        let start = self.at;
        let node = match (self.peek()?, self.peek_at(1)) {
            (b'(', Some(b'(')) => self.arithmetic_command()?,
            (b'(', _) => {
                self.at += 1;
                let body = self.body()?;
                self.take(b')')?;
                Node::Subshell(body)
            }
            (b'{', Some(b' ' | b'\t' | b'\n')) => Node::Group(self.braced()?),
            (b'[', Some(b'[')) => self.conditional()?,
            (b'!' | b'}', _) => return None,
            _ => match self.keyword() {
                None => return self.simple(),
                Some(Keyword::If) => self.branches()?,
                Some(Keyword::While) => self.conditional_loop()?,
                Some(Keyword::For) => self.counting_loop()?,
                Some(Keyword::Case) => self.cases()?,
                Some(Keyword::Function) => {
                    self.expect("function")?;
                    let name = self.plain_word()?;
                    self.blanks();
                    if self.peek() == Some(b'(') {
                        self.parentheses()?;
                    }
                    return self.function(name, start);
                }
                Some(Keyword::Time | Keyword::Closing | Keyword::Unusual) => return None,
            },
        };
        let span = self.span_from(start);
        Some(Statement { node, redirects: self.redirects()?, background: false, span })
    }

    /// The redirects after a compound command.
    fn redirects(&mut self) -> Option<Vec<Redirect<'t>>> {
        let mut redirects = Vec::new();
        loop {
            let end = self.at;
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => {
                    self.at = end;
                    return Some(redirects);
                }
            }
        }
    }

    fn braced(&mut self) -> Option<Sequence<'t>> {
        self.take(b'{')?;
        let body = self.body()?;
        self.expect("}")?;
        Some(body)
    }

    fn branches(&mut self) -> Option<Node<'t>> {
        self.expect("if")?;
        let condition = self.body()?;
        self.expect("then")?;
        let mut branches = vec![self.body()?];
        while self.expect("elif").is_some() {
            branches.push(self.body()?);
            self.expect("then")?;
            branches.push(self.body()?);
        }
        if self.expect("else").is_some() {
            branches.push(self.body()?);
        }
        self.expect("fi")?;
        Some(Node::If { condition, branches })
    }

    fn conditional_loop(&mut self) -> Option<Node<'t>> {
        // Both words are of the same length.
        self.at += "while".len();
        let condition = self.body()?;
        Some(Node::Again { header: None, bodies: vec![condition, self.loop_body()?] })
    }

    fn loop_body(&mut self) -> Option<Sequence<'t>> {
        self.expect("do")?;
        let body = self.body()?;
        self.expect("done")?;
        Some(body)
    }

    fn counting_loop(&mut self) -> Option<Node<'t>> {
        self.expect("for")?;
        self.blanks();
        let name = self.plain_word().filter(|name| is_name(name))?;
        self.lines()?;
        let values = if self.expect("in").is_some() {
            let mut words = Vec::new();
            loop {
                self.blanks();
                match self.peek()? {
                    b';' | b'\n' | b'#' => break,
                    b'&' | b'|' | b'(' | b')' | b'<' | b'>' => return None,
                    _ => words.push(self.word()?),
                }
            }
            Values::Words(words)
        } else {
            Values::Arguments
        };
        if self.peek() == Some(b';') {
            self.at += 1;
        }
        self.lines()?;
        Some(Node::Each { name: Some(name), values, body: self.loop_body()? })
    }

    fn cases(&mut self) -> Option<Node<'t>> {
        self.expect("case")?;
        self.blanks();
        let subject = self.word()?;
        self.lines()?;
        self.expect("in")?;
        self.lines()?;
        let (mut patterns, mut branches) = (Vec::new(), Vec::new());
        while self.expect("esac").is_none() {
            patterns.push(self.pattern()?);
            branches.push(self.deeper(Self::sequence)?);
            self.blanks();
            match self.rest() {
                [b';', b';', b'&', ..] => self.at += 3,
                [b';', b';' | b'&', ..] => self.at += 2,
                _ => {
                    self.expect("esac")?;
                    break;
                }
            }
            self.lines()?;
        }
        Some(Node::Case { subject, patterns, branches })
    }

    /// `a | b)`
    fn pattern(&mut self) -> Option<Span> {
        let start = self.at;
        if self.peek()? == b'(' {
            self.at += 1;
        }
        loop {
            self.blanks();
            self.word()?;
            self.blanks();
            let sign = self.peek()?;
            self.at += 1;
            match sign {
                b'|' => {}
                b')' => return Some(self.span_from(start)),
                _ => return None,
            }
        }
    }

    /// Behind the head of a function that began at `start`.
    pub(super) fn function(&mut self, name: &'t str, start: usize) -> Option<Statement<'t>> {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            return None;
        }
        self.lines()?;
        let body_start = self.at;
        let node = match (self.peek()?, self.peek_at(1)) {
            (b'{', Some(b' ' | b'\t' | b'\n')) => Node::Group(self.braced()?),
            _ => return None,
        };
        let span = self.span_from(body_start);
        let body = Statement { node, redirects: self.redirects()?, background: false, span };
        let node = Node::Function { names: vec![name], body: Box::new(body) };
        Some(Statement { node, redirects: Vec::new(), background: false, span: self.span_from(start) })
    }

    pub(super) fn parentheses(&mut self) -> Option<()> {
        self.take(b'(')?;
        self.blanks();
        self.take(b')')
    }

    fn plain_word(&mut self) -> Option<&'t str> {
        self.blanks();
        match self.word()? {
            Word { form: Form::Plain(text), .. } => Some(text),
            Word { form: Form::Pieces(_) | Form::Braces(_), .. } => None,
        }
    }
}
