//! Branches and loops: which bodies are followed, how often, and what is known after them.

use super::scope::Value;
use super::source::Source;
use super::walk::{Round, Walker};
use super::word::Word;
use shuck_ast::{self as ast, CompoundCommand, StmtSeq};

/// A loop over more values than this is followed once, with its variable unknown.
const MAX_VALUES: usize = 32;

impl<'t> Walker<'t> {
    pub(super) fn compound(&mut self, source: &Source<'t>, compound: &'t CompoundCommand) {
        match compound {
            CompoundCommand::If(command) => {
                self.sequence(source, &command.condition);
                let mut branches = vec![&command.then_branch];
                for (condition, body) in &command.elif_branches {
                    branches.extend([condition, body]);
                }
                branches.extend(&command.else_branch);
                self.branches(source, branches.into_iter());
            }
            CompoundCommand::Case(command) => {
                self.all_fields(source, [&command.word]);
                self.branches(source, command.cases.iter().map(|case| &case.body));
            }
            CompoundCommand::For(command) => {
                let values = match &command.words {
                    Some(words) => self.all_fields(source, words),
                    None => self.scope.get("@").map(|value| value.words().to_vec()).unwrap_or_default(),
                };
                let name = command.targets.first().and_then(|target| target.name.as_ref());
                self.each(source, name.map(ast::Name::as_str), values, &command.body);
            }
            CompoundCommand::Foreach(command) => {
                let values = self.all_fields(source, &command.words);
                self.each(source, Some(command.variable.as_str()), values, &command.body);
            }
            CompoundCommand::Select(command) => {
                self.all_fields(source, &command.words);
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

    fn branches(&mut self, source: &Source<'t>, branches: impl Iterator<Item = &'t StmtSeq>) {
        let mut changes = Vec::new();
        for branch in branches {
            let mark = self.scope.mark();
            self.sequence(source, branch);
            changes.push(self.scope.rewind(mark));
        }
        for each in changes {
            self.scope.doubt(each);
        }
    }

    fn each(&mut self, source: &Source<'t>, name: Option<&str>, values: Vec<Word>, body: &'t StmtSeq) {
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
    /// with only that known which holds in every round. Loops inside it are followed once in the first round, which
    /// keeps the work from doubling with every level.
    fn again(&mut self, source: &Source<'t>, bodies: &[&'t StmtSeq]) {
        let (listed, printing) = (self.commands.len(), self.printing.len());
        let mark = self.scope.mark();
        let outer = std::mem::replace(&mut self.round, Round { discovering: true, shortened: false });
        self.sequences(source, bodies);
        let Round { shortened, .. } = std::mem::replace(&mut self.round, outer);
        let changes = self.scope.rewind(mark);
        if changes.is_empty() && !shortened {
            return;
        }
        self.scope.doubt(changes);
        if self.round.discovering {
            self.round.shortened = true;
            return;
        }
        let first_round = self.commands.split_off(listed);
        self.printing.truncate(printing);
        let mark = self.scope.mark();
        self.sequences(source, bodies);
        let changes = self.scope.rewind(mark);
        self.scope.doubt(changes);
        if self.is_spent() {
            self.commands.truncate(listed);
            self.commands.extend(first_round);
            self.printing.truncate(printing);
        }
    }

    fn sequences(&mut self, source: &Source<'t>, bodies: &[&'t StmtSeq]) {
        for body in bodies {
            self.sequence(source, body);
        }
    }
}
