//! Simple commands, declarations and redirects.

use super::keyword::ends_word;
use super::{Reader, Statement};
use crate::pure::shell::syntax::tree::{
    Assigned, Assignment, Declaration, Form, Node, Operand, Operator, Redirect, Span, Target, Word,
};

fn declares(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local" | "export" | "readonly")
}

/// The thorough reader keeps these apart and drops what is assigned in front of them.
fn leaves(name: &str) -> bool {
    matches!(name, "break" | "continue" | "return" | "exit")
}

impl<'t> Reader<'t> {
    pub(super) fn simple(&mut self) -> Option<Statement<'t>> {
        let start = self.at;
        let mut end = start;
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        while self.goes_on() {
            let from = self.at;
            if let Some(redirect) = self.redirect()? {
                // The text of a here-document and its delimiter are no part of the command.
                if redirect.operator != Operator::HereDocument {
                    end = self.at;
                }
                // Mostly there is one.
                redirects.reserve_exact(1);
                redirects.push(redirect);
            } else if let [Word { form: Form::Plain(name), .. }] = words.as_slice()
                && self.peek() == Some(b'(')
                && assignments.is_empty()
                && redirects.is_empty()
            {
                self.parentheses()?;
                return self.function(name, start);
            } else if words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                assignments.push(assignment);
                end = self.at;
            } else {
                // Behind a redirect or an assignment, keywords are words like others, but not to everybody.
                if words.is_empty() && from != start && self.keyword().is_some() {
                    return None;
                }
                let word = self.word()?;
                end = self.at;
                if let (true, Form::Plain(name)) = (words.is_empty(), &word.form) {
                    if declares(name) {
                        return self.declaration(name, assignments, redirects, start);
                    }
                    if leaves(name) && from != start {
                        return None;
                    }
                }
                words.push(word);
            }
            self.blanks();
        }
        if end == start && redirects.is_empty() {
            return None;
        }
        let node = Node::Simple { assignments, words };
        let span = Span { start, end };
        Some(Statement { node, redirects, background: false, span })
    }

    /// Whether something of the command follows.
    fn goes_on(&self) -> bool {
        match self.peek() {
            None | Some(b'\n' | b';' | b'|' | b')' | b'#') => false,
            Some(b'&') => self.peek_at(1) == Some(b'>'),
            Some(_) => true,
        }
    }

    /// Behind `export` or its like.
    fn declaration(
        &mut self,
        keyword: &'t str,
        assignments: Vec<Assignment<'t>>,
        mut redirects: Vec<Redirect<'t>>,
        start: usize,
    ) -> Option<Statement<'t>> {
        let mut end = self.at;
        let mut operands = Vec::new();
        self.blanks();
        while self.goes_on() {
            if let Some(redirect) = self.redirect()? {
                if redirect.operator == Operator::HereDocument {
                    return None;
                }
                redirects.push(redirect);
            } else if let Some(assignment) = self.assignment()? {
                operands.push(Operand::Assignment(assignment));
            } else {
                match self.word()? {
                    word @ Word { form: Form::Plain(_), .. } => operands.push(Operand::Word(word)),
                    Word { form: Form::Pieces(_) | Form::Braces(_), .. } => return None,
                }
            }
            end = self.at;
            self.blanks();
        }
        let node = Node::Declaration(Declaration { keyword, assignments, operands });
        let span = Span { start, end };
        Some(Statement { node, redirects, background: false, span })
    }

    /// `NAME=value`, if that is at hand. Gives up on elements of arrays.
    fn assignment(&mut self) -> Option<Option<Assignment<'t>>> {
        let start = self.at;
        let rest = self.rest();
        let name_byte = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().take_while(|byte| name_byte(byte)).count();
        if length == 0 || rest.first().is_some_and(u8::is_ascii_digit) {
            return Some(None);
        }
        let (append, sign) = match (rest.get(length), rest.get(length + 1)) {
            (Some(b'='), _) => (false, 1),
            (Some(b'+'), Some(b'=')) => (true, 2),
            (Some(b'['), _) => return None,
            _ => return Some(None),
        };
        let name = self.text.get(start..start + length)?;
        self.at += length + sign;
        let value = match self.peek() {
            Some(b'(') => Assigned::List(self.elements()?),
            Some(b'<' | b'>') => return None,
            _ => Assigned::Scalar(self.word_or_nothing()?),
        };
        Some(Some(Assignment { name, subscripted: false, subscripts: Vec::new(), append, value }))
    }

    /// The elements of an array. Continued lines and brackets among them are read in more than one way.
    fn elements(&mut self) -> Option<Vec<Word<'t>>> {
        let start = self.at;
        self.take(b'(')?;
        let mut words = Vec::new();
        loop {
            self.lines()?;
            match self.peek()? {
                b')' => {
                    self.at += 1;
                    let text = self.text_from(start)?;
                    let plain = !text.contains("\\\n") && !text.contains('[');
                    return (plain && self.peek().is_none_or(ends_word)).then_some(words);
                }
                b';' | b'&' | b'|' | b'<' | b'>' | b'(' => return None,
                _ => words.push(self.word()?),
            }
        }
    }

    /// A redirect, if one is at hand.
    pub(super) fn redirect(&mut self) -> Option<Option<Redirect<'t>>> {
        let rest = self.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (operator, length) = match rest.get(digits..).unwrap_or_default() {
            [b'<' | b'>', b'(', ..] if digits == 0 => return Some(None),
            [b'<' | b'>', b'(', ..] => return None,
            [b'<', b'<', ..] if digits > 0 => return None,
            [b'<', b'<', b'<', ..] => (Operator::HereString, 3),
            [b'<', b'<', ..] => (Operator::HereDocument, 2),
            [b'<', b'>', ..] => (Operator::ReadWrite, 2),
            [b'<', b'&', ..] => (Operator::DuplicateInput, 2),
            [b'<', ..] => (Operator::Read, 1),
            [b'>', b'>', ..] => (Operator::Append, 2),
            [b'>', b'|', ..] => (Operator::Write, 2),
            [b'>', b'&', ..] => (Operator::DuplicateOutput, 2),
            [b'>', ..] => (Operator::Write, 1),
            [b'&', b'>', b'>', ..] if digits == 0 => (Operator::Append, 3),
            [b'&', b'>', ..] if digits == 0 => (Operator::Write, 2),
            _ => return Some(None),
        };
        let descriptor = match digits {
            0 => None,
            1..=4 => Some(self.text.get(self.at..self.at + digits)?.parse().ok()?),
            _ => return None,
        };
        self.at += digits + length;
        let target = match operator {
            Operator::HereDocument => Target::Document(self.document()?),
            _ => {
                self.blanks();
                let word = self.word()?;
                if matches!(self.peek(), Some(b'<' | b'>')) {
                    return None;
                }
                Target::Word(word)
            }
        };
        Some(Some(Redirect { operator, descriptor, variable: None, target }))
    }
}
