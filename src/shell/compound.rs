//! Branches and loops: which bodies are followed, how often, and what is known after them.

use super::scope::{Scope, Value};
use super::source::Source;
use super::walk::Walker;
use super::word::Word;
use shuck_ast::{self as ast, CompoundCommand, StmtSeq};

/// A loop over more values than this is followed once, with its variable unknown.
const MAX_VALUES: usize = 32;

impl Walker<'_> {
    pub(super) fn compound(&mut self, source: &Source<'_>, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::If(command) => {
                self.sequence(source, &command.condition);
                let before = self.scope.clone();
                let mut branches = vec![&command.then_branch];
                for (condition, body) in &command.elif_branches {
                    branches.extend([condition, body]);
                }
                branches.extend(&command.else_branch);
                self.branches(source, before, branches.into_iter());
            }
            CompoundCommand::Case(command) => {
                self.fields(source, &command.word);
                let before = self.scope.clone();
                self.branches(source, before, command.cases.iter().map(|case| &case.body));
            }
            CompoundCommand::For(command) => {
                let values = match &command.words {
                    Some(words) => words.iter().flat_map(|word| self.fields(source, word)).collect(),
                    None => self.scope.get("@").map(Value::words).unwrap_or_default(),
                };
                let name = command.targets.first().and_then(|target| target.name.as_ref());
                self.each(source, name.map(ast::Name::as_str), values, &command.body);
            }
            CompoundCommand::Foreach(command) => {
                let values = command.words.iter().flat_map(|word| self.fields(source, word)).collect();
                self.each(source, Some(command.variable.as_str()), values, &command.body);
            }
            CompoundCommand::Select(command) => {
                for word in &command.words {
                    self.fields(source, word);
                }
                self.each(source, Some(command.variable.as_str()), Vec::new(), &command.body);
            }
            CompoundCommand::While(command) => self.again(source, &[&command.condition, &command.body]),
            CompoundCommand::Until(command) => self.again(source, &[&command.condition, &command.body]),
            CompoundCommand::Repeat(command) => self.again(source, &[&command.body]),
            CompoundCommand::ArithmeticFor(command) => {
                let header = command.left_paren_span.merge(command.right_paren_span);
                self.embedded(source, header.slice(source.text), header);
                self.again(source, &[&command.body]);
            }
            CompoundCommand::Subshell(body) => self.subshell(|walker| walker.sequence(source, body)),
            CompoundCommand::BraceGroup(body) => self.sequence(source, body),
            CompoundCommand::Arithmetic(command) => {
                self.embedded(source, command.span.slice(source.text), command.span);
            }
            CompoundCommand::Conditional(command) => {
                self.embedded(source, command.span.slice(source.text), command.span);
            }
            CompoundCommand::Time(command) => {
                if let Some(inner) = &command.command {
                    self.statement(source, inner);
                }
            }
            CompoundCommand::Coproc(command) => {
                self.subshell(|walker| walker.statement(source, &command.body))
            }
            CompoundCommand::Always(command) => {
                self.sequence(source, &command.body);
                self.sequence(source, &command.always_body);
            }
        }
    }

    fn branches<'a>(
        &mut self,
        source: &Source<'_>,
        before: Scope,
        branches: impl Iterator<Item = &'a StmtSeq>,
    ) {
        let mut after = before.clone();
        for branch in branches {
            self.scope = before.clone();
            self.sequence(source, branch);
            after.join(&self.scope);
        }
        self.scope = after;
    }

    fn each(&mut self, source: &Source<'_>, name: Option<&str>, values: Vec<Word>, body: &StmtSeq) {
        let Some(name) = name else { return self.again(source, &[body]) };
        self.scope.forget(name);
        let matters = body.span.slice(source.text).contains(name);
        if !matters || values.is_empty() || values.len() > MAX_VALUES {
            return self.again(source, &[body]);
        }
        for value in values {
            self.scope.set(name, Value::Scalar(value));
            self.sequence(source, body);
        }
    }

    /// A body that runs any number of times. What it changes is unknown in it, so it is followed a second time
    /// with only that known which holds in every round.
    fn again(&mut self, source: &Source<'_>, bodies: &[&StmtSeq]) {
        let before = self.scope.clone();
        let listed = self.commands.len();
        self.sequences(source, bodies);
        if self.scope == before {
            return;
        }
        self.scope.join(&before);
        let first_round = self.commands.split_off(listed);
        self.sequences(source, bodies);
        self.scope.join(&before);
        if self.is_spent() {
            self.commands.truncate(listed);
            self.commands.extend(first_round);
        }
    }

    fn sequences(&mut self, source: &Source<'_>, bodies: &[&StmtSeq]) {
        for body in bodies {
            self.sequence(source, body);
        }
    }
}
