//! The tree as shuck-parser has it. Its types, and the workarounds for what it gets wrong, stay in this folder.

mod word;

use super::depth::is_too_deep;
use super::tree::{
    Assigned, Assignment, Declaration, Form, Joint, Node, Operand, Operator, Redirect, Sequence, Span,
    Statement, Target, Values, Word,
};
use super::unfinished::unfinished;
use super::{Fault, Syntax};
use shuck_ast as ast;
use shuck_parser::parser::{ParseResult, Parser, ShellDialect, ShellProfile};

const FUEL: usize = 100_000;

pub(in crate::pure::shell) fn read(text: &str, depth: usize) -> Option<Syntax<'_>> {
    if is_too_deep(text) {
        return None;
    }
    let profile = ShellProfile::native(ShellDialect::Bash);
    let result = Parser::with_limits_and_profile(text, depth, FUEL.max(text.len()), profile).parse();
    let fault = result.is_err().then(|| fault(text, &result));
    let mut copier = Copier { text, runs_on: false };
    let body = copier.sequence(&kept(result).file.body);
    Some(Syntax { body, fault, runs_on: copier.runs_on })
}

/// Reads a text as one word.
pub(in crate::pure::shell) fn word(text: &str) -> Word<'_> {
    Copier { text, runs_on: false }.word(kept(Parser::parse_word_string(text)))
}

/// Why a text does not parse.
fn fault(text: &str, result: &ParseResult) -> Fault {
    let limit = result.terminal_error.as_ref().is_some_and(|error| {
        let message = error.to_string();
        ["too deep", "too long", "fuel"].iter().any(|limit| message.contains(limit))
    });
    match limit {
        true => Fault::TooDeep,
        false => unfinished(text, result).map_or(Fault::Syntax, Fault::Unfinished),
    }
}

/// The parser's tree stays until the process ends: a hook ends right after this, so freeing thousands of nodes one by
/// one would be wasted work.
fn kept<T>(node: T) -> &'static T {
    Box::leak(Box::new(node))
}

fn span(span: ast::Span) -> Span {
    Span { start: span.start.offset(), end: span.end.offset() }
}

struct Copier<'t> {
    text: &'t str,
    runs_on: bool,
}

impl<'t> Copier<'t> {
    /// The source text there. The parser may point into the middle of a character, which must not count as empty.
    fn raw(&mut self, span: ast::Span) -> &'t str {
        let text = self.text.get(span.start.offset()..span.end.offset());
        self.runs_on |= text.is_none();
        text.unwrap_or_default()
    }

    fn source(&mut self, text: &'static ast::SourceText) -> &'t str {
        if text.is_source_backed() { self.raw(text.span()) } else { text.slice("") }
    }

    fn sequence(&mut self, sequence: &'static ast::StmtSeq) -> Sequence<'t> {
        let statements = sequence.iter().map(|each| self.statement(each)).collect();
        Sequence { statements, span: span(sequence.span) }
    }

    fn statement(&mut self, statement: &'static ast::Stmt) -> Statement<'t> {
        let node = self.node(statement);
        let redirects = statement.redirects.iter().map(|each| self.redirect(each)).collect();
        let span = match &statement.command {
            ast::Command::Simple(_) | ast::Command::Decl(_) | ast::Command::Builtin(_) => {
                command_span(statement)
            }
            _ => span(statement.span),
        };
        let background = matches!(statement.terminator, Some(ast::StmtTerminator::Background(_)));
        Statement { node, redirects, background, span }
    }

    /// One statement where the tree wants a sequence.
    fn alone(&mut self, statement: &'static ast::Stmt) -> Sequence<'t> {
        Sequence { statements: vec![self.statement(statement)], span: span(statement.span) }
    }

    fn node(&mut self, statement: &'static ast::Stmt) -> Node<'t> {
        match &statement.command {
            ast::Command::Simple(command) => Node::Simple {
                assignments: self.assignments(&command.assignments),
                words: self.words(std::iter::once(&command.name).chain(&command.args)),
            },
            ast::Command::Decl(clause) => Node::Declaration(Declaration {
                keyword: clause.variant.as_str(),
                assignments: self.assignments(&clause.assignments),
                operands: clause.operands.iter().filter_map(|each| self.operand(each)).collect(),
            }),
            ast::Command::Builtin(builtin) => self.flow(builtin),
            ast::Command::Binary(_) => self.chain(statement),
            ast::Command::Compound(compound) => self.compound(compound),
            ast::Command::Function(function) => Node::Function {
                names: function.static_names().map(ast::Name::as_str).collect(),
                body: Box::new(self.statement(&function.body)),
            },
            ast::Command::AnonymousFunction(function) => Node::Group(self.alone(&function.body)),
        }
    }

    fn flow(&mut self, builtin: &'static ast::BuiltinCommand) -> Node<'t> {
        let (name, whole, argument, rest) = flow(builtin);
        let start = whole.start;
        let mut words = vec![Word { form: Form::Plain(name), span: Span { start, end: start + name.len() } }];
        words.extend(self.words(argument.iter().chain(rest)));
        Node::Simple { assignments: Vec::new(), words }
    }

    /// The parser's tree leans left, as deep as the chain is long, so it is unrolled.
    fn chain(&mut self, statement: &'static ast::Stmt) -> Node<'t> {
        let mut links = Vec::new();
        let mut first = statement;
        while let ast::Command::Binary(binary) = &first.command {
            links.push((binary.op, &*binary.right));
            first = &binary.left;
        }
        let mut chain = vec![(Joint::And, self.statement(first))];
        for (operator, right) in links.into_iter().rev() {
            let joint = match operator {
                ast::BinaryOp::And => Joint::And,
                ast::BinaryOp::Or => Joint::Or,
                ast::BinaryOp::Pipe | ast::BinaryOp::PipeAll => Joint::Pipe,
            };
            chain.push((joint, self.statement(right)));
        }
        Node::Chain(chain)
    }

    fn compound(&mut self, compound: &'static ast::CompoundCommand) -> Node<'t> {
        use ast::CompoundCommand as Compound;
        match compound {
            Compound::If(command) => {
                let mut branches = vec![&command.then_branch];
                for (condition, body) in &command.elif_branches {
                    branches.extend([condition, body]);
                }
                branches.extend(&command.else_branch);
                let condition = self.sequence(&command.condition);
                Node::If {
                    condition,
                    branches: branches.into_iter().map(|each| self.sequence(each)).collect(),
                }
            }
            Compound::Case(command) => Node::Case {
                subject: self.checked(&command.word),
                patterns: command
                    .cases
                    .iter()
                    .filter_map(|case| Some((case.patterns.first()?.span, case.patterns.last()?.span)))
                    .map(|(first, last)| span(first.merge(last)))
                    .collect(),
                branches: command.cases.iter().map(|case| self.sequence(&case.body)).collect(),
            },
            Compound::For(command) => Node::Each {
                name: command.targets.first().and_then(|target| target.name.as_ref()).map(ast::Name::as_str),
                values: command
                    .words
                    .as_ref()
                    .map_or(Values::Arguments, |words| Values::Words(self.words(words))),
                body: self.sequence(&command.body),
            },
            Compound::Foreach(command) => Node::Each {
                name: Some(command.variable.as_str()),
                values: Values::Words(self.words(&command.words)),
                body: self.sequence(&command.body),
            },
            Compound::Select(command) => Node::Each {
                name: Some(command.variable.as_str()),
                values: Values::Picked(self.words(&command.words)),
                body: self.sequence(&command.body),
            },
            Compound::While(command) => self.again(None, &[&command.condition, &command.body]),
            Compound::Until(command) => self.again(None, &[&command.condition, &command.body]),
            Compound::Repeat(command) => self.again(None, &[&command.body]),
            Compound::ArithmeticFor(command) => {
                let header = command.left_paren_span.merge(command.right_paren_span);
                self.again(Some(span(header)), &[&command.body])
            }
            Compound::Subshell(body) => Node::Subshell(self.sequence(body)),
            Compound::BraceGroup(body) => Node::Group(self.sequence(body)),
            Compound::Arithmetic(command) => Node::Test(span(command.span)),
            Compound::Conditional(command) => Node::Test(span(command.span)),
            Compound::Time(command) => match &command.command {
                Some(inner) => Node::Group(self.alone(inner)),
                None => Node::Group(Sequence { statements: Vec::new(), span: span(command.span) }),
            },
            Compound::Coproc(command) => {
                Node::Coprocess { name: command.name.as_str(), body: self.alone(&command.body) }
            }
            Compound::Always(command) => {
                let mut both = self.sequence(&command.body);
                both.statements.extend(self.sequence(&command.always_body).statements);
                Node::Group(both)
            }
        }
    }

    fn again(&mut self, header: Option<Span>, bodies: &[&'static ast::StmtSeq]) -> Node<'t> {
        Node::Again { header, bodies: bodies.iter().map(|each| self.sequence(each)).collect() }
    }

    fn operand(&mut self, operand: &'static ast::DeclOperand) -> Option<Operand<'t>> {
        Some(match operand {
            ast::DeclOperand::Flag(word) | ast::DeclOperand::Dynamic(word) => {
                Operand::Word(self.words([word]).pop()?)
            }
            ast::DeclOperand::Name(reference) => Operand::Name(reference.name.as_str()),
            ast::DeclOperand::Assignment(assignment) => Operand::Assignment(self.assignment(assignment)),
        })
    }

    fn assignments(&mut self, assignments: &'static [ast::Assignment]) -> Vec<Assignment<'t>> {
        assignments.iter().map(|each| self.assignment(each)).collect()
    }

    fn assignment(&mut self, assignment: &'static ast::Assignment) -> Assignment<'t> {
        let value = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => Assigned::Scalar(self.checked(word)),
            ast::AssignmentValue::Compound(array) => {
                Assigned::List(self.words(array.elements.iter().map(|each| -> &ast::Word { each.value() })))
            }
        };
        let own = assignment.target.subscript.as_deref();
        let keys: &[ast::ArrayElem] = match &assignment.value {
            ast::AssignmentValue::Scalar(_) => &[],
            ast::AssignmentValue::Compound(array) => &array.elements,
        };
        let keys = keys.iter().filter_map(|element| match element {
            ast::ArrayElem::Sequential(_) => None,
            ast::ArrayElem::Keyed { key, .. } | ast::ArrayElem::KeyedAppend { key, .. } => Some(key),
        });
        Assignment {
            name: assignment.target.name.as_str(),
            subscripted: own.is_some(),
            subscripts: own
                .into_iter()
                .chain(keys)
                .map(|each| span(each.syntax_source_text().span()))
                .collect(),
            append: assignment.append,
            value,
        }
    }

    fn redirect(&mut self, redirect: &'static ast::Redirect) -> Redirect<'t> {
        let target = match &redirect.target {
            ast::RedirectTarget::Word(word) => Target::Word(self.checked(word)),
            ast::RedirectTarget::Heredoc(document) => Target::Document(self.document(document)),
        };
        let operator = match redirect.kind {
            ast::RedirectKind::Output | ast::RedirectKind::Clobber | ast::RedirectKind::OutputBoth => {
                Operator::Write
            }
            ast::RedirectKind::Append => Operator::Append,
            ast::RedirectKind::Input => Operator::Read,
            ast::RedirectKind::ReadWrite => Operator::ReadWrite,
            ast::RedirectKind::HereDoc | ast::RedirectKind::HereDocStrip => Operator::HereDocument,
            ast::RedirectKind::HereString => Operator::HereString,
            ast::RedirectKind::DupOutput => Operator::DuplicateOutput,
            ast::RedirectKind::DupInput => Operator::DuplicateInput,
        };
        let variable = redirect.fd_var.as_ref().map(|name| name.as_str());
        Redirect { operator, descriptor: redirect.fd, variable, target }
    }
}

/// From the first word to the last, without the bodies of here-documents.
fn command_span(statement: &'static ast::Stmt) -> Span {
    let end = |span: ast::Span| span.end.offset();
    let last = |ends: &mut dyn Iterator<Item = usize>| ends.max().unwrap_or_default();
    let mut start = statement.span.start.offset();
    let words = match &statement.command {
        ast::Command::Simple(command) => {
            start = command.span.start.offset();
            let words = command.args.iter().chain([&command.name]).map(|word| end(word.span));
            last(&mut words.chain(command.assignments.iter().map(|each| end(each.span))))
        }
        ast::Command::Decl(clause) => {
            start = clause.span.start.offset();
            let operands = clause.operands.iter().map(|operand| match operand {
                ast::DeclOperand::Flag(word) | ast::DeclOperand::Dynamic(word) => end(word.span),
                ast::DeclOperand::Name(reference) => end(reference.span),
                ast::DeclOperand::Assignment(assignment) => end(assignment.span),
            });
            last(&mut operands.chain([end(clause.variant_span)]))
        }
        ast::Command::Builtin(builtin) => {
            let (name, whole, argument, rest) = flow(builtin);
            start = whole.start;
            let words = argument.iter().chain(rest).map(|word| end(word.span));
            last(&mut words.chain([start + name.len()]))
        }
        _ => end(statement.span),
    };
    let redirects = statement.redirects.iter().filter(|redirect| redirect.heredoc().is_none());
    Span { start, end: last(&mut redirects.map(|redirect| end(redirect.span)).chain([words])) }
}

type Flow = (&'static str, Span, &'static Option<ast::Word>, &'static [ast::Word]);

/// The name, the span, the first argument and the rest of a command that leaves a loop, a function or the shell.
fn flow(builtin: &'static ast::BuiltinCommand) -> Flow {
    match builtin {
        ast::BuiltinCommand::Break(it) => ("break", span(it.span), &it.depth, &it.extra_args),
        ast::BuiltinCommand::Continue(it) => ("continue", span(it.span), &it.depth, &it.extra_args),
        ast::BuiltinCommand::Return(it) => ("return", span(it.span), &it.code, &it.extra_args),
        ast::BuiltinCommand::Exit(it) => ("exit", span(it.span), &it.code, &it.extra_args),
    }
}
