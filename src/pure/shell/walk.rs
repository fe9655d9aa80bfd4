//! Follows the syntax tree the way a shell would, down to simple commands.

use super::budget::Budget;
use super::command::{Assignment, Command, RedirectKind, Stdin, Wrapper};
use super::nested::Shell;
use super::output;
use super::parsed::{Opaque, Parsed};
use super::scope::{ShellScope, VariableValue};
use super::source::{ShellSource, TextOrigin};
use super::syntax::tree::{Joint, Node, Sequence, Statement};
use super::syntax::{self, Fault, Remedy, Syntax};
use super::word::{ORIGIN_NAME, Origins, Word};

/// Levels of syntax open at once, over all nested texts; bounds the stack of the parser and of this walk.
pub(super) const MAX_DEPTH: usize = 100;
/// Texts inside texts: `sh -c "sh -c '…'"`.
const MAX_TEXTS: usize = 8;
/// Quotes and compound commands that are looked for at the end of a text that ends inside them.
const MAX_REMEDIES: usize = 8;
/// As dense scripts have it; a guess that spares growing the list.
const BYTES_PER_COMMAND: usize = 16;

/// The state that a command inherits from everything around it.
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
    pub(super) body: &'t Statement<'t>,
    pub(super) source: ShellSource<'t>,
    pub(super) called: bool,
}

impl Function<'_> {
    /// The bytes of its body, as a measure of the work to follow it.
    pub(super) fn length(&self) -> usize {
        self.body.span.end.saturating_sub(self.body.span.start)
    }
}

/// How the loop around a command is being followed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LoopPass {
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
    pub(super) scope: ShellScope,
    pub(super) frame: Frame,
    pub(super) functions: Vec<Function<'t>>,
    /// The commands that traps of this shell run when it ends.
    traps: Vec<(String, Command)>,
    /// In a function, the variables that it declared for itself, with their values outside.
    pub(super) locals: Option<Vec<(String, Option<VariableValue>)>>,
    pub(super) round: LoopPass,
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
            scope: ShellScope::default(),
            frame: Frame::default(),
            functions: Vec::new(),
            traps: Vec::new(),
            locals: None,
            round: LoopPass::default(),
            original,
            opaque: None,
            multiplies: false,
            depth: 0,
            texts: 0,
        }
    }

    pub(super) fn finish(mut self) -> Parsed {
        self.run_traps(0);
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
        self.run_traps(0);
        Parsed { commands: self.commands, opaque: self.opaque, multiplies: self.multiplies }
    }

    /// Remembers the first reason why the list may be incomplete; ending too early is the least of them.
    pub(super) fn note(&mut self, reason: Opaque) {
        if matches!(self.opaque, None | Some(Opaque::Unfinished)) {
            self.opaque = Some(reason);
        }
    }

    /// Leaves a text alone that could not be read.
    pub(super) fn give_up(&mut self) {
        self.budget.leave_unread();
        self.note(Opaque::TooDeep);
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
    pub(super) fn derived(&mut self, text: &str, origin: &TextOrigin) {
        self.text(kept(text), origin);
    }

    /// Lists the commands of a whole text.
    pub(super) fn text(&mut self, text: &'t str, origin: &TextOrigin) {
        if !self.spend(text.len()) {
            return;
        }
        let Some(syntax) = self.syntax(text) else { return };
        self.texts += 1;
        let source = ShellSource { text, origin: origin.clone() };
        match &syntax.fault {
            Some(Fault::Unfinished(remedy)) => match self.completed(&source, *remedy) {
                Some((source, syntax)) => self.sequence(&source, &syntax.body),
                None => self.sequence(&source, &syntax.body),
            },
            Some(Fault::Syntax | Fault::TooDeep) | None => self.sequence(&source, &syntax.body),
        }
        self.texts -= 1;
    }

    /// The syntax of a text, unless it is nested too deeply.
    pub(super) fn syntax(&mut self, text: &'t str) -> Option<&'t Syntax<'t>> {
        let (reading, shallow) = (self.budget.reading(), self.texts <= MAX_TEXTS && self.depth < MAX_DEPTH);
        let read = || syntax::read(text, MAX_DEPTH - self.depth, reading);
        let Some(syntax) = shallow.then(read).flatten() else {
            self.give_up();
            return None;
        };
        match &syntax.fault {
            Some(Fault::TooDeep) => self.note(Opaque::TooDeep),
            Some(Fault::Unfinished(_)) => self.note(Opaque::Unfinished),
            Some(Fault::Syntax) => self.note(Opaque::Syntax),
            None => {}
        }
        if syntax.runs_on {
            self.note(Opaque::Syntax);
        }
        Some(kept_node(syntax))
    }

    /// The part of an unfinished text that a shell would run, completed so that it parses.
    fn completed(
        &mut self,
        source: &ShellSource<'t>,
        remedy: Remedy,
    ) -> Option<(ShellSource<'t>, &'t Syntax<'t>)> {
        let mut text = source.text.to_owned();
        let mut remedy = remedy;
        let outer = self.opaque;
        for _ in 0..MAX_REMEDIES {
            match remedy {
                Remedy::Cut(at) => text.truncate(at),
                Remedy::Append(closing) => text.push_str(closing),
            }
            if !self.spend(text.len()) {
                return None;
            }
            let completed = kept(&text);
            let syntax = self.syntax(completed)?;
            match &syntax.fault {
                None => {
                    self.opaque = outer;
                    if syntax.runs_on {
                        self.note(Opaque::Syntax);
                    }
                    let origin = TextOrigin::Within(source.original(0, source.text.len()));
                    return Some((ShellSource { text: completed, origin }, syntax));
                }
                Some(Fault::Unfinished(next)) => remedy = *next,
                Some(Fault::Syntax | Fault::TooDeep) => return None,
            }
        }
        self.note(Opaque::Syntax);
        None
    }

    pub(super) fn sequence(&mut self, source: &ShellSource<'t>, sequence: &'t Sequence<'t>) {
        for statement in &sequence.statements {
            self.statement(source, statement);
        }
    }

    pub(super) fn statement(&mut self, source: &ShellSource<'t>, statement: &'t Statement<'t>) {
        if !self.spend(1) {
            return;
        }
        if !self.enter() {
            return;
        }
        if statement.background {
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

    /// Runs `inside` without leaving a variable or a directory behind.
    pub(super) fn subshell(&mut self, inside: impl FnOnce(&mut Self)) {
        let (mark, traps) = (self.scope.mark(), self.traps.len());
        inside(self);
        self.run_traps(traps);
        self.scope.undo(mark);
    }

    /// A trap runs with the variables of the moment at which its shell ends.
    pub(super) fn set_trap(&mut self, text: String, command: Command) {
        let is_known = |(known, setter): &(String, Command)| *known == text && setter.span == command.span;
        if !self.traps.iter().any(is_known) {
            self.traps.push((text, command));
        }
    }

    fn run_traps(&mut self, since: usize) {
        for (text, command) in self.traps.split_off(since.min(self.traps.len())) {
            self.nested(&text, command, Shell::Same);
        }
    }

    fn command(&mut self, source: &ShellSource<'t>, statement: &'t Statement<'t>) {
        match &statement.node {
            Node::Simple { assignments, words } => self.simple(source, statement, assignments, words),
            Node::Declaration(declaration) => self.declaration(source, statement, declaration),
            Node::Chain(chain) => self.chain(source, chain),
            Node::Function { names, body } => self.define(source, names, body),
            compound => self.redirected(source, statement, |walker| walker.compound(source, compound)),
        }
    }

    /// The redirects of a compound command are listed as a command of their own, without words.
    fn redirected(
        &mut self,
        source: &ShellSource<'t>,
        statement: &'t Statement<'t>,
        inside: impl FnOnce(&mut Self),
    ) {
        if statement.redirects.is_empty() {
            return inside(self);
        }
        let (redirects, stdin) = self.redirects(source, &statement.redirects);
        let span = source.original(statement.span.start, statement.span.end);
        let reads_file = redirects.iter().any(|redirect| redirect.kind == RedirectKind::Read);
        let (listed, outer) = (self.commands.len(), stdin.map(|(stdin, fed_by)| self.feed(stdin, fed_by)));
        self.list_redirects(redirects, span);
        if outer.is_some() && reads_file && self.frame.fed_by.is_empty() && self.frame.stdin == Stdin::None {
            self.feed(Stdin::Pipe(listed), vec![listed]);
        }
        let printed = self.printing.len();
        inside(self);
        // `{ curl x; } > file`: the bytes in the file are those of the commands inside.
        if let Some(listing) = self.commands.get_mut(listed).filter(|listing| writes_only(listing)) {
            listing.fed_by = self.printing.get(printed..).unwrap_or_default().to_vec();
        }
        if let Some((stdin, fed_by)) = outer {
            self.feed(stdin, fed_by);
        }
    }

    /// Changes what commands read from now on; what they read before.
    pub(super) fn feed(&mut self, stdin: Stdin, fed_by: Vec<usize>) -> (Stdin, Vec<usize>) {
        let stdin = std::mem::replace(&mut self.frame.stdin, stdin);
        (stdin, std::mem::replace(&mut self.frame.fed_by, fed_by))
    }

    fn define(&mut self, source: &ShellSource<'t>, names: &[&str], body: &'t Statement<'t>) {
        let index = self.functions.len();
        self.functions.push(Function { body, source: source.clone(), called: false });
        for name in names {
            self.scope.set_function(name, Some(index));
        }
    }

    /// `a | b && c || d`
    fn chain(&mut self, source: &ShellSource<'t>, chain: &'t [(Joint, Statement<'t>)]) {
        let joins = |(joint, _): &&(Joint, Statement<'t>)| *joint == Joint::Pipe;
        let mut rest = chain;
        let mut sure = None;
        while let Some((joint, _)) = rest.first() {
            let stages = 1 + rest.iter().skip(1).take_while(joins).count();
            let (pipeline, after) = rest.split_at(stages);
            self.link(source, pipeline, *joint);
            rest = after;
            // The first of a chain runs in any case.
            if sure.is_none() && !rest.is_empty() {
                sure = Some(self.scope.mark());
            }
        }
        if let Some(sure) = sure {
            let changes = self.scope.rewind(sure);
            self.scope.expect(changes);
        }
    }

    /// A command after `||` may or may not run; a command after `&&` runs, for the rest of the chain.
    fn link(&mut self, source: &ShellSource<'t>, stages: &'t [(Joint, Statement<'t>)], joint: Joint) {
        if joint == Joint::Or {
            let mark = self.scope.mark();
            self.pipeline(source, stages);
            let changes = self.scope.rewind(mark);
            self.scope.doubt(changes);
        } else {
            self.pipeline(source, stages);
        }
    }

    fn pipeline(&mut self, source: &ShellSource<'t>, stages: &'t [(Joint, Statement<'t>)]) {
        let [before @ .., (_, last)] = stages else { return };
        if before.is_empty() {
            return self.statement(source, last);
        }
        let outer = (self.frame.stdin.clone(), self.frame.fed_by.clone());
        for (_, stage) in before {
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
        if !is_silent(&command) && !command.is_possible() {
            self.printing.push(self.commands.len());
        }
        self.commands.push(command);
    }

    /// The output of the command at this index, if it is known.
    pub(super) fn printed_by(&self, index: usize) -> Option<Word> {
        output::of(&self.commands, index)
    }

    /// How words become shell text: with the origins of their parts, unless the text itself plays with such names.
    pub(super) fn origins(&self) -> Origins {
        if self.original.contains(ORIGIN_NAME) { Origins::Dropped } else { Origins::Named }
    }
}

/// Whether a command stands for redirects to files alone.
fn writes_only(command: &Command) -> bool {
    command.words.is_empty()
        && !command.redirects.is_empty()
        && command
            .redirects
            .iter()
            .all(|each| matches!(each.kind, RedirectKind::Write | RedirectKind::Append))
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

pub(super) fn kept_node<'t, T: 't>(node: T) -> &'t T {
    Box::leak(Box::new(node))
}
