//! Texts that a command carries: shell text for another shell, program text for an interpreter.

use super::code::Code;
use super::command::{Assignment, Command, RedirectKind, Stdin, Wrapper};
use super::scope::VariableValue;
use super::source::{ShellSource, TextOrigin};
use super::starts::{Start, starts};
use super::syntax::tree::{Node, Statement};
use super::walk::{Frame, Walker, kept};
use super::word::{Origins, Word, WordPart};
use super::{code, output};

/// Whether what a nested text changes stays changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    Same,
    Child,
}

impl<'t> Walker<'t> {
    /// The input of the command, if it is known whatever else the text does.
    pub(super) fn standard_input(&self, command: &Command) -> Option<Word> {
        output::given_text(command).or_else(|| match (&command.stdin, command.fed_by.as_slice()) {
            (Stdin::Pipe(_), several @ [_, _, ..]) => self.printed_by_all(several),
            (Stdin::Pipe(producer), _) => self.printed_by(*producer),
            (Stdin::None | Stdin::Text(_), _) => None,
        })
    }

    /// The input of a command that runs it, also out of files that earlier commands wrote.
    pub(super) fn program_input(&self, command: &Command) -> Option<Word> {
        output::given_text(command).or_else(|| match (&command.stdin, command.fed_by.as_slice()) {
            (Stdin::Pipe(_), several @ [_, _, ..]) => self.printed_by_all(several),
            (Stdin::Pipe(producer), _) => output::with_files(&self.commands, *producer),
            (Stdin::None, _) => {
                let file = command.redirected(&[RedirectKind::Read]).next()?;
                output::in_file(&self.commands, file, self.commands.len())
            }
            (Stdin::Text(_), _) => None,
        })
    }

    /// The joined output of several commands, if anything of it is known.
    fn printed_by_all(&self, producers: &[usize]) -> Option<Word> {
        let mut all = Word::default();
        let mut known = false;
        for producer in producers {
            match self.printed_by(*producer) {
                Some(printed) => {
                    known = true;
                    all.append(&printed);
                }
                None => {
                    all.push(WordPart::Output(*producer));
                    all.push_text("\n");
                }
            }
        }
        known.then_some(all)
    }

    /// The input of the command as shell text, if it is known.
    pub(super) fn text_read(&self, command: &Command) -> Option<String> {
        self.program_input(command)?.shell_text(self.origins()).map(String::from)
    }

    /// The words of a text that is one simple command.
    pub(super) fn words_of(&mut self, text: &str) -> Option<Vec<Word>> {
        if !self.spend(text.len()) {
            return None;
        }
        let text = kept(text);
        let syntax = self.syntax(text)?;
        let source = ShellSource { text, origin: TextOrigin::Within(0..0) };
        match syntax.body.statements.as_slice() {
            [Statement { node: Node::Simple { assignments, words }, redirects, .. }]
                if syntax.fault.is_none() && redirects.is_empty() && assignments.is_empty() =>
            {
                Some(self.all_fields(&source, words))
            }
            _ => None,
        }
    }

    /// Lists the commands of a text that `command` runs, in that command's circumstances.
    pub(super) fn nested(&mut self, text: &str, command: Command, shell: Shell) {
        let (origin, directory) = (TextOrigin::Within(command.span.clone()), command.directory.clone());
        self.within(command, |walker| match shell {
            Shell::Same => walker.derived(text, &origin),
            Shell::Child => walker.subshell(|walker| {
                walker.scope.set_directory(directory);
                for Assignment { name, value } in walker.frame.assignments.clone() {
                    walker.scope.set(&name, VariableValue::Scalar(value));
                }
                walker.derived(text, &origin);
            }),
        });
    }

    /// Follows something that `command` runs; its own redirects apply to all of it.
    pub(super) fn within(&mut self, command: Command, inside: impl FnOnce(&mut Self)) {
        self.list_redirects(command.redirects, command.span);
        let frame = Frame {
            via: command.via,
            remote: command.remote,
            background: command.background,
            stdin: command.stdin,
            fed_by: command.fed_by,
            assignments: command.assignments,
            unset: command.unset,
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        inside(self);
        self.frame = outer;
    }

    /// Lists a command that wraps nothing, and what the program text in it would run.
    pub(super) fn list(&mut self, mut command: Command) {
        command.code = code::of(&command, || {
            let word = self.program_input(&command)?;
            word.shell_text(Origins::Dropped).map(String::from)
        });
        let Some(code) = &command.code else { return self.push(command) };
        if !self.spend(code.text.len()) {
            return self.push(command);
        }
        let code = code.clone();
        let outer = Command { code: None, redirects: Vec::new(), stdin: Stdin::None, ..command.clone() };
        self.push(command);
        self.started(&code, outer);
    }

    /// Lists what a program text starts, in the circumstances of `outer`.
    pub(super) fn started(&mut self, code: &Code, mut outer: Command) {
        outer.fed_by.clear();
        outer.via.push(Wrapper::Interpreter(code.language));
        for start in starts(code.language, &code.text) {
            match start {
                Start::Text(text) => self.nested(&text, outer.clone(), Shell::Child),
                Start::Words(words) => self.run(Command { words, ..outer.clone() }),
            }
        }
    }
}

/// The output of these commands, as one word.
pub(super) fn output_of(producers: &[usize]) -> Word {
    match producers {
        [] => Word::unknown(),
        some => Word { parts: some.iter().copied().map(WordPart::Output).collect() },
    }
}
