//! The shell's own commands that change the commands after them.

use super::command::{Command, Directory, RedirectKind};
use super::fields::{Fields, Quoting};
use super::nested::output_of;
use super::output;
use super::scope::{VariableValue, join};
use super::walk::Walker;
use super::word::{Word, WordPart, is_name};

impl<'t> Walker<'t> {
    /// Takes over what a builtin changes: directory, variables, aliases.
    pub(super) fn apply_builtin(&mut self, program: &str, command: &Command) {
        let arguments = command.arguments();
        match program {
            "cd" | "pushd" | "chdir" => self.scope.set_directory(self.entered(arguments)),
            "popd" => self.scope.set_directory(Directory::Unknown),
            "alias" => {
                for word in arguments {
                    if let Some((name, text)) = word.shell_text(self.origins()).as_deref().and_then(alias) {
                        self.scope.set_alias(name, text);
                    }
                }
            }
            // `hash -p /bin/rm ls`: from now on that program under this name.
            "hash" => {
                let words: Vec<&str> = arguments.iter().filter_map(Word::literal).collect();
                if let ["-p", path, names @ ..] = words.as_slice() {
                    names.iter().for_each(|name| self.scope.set_alias(name, path));
                }
            }
            "read" | "mapfile" | "readarray" => {
                // `read x < file`: the command itself stands for what the file holds.
                let itself = [self.commands.len()];
                let producers =
                    match (command.fed_by.as_slice(), command.redirected(&[RedirectKind::Read]).next()) {
                        ([], Some(_)) => itself.as_slice(),
                        (fed_by, _) => fed_by,
                    };
                let line = producers.first().map(|_| VariableValue::Scalar(output_of(producers)));
                if self.takes_in(program, command) {
                    return;
                }
                for name in arguments.iter().filter_map(Word::literal).filter(|name| is_name(name)) {
                    self.scope.set(name, line.clone().unwrap_or_else(|| VariableValue::open(name)));
                }
            }
            "unset" | "getopts" | "let" => {
                for name in arguments.iter().filter_map(Word::literal) {
                    let name = name.split(['=', '+', '-']).next().unwrap_or(name);
                    if is_name(name) {
                        self.scope.forget(name);
                    }
                }
            }
            "printf" => {
                if let [option, name, ..] = arguments
                    && option.literal() == Some("-v")
                {
                    match (name.literal(), output::printf(arguments.get(2..).unwrap_or_default())) {
                        (Some(name), Some(text)) => self.scope.set(name, VariableValue::Scalar(text)),
                        _ => self.scope.forget(name.literal_prefix()),
                    }
                }
            }
            "set" => {
                if let Some(words) = positional(arguments) {
                    self.scope.set_positional(words);
                }
            }
            "shift" => {
                let by = arguments.first().map_or(Some(1), |word| word.literal()?.parse().ok());
                if let (Some(by), Some(VariableValue::List(words))) = (by, self.scope.get("@")) {
                    let rest: Vec<_> = words.iter().skip(by).cloned().collect();
                    self.scope.set_positional(&rest);
                }
            }
            _ => {}
        }
    }

    /// Sets the variables of a `read` whose one line is known, or the array of a `mapfile`.
    fn takes_in(&mut self, program: &str, command: &Command) -> bool {
        let Some(text) = self.standard_input(command) else { return false };
        let Some(line) = text.literal().map(str::trim_end) else {
            return self.takes_fields(program, command, &text);
        };
        let literals = || command.arguments().iter().filter_map(Word::literal);
        let names: Vec<&str> = literals().filter(|name| is_name(name)).collect();
        let list =
            |pieces: &mut dyn Iterator<Item = &str>| VariableValue::List(pieces.map(Word::plain).collect());
        if program != "read" {
            let Some(name) = names.last() else { return false };
            let trims = literals().any(|text| text.starts_with('-') && text.contains('t'));
            let end = if trims { "" } else { "\n" };
            let lines = line.lines().map(|line| Word::plain(format!("{line}{end}")));
            self.scope.set(name, VariableValue::List(lines.collect()));
            return true;
        }
        // `read` takes the first line only.
        let Some(line) = Some(line).filter(|line| !line.contains('\n')) else { return false };
        let separators = command.assignments.iter().rfind(|each| each.name == "IFS");
        let separators = separators.map_or(Some(" \t"), |each| each.value.literal()).unwrap_or_default();
        let into_array = |text: &str| text.starts_with('-') && !text.starts_with("--") && text.ends_with('a');
        if let (true, Some(name)) = (literals().any(into_array), names.first()) {
            let mut fields = line.split(|each| separators.contains(each)).filter(|field| !field.is_empty());
            self.scope.set(name, list(&mut fields));
            return true;
        }
        let mut fields = line.splitn(names.len().max(1), |each| separators.contains(each));
        for name in names {
            self.scope.set(name, VariableValue::Scalar(Word::plain(fields.next().unwrap_or_default())));
        }
        true
    }

    /// The same of a line that holds variables: `read a b <<< "rm $HOME"`.
    fn takes_fields(&mut self, program: &str, command: &Command, line: &Word) -> bool {
        let names: Vec<&str> = command.literals().filter(|name| is_name(name)).collect();
        let (Some((last, front)), Some(text)) = (names.split_last(), line.written_out()) else {
            return false;
        };
        // `read` takes the first line only.
        if program != "read"
            || text.trim_end().contains('\n')
            || command.literals().any(|text| text.starts_with("-a"))
        {
            return false;
        }
        let (mut fields, mut words) = (Fields::default(), Vec::new());
        fields.value(line, Quoting::Bare);
        fields.finish(&mut words);
        let mut words = words.into_iter();
        for (name, word) in front.iter().zip(words.by_ref()) {
            self.scope.set(name, VariableValue::Scalar(word));
        }
        self.scope.set(last, VariableValue::Scalar(join(&words.collect::<Vec<_>>())));
        true
    }

    fn entered(&self, arguments: &[Word]) -> Directory {
        let is_option =
            |word: &&Word| word.literal().is_some_and(|text| text.len() > 1 && text.starts_with('-'));
        match arguments.iter().find(|word| !is_option(word)) {
            None => Directory::Known(Word { parts: vec![WordPart::Tilde(String::new())] }),
            Some(word) if word.literal() == Some("-") => Directory::Unknown,
            Some(word) => self.scope.directory().enter(word),
        }
    }
}

/// The words that `set` makes positional parameters of, if it does.
fn positional(arguments: &[Word]) -> Option<&[Word]> {
    let mut rest = arguments;
    while let Some((first, others)) = rest.split_first() {
        let Some(text) = first.literal() else { break };
        match text {
            "--" => return Some(others),
            "-" => return (!others.is_empty()).then_some(others),
            "-o" | "+o" => rest = others.get(1..).unwrap_or_default(),
            _ if text.starts_with(['-', '+']) => rest = others,
            _ => break,
        }
    }
    (!rest.is_empty()).then_some(rest)
}

/// `name=text` of an `alias` command; alias names are freer than those of variables.
fn alias(text: &str) -> Option<(&str, &str)> {
    text.split_once('=').filter(|(name, _)| !name.is_empty())
}
