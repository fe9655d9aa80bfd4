//! Follows the syntax tree the way a shell would, down to simple commands.

use super::budget::Budget;
use super::command::{Assignment, Command, Stdin, Wrapper};
use super::fast;
use super::parsed::{Opaque, Parsed};
use super::scope::Scope;
use super::source::{Origin, Source};
use super::{output, word::Word};
use shuck_ast::{self as ast, BinaryOp, Stmt, StmtSeq};
use shuck_parser::parser::{ParseResult, Parser, ShellDialect, ShellProfile};

/// Levels of syntax open at once, over all nested texts; bounds the stack of the parser and of this walk.
const MAX_DEPTH: usize = 100;
/// Texts inside texts: `sh -c "sh -c '…'"`.
const MAX_TEXTS: usize = 8;
const FUEL: usize = 100_000;

/// What a command inherits from everything around it.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    pub(super) via: Vec<Wrapper>,
    pub(super) remote: bool,
    pub(super) background: bool,
    pub(super) stdin: Stdin,
    pub(super) assignments: Vec<Assignment>,
    pub(super) unset: Vec<String>,
}

/// A function of the text; its body is followed where it is called, or at the end if it never is.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) text: String,
    pub(super) origin: Origin,
    pub(super) called: bool,
}

pub(super) struct Walker<'b> {
    pub(super) budget: &'b mut Budget,
    pub(super) commands: Vec<Command>,
    pub(super) scope: Scope,
    pub(super) frame: Frame,
    pub(super) functions: Vec<Function>,
    opaque: Option<Opaque>,
    depth: usize,
    texts: usize,
}

impl<'b> Walker<'b> {
    pub(super) fn new(budget: &'b mut Budget) -> Self {
        Self {
            budget,
            commands: Vec::new(),
            scope: Scope::default(),
            frame: Frame::default(),
            functions: Vec::new(),
            opaque: None,
            depth: 0,
            texts: 0,
        }
    }

    pub(super) fn finish(mut self) -> Parsed {
        let mut index = 0;
        while let Some(function) = self.functions.get_mut(index) {
            index += 1;
            if !function.called {
                function.called = true;
                let (text, origin) = (function.text.clone(), function.origin.clone());
                self.frame = Frame { via: vec![Wrapper::Function], ..Frame::default() };
                self.text(&text, &origin);
            }
        }
        Parsed { commands: self.commands, opaque: self.opaque }
    }

    /// Remembers the first reason why the list may be incomplete.
    pub(super) fn note(&mut self, reason: Opaque) {
        self.opaque.get_or_insert(reason);
    }

    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let enough = self.budget.spend(steps);
        if !enough {
            self.note(Opaque::BudgetSpent);
        }
        enough
    }

    pub(super) fn is_spent(&self) -> bool {
        self.opaque == Some(Opaque::BudgetSpent)
    }

    /// Lists the commands of a whole text.
    pub(super) fn text(&mut self, text: &str, origin: &Origin) {
        if !self.spend(text.len()) {
            return;
        }
        let source = Source { text, origin: origin.clone() };
        if let Some(words) = fast::plain_words(text) {
            let start = text.len() - text.trim_start_matches([' ', '\t']).len();
            let span = source.original(start, text.trim_end_matches([' ', '\t']).len());
            let command = Command { words, ..self.blank(span) };
            self.run(command);
            return;
        }
        let Some(result) = self.tree(text) else { return };
        self.texts += 1;
        self.sequence(&source, &result.file.body);
        self.texts -= 1;
        // A hook ends right after this, so freeing thousands of nodes one by one would be wasted work.
        std::mem::forget(result);
    }

    /// The syntax tree of a text, unless it is nested too deeply.
    pub(super) fn tree(&mut self, text: &str) -> Option<ParseResult> {
        if self.texts > MAX_TEXTS || self.depth >= MAX_DEPTH || has_unclosed_expansions(text) {
            self.note(Opaque::TooDeep);
            return None;
        }
        let profile = ShellProfile::native(ShellDialect::Bash);
        let fuel = FUEL.max(text.len());
        let result = Parser::with_limits_and_profile(text, MAX_DEPTH - self.depth, fuel, profile).parse();
        if result.is_err() {
            let limit = result.terminal_error.as_ref().is_some_and(|error| {
                let message = error.to_string();
                ["too deep", "too long", "fuel"].iter().any(|limit| message.contains(limit))
            });
            self.note(if limit { Opaque::TooDeep } else { Opaque::Syntax });
        }
        Some(result)
    }

    pub(super) fn sequence(&mut self, source: &Source<'_>, sequence: &StmtSeq) {
        for statement in sequence.iter() {
            self.statement(source, statement);
        }
    }

    pub(super) fn statement(&mut self, source: &Source<'_>, statement: &Stmt) {
        if !self.spend(1) {
            return;
        }
        if !self.enter() {
            return;
        }
        if matches!(statement.terminator, Some(ast::StmtTerminator::Background(_))) {
            let outer = std::mem::replace(&mut self.frame.background, true);
            self.subshell(|walker| walker.command(source, statement));
            self.frame.background = outer;
        } else {
            self.command(source, statement);
        }
        self.leave();
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn enter(&mut self) -> bool {
        let deeper = self.depth < MAX_DEPTH;
        if deeper {
            self.depth += 1;
        } else {
            self.note(Opaque::TooDeep);
        }
        deeper
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// What happens inside leaves no variable and no directory behind.
    pub(super) fn subshell(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = self.scope.clone();
        inside(self);
        self.scope = outer;
    }

    fn command(&mut self, source: &Source<'_>, statement: &Stmt) {
        match &statement.command {
            ast::Command::Simple(command) => self.simple(source, statement, command),
            ast::Command::Decl(clause) => self.declaration(source, statement, clause),
            ast::Command::Builtin(builtin) => self.flow(source, statement, builtin),
            ast::Command::Binary(_) => self.chain(source, statement),
            ast::Command::Compound(compound) => {
                self.redirected(source, statement, |walker| walker.compound(source, compound));
            }
            ast::Command::Function(function) => self.define(source, function),
            ast::Command::AnonymousFunction(function) => self.statement(source, &function.body),
        }
    }

    /// The redirects of a compound command are listed as a command of their own, without words.
    fn redirected(&mut self, source: &Source<'_>, statement: &Stmt, inside: impl FnOnce(&mut Self)) {
        if statement.redirects.is_empty() {
            return inside(self);
        }
        let (redirects, stdin) = self.redirects(source, &statement.redirects);
        let span = source.original(statement.span.start.offset(), statement.span.end.offset());
        let outer = self.frame.stdin.clone();
        if let Some(stdin) = stdin {
            self.frame.stdin = stdin;
        }
        self.list_redirects(redirects, span);
        inside(self);
        self.frame.stdin = outer;
    }

    fn define(&mut self, source: &Source<'_>, function: &ast::FunctionDef) {
        // The body's own span may begin after its bracket, so the text is taken from the end of the header on.
        let start = function.header.span().end.offset();
        let text = source.text.get(start..function.span.end.offset()).unwrap_or_default();
        let function_index = self.functions.len();
        self.functions.push(Function {
            text: text.trim_end_matches([' ', '\t', '\n', ';', '&', '|']).to_owned(),
            origin: source.origin_of(start),
            called: false,
        });
        for name in function.static_names() {
            self.scope.functions.insert(name.as_str().to_owned(), function_index);
        }
    }

    /// `a | b && c || d`: the tree leans left, as deep as the chain is long, so it is unrolled first.
    fn chain(&mut self, source: &Source<'_>, statement: &Stmt) {
        let mut links = Vec::new();
        let mut first = statement;
        while let ast::Command::Binary(binary) = &first.command {
            links.push((binary.op, &*binary.right));
            first = &binary.left;
        }
        let mut stages = vec![first];
        let mut joined_by = BinaryOp::And;
        for (operator, right) in links.into_iter().rev() {
            if matches!(operator, BinaryOp::Pipe | BinaryOp::PipeAll) {
                stages.push(right);
                continue;
            }
            self.link(source, &stages, joined_by);
            stages = vec![right];
            joined_by = operator;
        }
        self.link(source, &stages, joined_by);
    }

    /// What follows `||` may or may not happen; what follows `&&` is what the author counts on.
    fn link(&mut self, source: &Source<'_>, stages: &[&Stmt], joined_by: BinaryOp) {
        if joined_by == BinaryOp::Or {
            let before = self.scope.clone();
            self.pipeline(source, stages);
            self.scope.join(&before);
        } else {
            self.pipeline(source, stages);
        }
    }

    fn pipeline(&mut self, source: &Source<'_>, stages: &[&Stmt]) {
        if let [only] = stages {
            return self.statement(source, only);
        }
        let outer = self.frame.stdin.clone();
        for stage in stages {
            let listed = self.commands.len();
            self.subshell(|walker| walker.statement(source, stage));
            self.frame.stdin = match self.commands.len().checked_sub(1) {
                Some(last) if last >= listed => Stdin::Pipe(last),
                _ => Stdin::None,
            };
        }
        self.frame.stdin = outer;
    }

    /// What the command at this index prints, if that is known.
    pub(super) fn printed_by(&self, index: usize) -> Option<Word> {
        output::of(&self.commands, index)
    }
}

/// The parser takes time that grows with the square of the expansions that are open at once.
fn has_unclosed_expansions(text: &str) -> bool {
    let mut open = 0usize;
    let mut previous = 0;
    text.bytes().any(|byte| {
        match byte {
            b'{' if previous == b'$' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        previous = byte;
        open > 2 * MAX_DEPTH
    })
}
