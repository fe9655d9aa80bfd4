//! Texts that a command carries: shell text for another shell, program text for an interpreter.

use super::command::{Command, Stdin, Wrapper};
use super::source::{Origin, Source};
use super::walk::{Frame, Walker};
use super::word::Word;
use super::{code, fast, output, scan};
use shuck_ast as ast;

/// Whether what a nested text changes stays changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shell {
    Same,
    Child,
}

impl Walker<'_> {
    /// What the command reads, as shell text, if that is known.
    pub(super) fn standard_input(&self, command: &Command) -> Option<String> {
        let word = output::given_text(command).or_else(|| match command.stdin {
            Stdin::Pipe(producer) => self.printed_by(producer),
            Stdin::None | Stdin::Text(_) => None,
        })?;
        word.shell_text().map(String::from)
    }

    /// The words of a text that is one simple command.
    pub(super) fn words_of(&mut self, text: &str) -> Option<Vec<Word>> {
        if !self.spend(text.len()) {
            return None;
        }
        if let Some(words) = fast::plain_words(text) {
            return Some(words);
        }
        let result = self.tree(text)?;
        let source = Source { text, origin: Origin::Within(0..0) };
        let words = match result.file.body.as_slice() {
            [ast::Stmt { command: ast::Command::Simple(command), redirects, .. }]
                if result.is_ok() && redirects.is_empty() && command.assignments.is_empty() =>
            {
                let words = std::iter::once(&command.name).chain(&command.args);
                Some(words.flat_map(|word| self.fields(&source, word)).collect())
            }
            _ => None,
        };
        std::mem::forget(result);
        words
    }

    pub(super) fn nested(&mut self, text: &str, command: &Command, shell: Shell) {
        self.nested_at(text, command, shell, &Origin::Within(command.span.clone()));
    }

    /// Lists the commands of a text that `command` runs, in that command's circumstances.
    pub(super) fn nested_at(&mut self, text: &str, command: &Command, shell: Shell, origin: &Origin) {
        self.list_redirects(command.redirects.clone(), command.span.clone());
        let frame = Frame {
            via: command.via.clone(),
            remote: command.remote,
            background: command.background,
            stdin: command.stdin.clone(),
            assignments: command.assignments.clone(),
            unset: command.unset.clone(),
        };
        let outer = std::mem::replace(&mut self.frame, frame);
        match shell {
            Shell::Same => self.text(text, origin),
            Shell::Child => self.subshell(|walker| {
                walker.scope.directory = command.directory.clone();
                walker.text(text, origin);
            }),
        }
        self.frame = outer;
    }

    /// Lists a command that wraps nothing, and what the program text in it would run.
    pub(super) fn list(&mut self, mut command: Command) {
        command.code = code::of(&command, || self.standard_input(&command));
        let Some(code) = &command.code else { return self.commands.push(command) };
        if !self.spend(code.text.len()) {
            return self.commands.push(command);
        }
        let calls = scan::calls(code.language, &code.text);
        let mut outer = Command { code: None, redirects: Vec::new(), stdin: Stdin::None, ..command.clone() };
        outer.via.push(Wrapper::Interpreter(code.language));
        self.commands.push(command);
        for call in calls {
            match call {
                scan::Call::Text(text) => self.nested(&text, &outer, Shell::Child),
                scan::Call::Words(words) => self.run(Command { words, ..outer.clone() }),
            }
        }
    }
}
