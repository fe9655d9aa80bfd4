//! Follows the syntax tree the way a shell would, down to simple commands.

use super::budget::Budget;
use super::command::{Assignment, Command, RedirectKind, Stdin, Wrapper};
use super::depth::is_too_deep;
use super::fast;
use super::output;
use super::parsed::{Opaque, Parsed};
use super::scope::Scope;
use super::source::{Origin, Source};
use super::unfinished::{Remedy, unfinished};
use super::word::{ORIGIN_NAME, Origins, Word};
use shuck_ast::{self as ast, BinaryOp, Stmt, StmtSeq};
use shuck_parser::parser::{ParseResult, Parser, ShellDialect, ShellProfile};

/// Levels of syntax open at once, over all nested texts; bounds the stack of the parser and of this walk.
const MAX_DEPTH: usize = 100;
/// Texts inside texts: `sh -c "sh -c '…'"`.
const MAX_TEXTS: usize = 8;
const FUEL: usize = 100_000;
/// Quotes and compound commands that are looked for at the end of a text that ends inside them.
const MAX_MENDINGS: usize = 8;
/// As dense scripts have it; a guess that spares growing the list.
const BYTES_PER_COMMAND: usize = 24;

/// What a command inherits from everything around it.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    pub(super) via: Vec<Wrapper>,
    pub(super) remote: bool,
    pub(super) background: bool,
    pub(super) stdin: Stdin,
    pub(super) fed_by: Vec<usize>,
    pub(super) assignments: Vec<Assignment>,
    pub(super) unset: Vec<String>,
}

/// A function of the text; its body is followed where it is called, or at the end if it never is.
#[derive(Debug, Clone)]
pub(super) struct Function<'t> {
    pub(super) body: &'t Stmt,
    pub(super) source: Source<'t>,
    pub(super) called: bool,
}

impl Function<'_> {
    /// The bytes of its body, as a measure of the work to follow it.
    pub(super) fn length(&self) -> usize {
        self.body.span.end.offset().saturating_sub(self.body.span.start.offset())
    }
}

/// How the loop around a command is being followed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Round {
    /// Only to see what it changes.
    pub(super) discovering: bool,
    /// A loop inside it was not followed to the end for that reason.
    pub(super) shortened: bool,
}

pub(super) struct Walker<'t> {
    pub(super) budget: &'t mut Budget,
    pub(super) commands: Vec<Command>,
    /// The commands that write to where the text at hand writes to.
    pub(super) printing: Vec<usize>,
    /// The commands that read what the command at hand will write: `>(…)`.
    pub(super) sinks: Vec<usize>,
    pub(super) scope: Scope,
    pub(super) frame: Frame,
    pub(super) functions: Vec<Function<'t>>,
    pub(super) round: Round,
    original: &'t str,
    pub(super) opaque: Option<Opaque>,
    /// A function starts itself again and again.
    pub(super) multiplies: bool,
    depth: usize,
    texts: usize,
}

impl<'t> Walker<'t> {
    pub(super) fn new(original: &'t str, budget: &'t mut Budget) -> Self {
        Self {
            budget,
            commands: Vec::with_capacity(2 + original.len() / BYTES_PER_COMMAND),
            printing: Vec::new(),
            sinks: Vec::new(),
            scope: Scope::default(),
            frame: Frame::default(),
            functions: Vec::new(),
            round: Round::default(),
            original,
            opaque: None,
            multiplies: false,
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
                let function = function.clone();
                self.frame = Frame { via: vec![Wrapper::Function], ..Frame::default() };
                self.statement(&function.source, function.body);
            }
        }
        Parsed { commands: self.commands, opaque: self.opaque, multiplies: self.multiplies }
    }

    /// Remembers the first reason why the list may be incomplete; ending too early is the least of them.
    pub(super) fn note(&mut self, reason: Opaque) {
        if matches!(self.opaque, None | Some(Opaque::Unfinished)) {
            self.opaque = Some(reason);
        }
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

    /// Lists the commands of a text that is no part of the original.
    pub(super) fn derived(&mut self, text: &str, origin: &Origin) {
        if !self.spend(text.len()) {
            return;
        }
        match fast::plain_words(text) {
            Some(words) => self.plain(words, text, origin),
            None => self.parsed(kept(text), origin),
        }
    }

    /// Lists the commands of a whole text.
    pub(super) fn text(&mut self, text: &'t str, origin: &Origin) {
        if !self.spend(text.len()) {
            return;
        }
        match fast::plain_words(text) {
            Some(words) => self.plain(words, text, origin),
            None => self.parsed(text, origin),
        }
    }

    fn plain(&mut self, words: Vec<Word>, text: &str, origin: &Origin) {
        let start = text.len() - text.trim_start_matches([' ', '\t']).len();
        let end = text.trim_end_matches([' ', '\t']).len();
        let span = Source { text, origin: origin.clone() }.original(start, end);
        let command = Command { words, ..self.blank(span) };
        self.run(command);
    }

    fn parsed(&mut self, text: &'t str, origin: &Origin) {
        let Some(result) = self.tree(text) else { return };
        self.texts += 1;
        let source = Source { text, origin: origin.clone() };
        match result.is_err().then(|| self.mended(&source, result)).flatten() {
            Some((source, result)) => self.sequence(&source, &result.file.body),
            None => self.sequence(&source, &result.file.body),
        }
        self.texts -= 1;
    }

    /// The syntax tree of a text, unless it is nested too deeply.
    pub(super) fn tree(&mut self, text: &str) -> Option<&'t ParseResult> {
        if self.texts > MAX_TEXTS || self.depth >= MAX_DEPTH || is_too_deep(text) {
            self.note(Opaque::TooDeep);
            return None;
        }
        let profile = ShellProfile::native(ShellDialect::Bash);
        let fuel = FUEL.max(text.len());
        let result = Parser::with_limits_and_profile(text, MAX_DEPTH - self.depth, fuel, profile).parse();
        if result.is_err() {
            self.note(failure(text, &result));
        }
        Some(kept_node(result))
    }

    /// What a shell would run of an unfinished text, as a text that parses.
    fn mended(
        &mut self,
        source: &Source<'t>,
        result: &'t ParseResult,
    ) -> Option<(Source<'t>, &'t ParseResult)> {
        let mut text = source.text.to_owned();
        let mut result = result;
        let outer = self.opaque;
        for _ in 0..MAX_MENDINGS {
            match unfinished(&text, result)? {
                Remedy::Cut(at) => text.truncate(at),
                Remedy::Append(closing) => text.push_str(closing),
            }
            if !self.spend(text.len()) {
                return None;
            }
            result = self.tree(&text)?;
            if result.is_ok() {
                self.opaque = outer;
                let origin = Origin::Within(source.original(0, source.text.len()));
                return Some((Source { text: kept(&text), origin }, result));
            }
        }
        self.note(Opaque::Syntax);
        None
    }

    pub(super) fn sequence(&mut self, source: &Source<'t>, sequence: &'t StmtSeq) {
        for statement in sequence.iter() {
            self.statement(source, statement);
        }
    }

    pub(super) fn statement(&mut self, source: &Source<'t>, statement: &'t Stmt) {
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
        let mark = self.scope.mark();
        inside(self);
        self.scope.undo(mark);
    }

    fn command(&mut self, source: &Source<'t>, statement: &'t Stmt) {
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
    fn redirected(&mut self, source: &Source<'t>, statement: &'t Stmt, inside: impl FnOnce(&mut Self)) {
        if statement.redirects.is_empty() {
            return inside(self);
        }
        let (redirects, stdin) = self.redirects(source, &statement.redirects);
        let span = source.original(statement.span.start.offset(), statement.span.end.offset());
        let outer = stdin.map(|(stdin, fed_by)| self.feed(stdin, fed_by));
        self.list_redirects(redirects, span);
        inside(self);
        if let Some((stdin, fed_by)) = outer {
            self.feed(stdin, fed_by);
        }
    }

    /// Changes what commands read from now on; what they read before.
    pub(super) fn feed(&mut self, stdin: Stdin, fed_by: Vec<usize>) -> (Stdin, Vec<usize>) {
        let stdin = std::mem::replace(&mut self.frame.stdin, stdin);
        (stdin, std::mem::replace(&mut self.frame.fed_by, fed_by))
    }

    fn define(&mut self, source: &Source<'t>, function: &'t ast::FunctionDef) {
        let index = self.functions.len();
        self.functions.push(Function { body: &function.body, source: source.clone(), called: false });
        for name in function.static_names() {
            self.scope.set_function(name.as_str(), Some(index));
        }
    }

    /// `a | b && c || d`: the tree leans left, as deep as the chain is long, so it is unrolled first.
    fn chain(&mut self, source: &Source<'t>, statement: &'t Stmt) {
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
            stages.clear();
            stages.push(right);
            joined_by = operator;
        }
        self.link(source, &stages, joined_by);
    }

    /// What follows `||` may or may not happen; what follows `&&` is what the author counts on.
    fn link(&mut self, source: &Source<'t>, stages: &[&'t Stmt], joined_by: BinaryOp) {
        if joined_by == BinaryOp::Or {
            let mark = self.scope.mark();
            self.pipeline(source, stages);
            let changes = self.scope.rewind(mark);
            self.scope.doubt(changes);
        } else {
            self.pipeline(source, stages);
        }
    }

    fn pipeline(&mut self, source: &Source<'t>, stages: &[&'t Stmt]) {
        let [before @ .., last] = stages else { return };
        if before.is_empty() {
            return self.statement(source, last);
        }
        let outer = (self.frame.stdin.clone(), self.frame.fed_by.clone());
        for stage in before {
            let (_, printing) = self.captured(|walker| walker.statement(source, stage));
            let stdin = printing.last().map_or(Stdin::None, |last| Stdin::Pipe(*last));
            self.feed(stdin, printing);
        }
        self.subshell(|walker| walker.statement(source, last));
        self.feed(outer.0, outer.1);
    }

    /// Follows something in a shell of its own whose output goes elsewhere: where its commands begin in the list, and
    /// which of them print.
    pub(super) fn captured(&mut self, inside: impl FnOnce(&mut Self)) -> (usize, Vec<usize>) {
        let (listed, printing) = (self.commands.len(), self.printing.len());
        self.subshell(inside);
        (listed, self.printing.split_off(printing))
    }

    /// Adds a command to the list.
    pub(super) fn push(&mut self, command: Command) {
        if !is_silent(&command) {
            self.printing.push(self.commands.len());
        }
        self.commands.push(command);
    }

    /// What the command at this index prints, if that is known.
    pub(super) fn printed_by(&self, index: usize) -> Option<Word> {
        output::of(&self.commands, index)
    }

    /// How words become shell text: with the origins of their parts, unless the text itself plays with such names.
    pub(super) fn origins(&self) -> Origins {
        if self.original.contains(ORIGIN_NAME) { Origins::Dropped } else { Origins::Named }
    }
}

/// Why a text does not parse.
fn failure(text: &str, result: &ParseResult) -> Opaque {
    let limit = result.terminal_error.as_ref().is_some_and(|error| {
        let message = error.to_string();
        ["too deep", "too long", "fuel"].iter().any(|limit| message.contains(limit))
    });
    match limit {
        true => Opaque::TooDeep,
        false if unfinished(text, result).is_some() => Opaque::Unfinished,
        false => Opaque::Syntax,
    }
}

/// Whether a command prints nothing, whatever it is given.
fn is_silent(command: &Command) -> bool {
    match command.program() {
        Some(program) => matches!(
            program,
            "cd" | ":"
                | "true"
                | "false"
                | "test"
                | "["
                | "export"
                | "local"
                | "readonly"
                | "unset"
                | "shift"
                | "exit"
                | "return"
                | "break"
                | "continue"
                | "mkdir"
                | "touch"
        ),
        // `$(< file)` prints the file.
        None => {
            command.words.is_empty() && !command.redirects.iter().any(|each| each.kind == RedirectKind::Read)
        }
    }
}

/// A text that stays until the process ends, as trees do: a hook ends right after this, so freeing thousands of nodes
/// one by one would be wasted work.
pub(super) fn kept(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

pub(super) fn kept_node<T>(node: T) -> &'static T {
    Box::leak(Box::new(node))
}
