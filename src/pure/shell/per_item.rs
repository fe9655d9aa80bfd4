//! Wrappers that run a command once per item: `xargs`, `parallel`, `find -exec`.

use super::command::{Command, Wrapper};
use super::fields::{Fields, Quoting, decode};
use super::nested::{Shell, output_of};
use super::options::WrapperOptions;
use super::output;
use super::possible;
use super::scope::join;
use super::unwrap::Unwrapped;
use super::walk::Walker;
use super::word::{Word, WordPart};
use crate::pure::text::quoted_where_needed;

/// Items that are written out.
const MAX_ITEMS: usize = 32;

/// Options before the command that `find` or `fd` runs.
const FIND_MARKS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
const FD_MARKS: &[&str] = &["-x", "--exec", "-X", "--exec-batch"];

impl<'t> Walker<'t> {
    pub(super) fn xargs(&mut self, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        let mut words = command.words.get(options.rest..).unwrap_or_default().to_vec();
        let from_file = options.has("-a --arg-file");
        if from_file {
            self.list_own(command.words.get(..options.rest).unwrap_or_default(), &command);
        }
        if words.is_empty() {
            words.push(Word::plain("echo"));
        }
        command.via.push(Wrapper::Xargs);
        let replaced =
            options.value("-I -J --replace").and_then(Word::literal).filter(|text| !text.is_empty());
        let placeholder = replaced.or_else(|| options.has("-i --replace").then_some("{}"));
        if let Some(placeholder) = placeholder {
            for item in lines(self.items_read(options, &command), &command) {
                let words = words.iter().map(|word| word.with(placeholder, &item)).collect();
                self.run(Command { words, ..command.clone() });
            }
            return Unwrapped::Done;
        }
        let Some(text) = self.items_read(options, &command) else {
            words.push(output_of(&command.fed_by));
            command.words = words;
            return Unwrapped::Inner(command);
        };
        let mut items = Vec::new();
        match text.literal().filter(|_| options.has("-0 --null -d --delimiter")) {
            Some(text) => {
                let lines = text.split(['\0', '\n']).filter(|line| !line.is_empty());
                items.extend(lines.take(MAX_ITEMS).map(Word::plain));
            }
            None => {
                let mut fields = Fields::default();
                fields.value(&text, Quoting::Bare);
                fields.finish(&mut items);
            }
        }
        let at_once = |word: &Word| word.literal()?.parse().ok().filter(|count| *count > 0);
        let at_once: usize = options.value("-n --max-args").and_then(at_once).unwrap_or(usize::MAX);
        if items.len() <= at_once {
            words.append(&mut items);
            command.words = words;
            return Unwrapped::Inner(command);
        }
        for chunk in items.chunks(at_once).take(MAX_ITEMS) {
            let words = words.iter().chain(chunk).cloned().collect();
            self.run(Command { words, ..command.clone() });
        }
        Unwrapped::Done
    }

    /// The text that the items come from, if it is known. Where they are commands, files tell as well.
    fn items_read(&self, options: &WrapperOptions, command: &Command) -> Option<Word> {
        let inner = command.words.get(options.rest).and_then(Word::literal);
        let runs = matches!(inner, None | Some("sh" | "bash" | "dash" | "zsh" | "ksh" | "eval" | ":::"));
        match options.value("-a --arg-file") {
            Some(file) if runs => output::in_file(&self.commands, file, self.commands.len()),
            Some(_) => None,
            None if runs => self.program_input(command),
            None => self.standard_input(command),
        }
    }

    pub(super) fn parallel(&mut self, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        let words = command.words.get(options.rest..).unwrap_or_default().to_vec();
        let mut groups = words.split(|word| matches!(word.literal(), Some(":::" | ":::+")));
        let meant = groups.next().unwrap_or_default();
        let template = join(meant);
        let mut items: Vec<_> = groups.flatten().take(MAX_ITEMS).cloned().collect();
        if items.is_empty() {
            items = lines(self.items_read(options, &command), &command);
        }
        command.via.push(Wrapper::Parallel);
        for item in items {
            // Without a template the items are the commands; in one they are quoted.
            if loses_quotes(meant) {
                self.run(Command { words: with_item(meant, &item), ..command.clone() });
            }
            let item = if template.parts.is_empty() { item } else { quoted(item) };
            let mut text = template.with("{}", &item);
            if text == template {
                text.push_text(" ");
                text.append(&item);
            }
            match text.shell_text(self.origins()) {
                Some(text) => self.nested(&text, command.clone(), Shell::Child),
                None => self.push(Command { words: vec![text], ..command.clone() }),
            }
        }
        Unwrapped::Done
    }

    /// `find` itself is listed; `{}` in what it runs becomes what it may find.
    pub(super) fn find(&mut self, command: Command) -> Unwrapped {
        self.push(command.clone());
        let is_fd = command.program().is_some_and(|program| program.starts_with("fd"));
        let (marks, found) = if is_fd {
            (FD_MARKS, vec![Word::unknown()])
        } else {
            (FIND_MARKS, found_by(command.arguments()))
        };
        let mut rest = command.arguments();
        while let Some(at) =
            rest.iter().position(|word| word.literal().is_some_and(|text| marks.contains(&text)))
        {
            rest = rest.get(at + 1..).unwrap_or_default();
            let end =
                rest.iter().position(|word| matches!(word.literal(), Some(";" | "+"))).unwrap_or(rest.len());
            let (inner, after) = rest.split_at(end);
            rest = after;
            let mut inner_command =
                Command { redirects: Vec::new(), words: filled(inner, &found), ..command.clone() };
            if is_fd && inner.iter().all(|word| *word == word.with("{}", &Word::unknown())) {
                inner_command.words.push(Word::unknown());
            }
            inner_command.via.push(Wrapper::FindExec);
            self.run(inner_command);
        }
        for mut inner in possible::of_search(&command, marks) {
            if is_fd && inner.iter().all(|word| *word == word.with("{}", &Word::unknown())) {
                inner.push(Word::unknown());
            }
            if let Some(mut inner) = possible::possible(&command, filled(&inner, &found)) {
                inner.redirects.clear();
                inner.via.push(Wrapper::FindExec);
                self.subshell(|walker| walker.run(inner));
            }
        }
        Unwrapped::Done
    }
}

/// The lines of a text that a command reads, one item each; a single one if they are not known.
fn lines(text: Option<Word>, command: &Command) -> Vec<Word> {
    match text {
        Some(text) => match text.literal() {
            Some(text) => text.lines().take(MAX_ITEMS).map(Word::plain).collect(),
            None => vec![text.trimmed()],
        },
        None => vec![output_of(&command.fed_by)],
    }
}

/// The command with what is found in the place of `{}`.
fn filled(inner: &[Word], found: &[Word]) -> Vec<Word> {
    let mut words = Vec::with_capacity(inner.len() + found.len());
    for word in inner {
        match (word.literal(), found.first()) {
            (Some("{}"), _) => words.extend(found.iter().cloned()),
            (_, Some(first)) => words.push(word.with("{}", first)),
            (_, None) => words.push(word.clone()),
        }
    }
    words
}

/// Whether joining these words to shell text takes them apart differently than they were meant: `sh -c 'a b'`.
pub(super) fn loses_quotes(words: &[Word]) -> bool {
    words.len() > 1 && words.iter().filter_map(Word::literal).any(|text| text.contains([' ', '\n']))
}

/// A command for one item, which stands at its place or at the end.
fn with_item(command: &[Word], item: &Word) -> Vec<Word> {
    let mut words: Vec<Word> = command.iter().map(|word| word.with("{}", item)).collect();
    if words == command {
        words.push(item.clone());
    }
    words
}

/// An item as `parallel` puts it into shell text.
fn quoted(item: Word) -> Word {
    match item.literal() {
        Some(text) if !text.is_empty() => Word::plain(quoted_where_needed(text)),
        _ => item,
    }
}

/// The possible results of `find` with these arguments, one pattern for each root.
fn found_by(arguments: &[Word]) -> Vec<Word> {
    let is_root = |word: &&Word| !word.starts_with("-") && !matches!(word.literal(), Some("(" | "!"));
    let options =
        arguments.iter().take_while(|word| matches!(word.literal(), Some("-H" | "-L" | "-P"))).count();
    let mut roots: Vec<_> = arguments.iter().skip(options).take_while(is_root).cloned().collect();
    if roots.is_empty() {
        roots.push(Word::plain("."));
    }
    let mut after_name =
        arguments.iter().skip_while(|word| !matches!(word.literal(), Some("-name" | "-iname"))).skip(1);
    let mut pattern = Word::default();
    match after_name.next().and_then(Word::literal) {
        Some(name) => decode(name, Quoting::Bare, &mut pattern),
        None => pattern.push(WordPart::Glob("*".to_owned())),
    }
    for root in &mut roots {
        if root.literal().is_none_or(|text| !text.ends_with('/')) {
            root.push_text("/");
        }
        root.push(WordPart::Glob("**/".to_owned()));
        root.append(&pattern);
    }
    roots
}
