//! Branches and loops: which bodies are followed, how often, and what is known after them.

use super::nested::output_of;
use super::scope::VariableValue;
use super::source::ShellSource;
use super::syntax::tree::{Node, Sequence, Span, Statement, Values};
use super::walk::{LoopPass, Walker};
use super::word::{Word, WordPart};

/// A loop over more values than this is followed once, with its variable unknown.
const MAX_VALUES: usize = 32;

impl<'t> Walker<'t> {
    pub(super) fn compound(&mut self, source: &ShellSource<'t>, node: &'t Node<'t>) {
        match node {
            Node::If { condition, branches } => {
                self.sequence(source, condition);
                self.branches(source, branches);
            }
            Node::Case { subject, patterns, branches } => {
                self.all_fields(source, [subject]);
                for pattern in patterns {
                    self.embedded(source, pattern.of(source.text), *pattern);
                }
                self.branches(source, branches);
            }
            Node::Each { name, values, body } => {
                let values = match values {
                    Values::Words(words) => self.all_fields(source, words),
                    Values::Arguments => {
                        self.scope.get("@").map(|value| value.words().to_vec()).unwrap_or_default()
                    }
                    Values::Picked(words) => {
                        self.all_fields(source, words);
                        Vec::new()
                    }
                };
                self.each(source, *name, values, body);
            }
            Node::Again { header, bodies } => {
                if let Some(header) = header {
                    self.embedded(source, header.of(source.text), *header);
                }
                self.multiplies |= spawns_endlessly(source.text, *header, bodies);
                self.again(source, bodies);
            }
            Node::Subshell(body) => self.subshell(|walker| walker.sequence(source, body)),
            Node::Coprocess { name, body } => {
                let (first, printing) = self.captured(|walker| walker.sequence(source, body));
                let input = Word { parts: vec![WordPart::Stream(first)] };
                self.scope.set(name, VariableValue::List(vec![output_of(&printing), input]));
            }
            Node::Group(body) => self.sequence(source, body),
            Node::Test(span) => self.embedded(source, span.of(source.text), *span),
            Node::Simple { .. } | Node::Declaration(_) | Node::Chain(_) | Node::Function { .. } => {}
        }
    }

    fn branches(&mut self, source: &ShellSource<'t>, branches: &'t [Sequence<'t>]) {
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

    fn each(
        &mut self,
        source: &ShellSource<'t>,
        name: Option<&str>,
        values: Vec<Word>,
        body: &'t Sequence<'t>,
    ) {
        let Some(name) = name else { return self.again(source, std::slice::from_ref(body)) };
        self.scope.set(name, VariableValue::open(name));
        let matters = body.span.of(source.text).contains(name);
        if !matters || values.is_empty() || values.len() > MAX_VALUES {
            return self.again(source, std::slice::from_ref(body));
        }
        for value in values {
            self.scope.set(name, VariableValue::Scalar(value));
            self.sequence(source, body);
        }
    }

    /// A body that runs any number of times. What it changes is unknown in it, so it is followed a second time
    /// with only that known which holds in every round. Loops inside it are followed once in the first round, which
    /// keeps the work from doubling with every level.
    fn again(&mut self, source: &ShellSource<'t>, bodies: &'t [Sequence<'t>]) {
        let (listed, printing) = (self.commands.len(), self.printing.len());
        let mark = self.scope.mark();
        let outer = std::mem::replace(&mut self.round, LoopPass { discovering: true, shortened: false });
        self.sequences(source, bodies);
        let LoopPass { shortened, .. } = std::mem::replace(&mut self.round, outer);
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

    fn sequences(&mut self, source: &ShellSource<'t>, bodies: &'t [Sequence<'t>]) {
        for body in bodies {
            self.sequence(source, body);
        }
    }
}

/// A loop without an end that starts something in every round and waits for nothing: `while true; do x & done`.
fn spawns_endlessly(text: &str, header: Option<Span>, bodies: &[Sequence<'_>]) -> bool {
    let word = |statement: &Statement<'_>| match &statement.node {
        Node::Simple { words, .. } => words.first().map(|word| word.span.of(text).to_owned()),
        _ => None,
    };
    let endless = match (header, bodies) {
        (Some(header), _) => header.of(text).split(';').nth(1).is_some_and(|end| end.trim().is_empty()),
        (None, [condition, ..]) => {
            let [only] = condition.statements.as_slice() else { return false };
            let before = text.get(..only.span.start).unwrap_or_default().trim_end();
            let before = before.strip_suffix("while").map_or("", str::trim_end);
            let fed_for_ever = ["yes|", "yes |", "cat /dev/zero |", "cat /dev/urandom |"]
                .iter()
                .any(|end| before.ends_with(end));
            let text = only.span.of(text);
            matches!(word(only).as_deref(), Some(":" | "true" | "false" | "/bin/true"))
                || matches!(text.trim(), "sleep 0" | "[ 1 ]" | "[[ 1 ]]" | "((1))" | "(( 1 ))" | "test 1")
                || fed_for_ever
        }
        (None, []) => false,
    };
    let goes_on = |statement: &Statement<'_>| {
        statement.background || matches!(word(statement).as_deref(), Some("echo" | "printf" | ":" | "true"))
    };
    let body = bodies.last().map(|body| body.statements.as_slice()).unwrap_or_default();
    endless && body.iter().any(|statement| statement.background) && body.iter().all(goes_on)
}
