//! Simple commands out of the tree: words, assignments, redirects.

use super::command::{Assignment, Command, Redirect, RedirectKind, Stdin};
use super::expand::literal;
use super::fields::{Fields, Quoting};
use super::scope::{Value, join};
use super::source::Source;
use super::walk::{Walker, kept};
use super::word::Word;
use shuck_ast::{self as ast, Stmt};
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
        source: &Source<'t>,
        statement: &'t Stmt,
        command: &'t ast::SimpleCommand,
    ) {
        let mut words = Vec::with_capacity(1 + command.args.len());
        for word in std::iter::once(&command.name).chain(&command.args) {
            self.fields(source, word, &mut words);
        }
        let set: Vec<_> = command.assignments.iter().map(|each| self.assigned(source, each)).collect();
        if words.is_empty() {
            for (name, value) in &set {
                self.scope.set(name, value.clone());
            }
        }
        let ends = command.args.iter().map(|word| word.span).chain([command.name.span]);
        self.assemble(source, statement, words, set, end_of(ends));
    }

    pub(super) fn declaration(
        &mut self,
        source: &Source<'t>,
        statement: &'t Stmt,
        clause: &'t ast::DeclClause,
    ) {
        let mut words = vec![Word::plain(clause.variant.as_str())];
        let mut set: Vec<_> = clause.assignments.iter().map(|each| self.assigned(source, each)).collect();
        let mut end = clause.variant_span.end.offset();
        for operand in &clause.operands {
            match operand {
                ast::DeclOperand::Flag(word) | ast::DeclOperand::Dynamic(word) => {
                    self.fields(source, word, &mut words);
                    end = end.max(word.span.end.offset());
                }
                ast::DeclOperand::Name(reference) => {
                    words.push(Word::plain(reference.name.as_str()));
                    end = end.max(reference.span.end.offset());
                }
                ast::DeclOperand::Assignment(assignment) => {
                    let (name, value) = self.assigned(source, assignment);
                    let mut word = Word::plain(format!("{name}="));
                    word.append(&value.word());
                    words.push(word);
                    self.scope.set(&name, value.clone());
                    set.push((name, value));
                    end = end.max(assignment.span.end.offset());
                }
            }
        }
        self.assemble(source, statement, words, set, end);
    }

    pub(super) fn flow(
        &mut self,
        source: &Source<'t>,
        statement: &'t Stmt,
        builtin: &'t ast::BuiltinCommand,
    ) {
        let (name, argument, rest) = match builtin {
            ast::BuiltinCommand::Break(command) => ("break", &command.depth, &command.extra_args),
            ast::BuiltinCommand::Continue(command) => ("continue", &command.depth, &command.extra_args),
            ast::BuiltinCommand::Return(command) => ("return", &command.code, &command.extra_args),
            ast::BuiltinCommand::Exit(command) => ("exit", &command.code, &command.extra_args),
        };
        let mut words = vec![Word::plain(name)];
        for word in argument.iter().chain(rest) {
            self.fields(source, word, &mut words);
        }
        let end = end_of(argument.iter().chain(rest).map(|word| word.span));
        self.assemble(
            source,
            statement,
            words,
            Vec::new(),
            end.max(statement.span.start.offset() + name.len()),
        );
    }

    fn assemble(
        &mut self,
        source: &Source<'t>,
        statement: &'t Stmt,
        words: Vec<Word>,
        set: Vec<(String, Value)>,
        end: usize,
    ) {
        let (redirects, stdin) = self.redirects(source, &statement.redirects);
        let start = statement.span.start.offset();
        let span = match &statement.command {
            ast::Command::Simple(command) => {
                let assigned = command.assignments.iter().map(|each| each.span);
                end.max(end_of(assigned))
            }
            _ => end,
        };
        let redirected = statement.redirects.iter().filter(|redirect| redirect.heredoc().is_none());
        let end = span.max(end_of(redirected.map(|redirect| redirect.span)));
        let mut command = self.blank(source.original(start, end));
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

    /// Lets the commands in `>(…)` read what was listed last.
    fn fill(&mut self, sinks: &[usize]) {
        let Some(writer) = self.commands.len().checked_sub(1) else { return };
        for sink in sinks {
            if let Some(command) = self.commands.get_mut(*sink).filter(|each| each.stdin == Stdin::None) {
                (command.stdin, command.fed_by) = (Stdin::Pipe(writer), vec![writer]);
            }
        }
    }

    fn assigned(&mut self, source: &Source<'t>, assignment: &'t ast::Assignment) -> (String, Value) {
        let name = assignment.target.name.as_str();
        let value = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => {
                self.check(source, word);
                Value::Scalar(self.as_one(source, word))
            }
            ast::AssignmentValue::Compound(array) => {
                let words = array.elements.iter().map(|each| -> &ast::Word { each.value() });
                Value::List(self.all_fields(source, words))
            }
        };
        let value = match (self.scope.get(name), value) {
            // One element of an array, or arithmetic on it: nothing that a program would be named by.
            (_, value) if assignment.target.subscript.is_some() => {
                Value::List(vec![value.word(), Word::unknown()])
            }
            (Some(Value::Scalar(old)), Value::Scalar(new)) if assignment.append => {
                let mut both = old.clone();
                both.append(&new);
                Value::Scalar(both)
            }
            (Some(Value::List(old)), Value::List(new)) if assignment.append => {
                Value::List(old.iter().cloned().chain(new).collect())
            }
            (_, new) if assignment.append => {
                let mut both = Word { parts: vec![super::word::Part::Variable(name.to_owned())] };
                both.append(&join(new.words()));
                Value::Scalar(both)
            }
            (_, value) => value,
        };
        (name.to_owned(), value)
    }

    /// The redirects that touch a file or carry a text, and what they make of standard input.
    pub(super) fn redirects(
        &mut self,
        source: &Source<'t>,
        redirects: &'t [ast::Redirect],
    ) -> (Vec<Redirect>, Option<(Stdin, Vec<usize>)>) {
        let mut listed = Vec::new();
        let mut stdin = None;
        for redirect in redirects {
            let target = match &redirect.target {
                ast::RedirectTarget::Word(word) => {
                    self.check(source, word);
                    self.as_one(source, word)
                }
                ast::RedirectTarget::Heredoc(document) => self.document(source, document),
            };
            let number = |word: &Word| {
                word.literal()
                    .is_some_and(|text| text == "-" || text.bytes().all(|byte| byte.is_ascii_digit()))
            };
            let kind = match redirect.kind {
                ast::RedirectKind::Output | ast::RedirectKind::Clobber | ast::RedirectKind::OutputBoth => {
                    RedirectKind::Write
                }
                ast::RedirectKind::Append => RedirectKind::Append,
                ast::RedirectKind::Input => RedirectKind::Read,
                ast::RedirectKind::ReadWrite => RedirectKind::ReadWrite,
                ast::RedirectKind::HereDoc | ast::RedirectKind::HereDocStrip => RedirectKind::HereDoc,
                ast::RedirectKind::HereString => RedirectKind::HereString,
                ast::RedirectKind::DupOutput | ast::RedirectKind::DupInput if number(&target) => continue,
                ast::RedirectKind::DupOutput => RedirectKind::Write,
                ast::RedirectKind::DupInput => RedirectKind::Read,
            };
            if matches!(redirect.fd, None | Some(0)) {
                match kind {
                    RedirectKind::HereDoc
                    | RedirectKind::HereString
                    | RedirectKind::Read
                    | RedirectKind::ReadWrite => stdin = Some(given(kind, &target)),
                    RedirectKind::Write | RedirectKind::Append => {}
                }
            }
            listed.push(Redirect { kind, target });
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

    fn document(&mut self, source: &Source<'t>, document: &'t ast::Heredoc) -> Word {
        let mut fields = Fields::default();
        // The parser takes every second delimiter on a line for a quoted one.
        let delimiter = &document.delimiter;
        if !delimiter.quoted
            || !(delimiter.raw.has_quoted_parts() || delimiter.span.slice(source.text).contains('\\'))
        {
            self.document_parts(source, &document.body, &mut fields);
        } else {
            fields.open().push_text(&document.body.render(source.text));
        }
        fields.finish_as_one()
    }

    fn document_parts(&mut self, source: &Source<'t>, body: &'t ast::HeredocBody, fields: &mut Fields) {
        // The parser keeps some bodies as one literal although they expand; those are read once more.
        if !body.mode.expands() {
            let text = body.render(source.text);
            if text.contains(['$', '`']) {
                self.embedded(source, kept(&text), body.span);
                fields.open().push(super::word::Part::Unknown);
            }
            fields.open().push_text(&text);
            return;
        }
        for part in &body.parts {
            match &part.kind {
                ast::HeredocBodyPart::Literal(text) => {
                    literal(source, text, part.span, Quoting::Document, fields);
                }
                ast::HeredocBodyPart::Variable(name) => {
                    self.variable(name.as_str(), Quoting::Document, fields);
                }
                ast::HeredocBodyPart::CommandSubstitution { body, syntax } => {
                    self.substitution(source, body, *syntax, part.span, Quoting::Document, fields);
                }
                ast::HeredocBodyPart::ArithmeticExpansion { .. } => {
                    self.embedded(source, part.span.slice(source.text), part.span);
                    fields.open().push(super::word::Part::Unknown);
                }
                ast::HeredocBodyPart::Parameter(parameter) => {
                    self.parameter(source, parameter, Quoting::Document, fields);
                }
            }
        }
    }
}

/// What a redirect of this target makes of standard input: a text, or what other commands print.
fn given(kind: RedirectKind, target: &Word) -> (Stdin, Vec<usize>) {
    let is_text = matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    if let Some(text) = target.literal().filter(|_| is_text) {
        return (Stdin::Text(text.to_owned()), Vec::new());
    }
    let fed_by: Vec<_> = target.sources().collect();
    (fed_by.last().map_or(Stdin::None, |last| Stdin::Pipe(*last)), fed_by)
}

fn end_of(spans: impl Iterator<Item = ast::Span>) -> usize {
    spans.map(|span| span.end.offset()).max().unwrap_or_default()
}
