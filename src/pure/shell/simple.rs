//! Simple commands out of the tree: words, assignments, redirects.

use super::command::{Assignment, Command, Redirect, RedirectKind, Stdin};
use super::fields::{Fields, Quoting};
use super::scope::{VariableValue, join};
use super::source::ShellSource;
use super::syntax::tree::{self, Operator, Statement, Target};
use super::walk::Walker;
use super::word::{Word, WordPart};
use std::ops::Range;

impl<'t> Walker<'t> {
    /// A command without words, in the present circumstances.
    pub(super) fn blank(&self, span: Range<usize>) -> Command {
        Command {
            assignments: self.frame.assignments.clone(),
            unset: self.frame.unset.clone(),
            stdin: self.frame.stdin.clone(),
            fed_by: self.frame.fed_by.clone(),
            directory: self.scope.directory().clone(),
            via: self.frame.via.clone(),
            remote: self.frame.remote,
            background: self.frame.background,
            span,
            ..Command::default()
        }
    }

    pub(super) fn simple(
        &mut self,
        source: &ShellSource<'t>,
        statement: &'t Statement<'t>,
        assignments: &'t [tree::Assignment<'t>],
        words: &'t [tree::Word<'t>],
    ) {
        let words = self.all_fields(source, words);
        let set: Vec<_> = assignments.iter().map(|each| self.assigned(source, each)).collect();
        if words.is_empty() {
            for (name, value) in &set {
                self.scope.set(name, value.clone());
            }
        }
        self.assemble(source, statement, words, set);
    }

    pub(super) fn declaration(
        &mut self,
        source: &ShellSource<'t>,
        statement: &'t Statement<'t>,
        declaration: &'t tree::Declaration<'t>,
    ) {
        let mut words = vec![Word::plain(declaration.keyword)];
        let mut set: Vec<_> =
            declaration.assignments.iter().map(|each| self.assigned(source, each)).collect();
        for operand in &declaration.operands {
            match operand {
                tree::Operand::Word(word) => self.fields(source, word, &mut words),
                tree::Operand::Name(name) => {
                    self.declare_local(declaration.keyword, name);
                    words.push(Word::plain(*name));
                }
                tree::Operand::Assignment(assignment) => {
                    let (name, value) = self.assigned(source, assignment);
                    let refers = words.iter().skip(1).filter_map(Word::literal);
                    let mut refers = refers.filter(|text| text.starts_with('-') && text.contains('n'));
                    if let (Some(_), Some(other)) = (refers.next(), value.literal()) {
                        self.scope.refer(&name, other);
                    }
                    let mut word = Word::plain(format!("{name}="));
                    word.append(&value.word());
                    words.push(word);
                    self.declare_local(declaration.keyword, &name);
                    self.scope.set(&name, value.clone());
                    set.push((name, value));
                }
            }
        }
        self.assemble(source, statement, words, set);
    }

    /// Remembers what a variable is outside the function that declares it.
    fn declare_local(&mut self, keyword: &str, name: &str) {
        if let (Some(locals), "local" | "declare" | "typeset") = (&mut self.locals, keyword) {
            locals.push((name.to_owned(), self.scope.get(name).cloned()));
        }
    }

    fn assemble(
        &mut self,
        source: &ShellSource<'t>,
        statement: &'t Statement<'t>,
        mut words: Vec<Word>,
        set: Vec<(String, VariableValue)>,
    ) {
        let (mut redirects, stdin) = self.redirects(source, &statement.redirects);
        // `exec 3>file` leaves the descriptor open for every command after it.
        let is_exec = words.first().and_then(Word::literal) == Some("exec");
        let opened = match (is_exec, words.get(1)) {
            (false, _) => None,
            (true, None) => Some(None),
            // The parser takes the number in front of `<<<` for a word.
            (true, Some(number)) => {
                let alone = words.len() == 2;
                alone.then(|| number.literal()?.parse().ok()).flatten().map(Some)
            }
        };
        if let Some(number) = opened {
            for Redirect { kind, descriptor, target } in &redirects {
                let implied = number.unwrap_or(i32::from(!kind.reads()));
                self.scope.open_descriptor(descriptor.unwrap_or(implied), *kind, target.clone());
            }
        } else if let Some((kind, target)) = self.scope.descriptor("1").filter(|(_, target)| is_wire(target))
        {
            redirects.push(Redirect { kind, descriptor: None, target });
        }
        for word in &mut words {
            if let Some(target) = self.behind_descriptor(word, &redirects) {
                *word = target;
            }
        }
        let mut command = self.blank(source.original(statement.span.start, statement.span.end));
        command.words = words;
        command
            .assignments
            .extend(set.into_iter().map(|(name, value)| Assignment { name, value: value.word() }));
        command.redirects = redirects;
        if let Some((stdin, fed_by)) = stdin {
            (command.stdin, command.fed_by) = (stdin, fed_by);
        }
        let sinks = std::mem::take(&mut self.sinks);
        self.run(command);
        self.fill(&sinks);
    }

    /// The target of a descriptor: opened by the command itself, or by `exec` before.
    fn descriptor(&self, number: &str, opened: &[Redirect]) -> Option<(RedirectKind, Word)> {
        let own =
            opened.iter().rfind(|each| each.descriptor.is_some() && each.descriptor == number.parse().ok());
        own.map(|each| (each.kind, each.target.clone())).or_else(|| self.scope.descriptor(number))
    }

    /// For `/dev/fd/3` the file that was opened under that number.
    fn behind_descriptor(&self, word: &Word, opened: &[Redirect]) -> Option<Word> {
        let number = word.literal()?.strip_prefix("/dev/fd/")?;
        match self.descriptor(number, opened)? {
            (RedirectKind::Read | RedirectKind::ReadWrite, target) => Some(target),
            _ => None,
        }
    }

    /// Lets the commands in `>(…)` read what was listed last.
    fn fill(&mut self, sinks: &[usize]) {
        let Some(writer) = self.commands.iter().rposition(|each| !each.is_possible()) else { return };
        for sink in sinks {
            if let Some(command) = self.commands.get_mut(*sink).filter(|each| each.stdin == Stdin::None) {
                (command.stdin, command.fed_by) = (Stdin::Pipe(writer), vec![writer]);
            }
        }
    }

    fn assigned(
        &mut self,
        source: &ShellSource<'t>,
        assignment: &'t tree::Assignment<'t>,
    ) -> (String, VariableValue) {
        let name = assignment.name;
        for subscript in &assignment.subscripts {
            self.embedded(source, subscript.of(source.text), *subscript);
        }
        let value = match &assignment.value {
            tree::Assigned::Scalar(word) => VariableValue::Scalar(self.as_one(source, word)),
            tree::Assigned::List(words) => VariableValue::List(self.all_fields(source, words)),
        };
        let value = match (self.scope.get(name), value) {
            // One element of an array, or arithmetic on it: nothing that a program would be named by.
            (_, value) if assignment.subscripted => VariableValue::List(vec![value.word(), Word::unknown()]),
            (Some(VariableValue::Scalar(old)), VariableValue::Scalar(new)) if assignment.append => {
                let mut both = old.clone();
                both.append(&new);
                VariableValue::Scalar(both)
            }
            (Some(VariableValue::List(old)), VariableValue::List(new)) if assignment.append => {
                VariableValue::List(old.iter().cloned().chain(new).collect())
            }
            (_, new) if assignment.append => {
                let mut both = Word { parts: vec![WordPart::Variable(name.to_owned())] };
                both.append(&join(new.words()));
                VariableValue::Scalar(both)
            }
            (_, value) => value,
        };
        (name.to_owned(), value)
    }

    /// The redirects that touch a file or carry a text, and what they make of standard input.
    pub(super) fn redirects(
        &mut self,
        source: &ShellSource<'t>,
        redirects: &'t [tree::Redirect<'t>],
    ) -> (Vec<Redirect>, Option<(Stdin, Vec<usize>)>) {
        let mut listed = Vec::new();
        let mut stdin = None;
        for redirect in redirects {
            let target = match &redirect.target {
                Target::Word(word) => self.as_one(source, word),
                Target::Document(pieces) => self.document(source, pieces),
            };
            let number = |word: &Word| {
                word.literal()
                    .is_some_and(|text| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit()))
            };
            let duplicates =
                matches!(redirect.operator, Operator::DuplicateOutput | Operator::DuplicateInput);
            // `>&${COPROC[1]}` writes to what the coprocess reads.
            if let (Operator::DuplicateOutput, [WordPart::Stream(reader)]) =
                (redirect.operator, target.parts.as_slice())
            {
                self.sinks.push(*reader);
                continue;
            }
            let opened = match target.literal() {
                Some(text) if duplicates => self.descriptor(text, &listed),
                _ => None,
            };
            let descriptor = redirect.descriptor.or_else(|| {
                let number = self.scope.next_descriptor();
                redirect.variable.map(|name| {
                    self.scope.set(name, VariableValue::Scalar(Word::plain(number.to_string())));
                    number
                })
            });
            // Both readers say the same of `>x` and `1>x`.
            let descriptor = descriptor.filter(|number| *number != redirect.operator.implied_descriptor());
            if let Some((kind, target)) = opened {
                let number = redirect.descriptor.unwrap_or(redirect.operator.implied_descriptor());
                if number == 0 && kind.reads() {
                    stdin = Some(given(kind, &target));
                }
                listed.push(Redirect { kind, descriptor, target });
                continue;
            }
            let kind = match redirect.operator {
                Operator::Write => RedirectKind::Write,
                Operator::Append => RedirectKind::Append,
                Operator::Read => RedirectKind::Read,
                Operator::ReadWrite => RedirectKind::ReadWrite,
                Operator::HereDocument => RedirectKind::HereDoc,
                Operator::HereString => RedirectKind::HereString,
                Operator::DuplicateOutput | Operator::DuplicateInput if number(&target) => continue,
                Operator::DuplicateOutput => RedirectKind::Write,
                Operator::DuplicateInput => RedirectKind::Read,
            };
            if matches!(redirect.descriptor, None | Some(0)) {
                stdin = kind.reads().then(|| given(kind, &target)).or(stdin);
            }
            listed.push(Redirect { kind, descriptor, target });
        }
        (listed, stdin)
    }

    /// Redirects whose command is not listed itself are listed as a command without words.
    pub(super) fn list_redirects(&mut self, mut redirects: Vec<Redirect>, span: Range<usize>) {
        redirects
            .retain(|redirect| !matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString));
        if !redirects.is_empty() {
            let command = Command { redirects, ..self.blank(span) };
            self.push(command);
        }
    }

    fn document(&mut self, source: &ShellSource<'t>, pieces: &'t [tree::Piece<'t>]) -> Word {
        let mut fields = Fields::default();
        for piece in pieces {
            self.piece(source, piece, Quoting::Document, &mut fields);
        }
        fields.finish_as_one()
    }
}

/// A connection to another machine.
fn is_wire(word: &Word) -> bool {
    word.starts_with("/dev/tcp/") || word.starts_with("/dev/udp/")
}

/// The standard input that a redirect of this target makes: a text, or the output of other commands.
fn given(kind: RedirectKind, target: &Word) -> (Stdin, Vec<usize>) {
    let is_text = matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    if let Some(text) = target.literal().filter(|_| is_text) {
        return (Stdin::Text(text.to_owned()), Vec::new());
    }
    let fed_by: Vec<_> = target.sources().collect();
    (fed_by.last().map_or(Stdin::None, |last| Stdin::Pipe(*last)), fed_by)
}
