//! Texts that a command would run: scripts, recipes, aliases, programs. They are read one level deep.

use super::{Depth, Surveyor, Text};
use crate::pure::shell::{Code, parse};
use crate::pure::step::effect::{Effect, INNER_COMMAND};
use crate::pure::step::fork_bomb::is_fork_bomb;
use crate::pure::step::known::Question;
use crate::pure::step::path::normal;
use crate::pure::step::programs::{self, InnerText};
use camino::Utf8Path;

impl<'a> Surveyor<'a> {
    /// A text that a command would run, one level deep.
    pub(super) fn inner(&mut self, inner: InnerText, directory: Option<&Utf8Path>) {
        let (place, known) = (self.place, self.known);
        let directory = directory.unwrap_or(&place.cwd);
        match inner {
            InnerText::Script(path) => {
                if let Some(text) = self.file(&path) {
                    self.script(&path, text, directory);
                }
            }
            InnerText::Code(path, language) => {
                if let Some(text) = self.file(&path) {
                    self.program(&path, Code { language, text: text.to_owned() }, directory);
                }
            }
            InnerText::Recipe(paths, recipe) => {
                for path in paths {
                    let Some(file) = self.file(&path) else { continue };
                    let place = path.parent().unwrap_or(directory);
                    let mut file = file.to_owned();
                    for name in recipe.included(&file) {
                        if let Some(more) = self.file(&normal(&place.join(name))) {
                            file = format!("{file}\n{more}");
                        }
                    }
                    if let Some(text) = recipe.text(&file) {
                        self.text(&text, place, Some(&recipe.to_string()));
                    }
                }
            }
            InnerText::Patch(path) => self.patch(&path, directory),
            InnerText::Archive { path, into } => self.archive(&path, &into),
            InnerText::Text(text) => self.text(&text, directory, Some(INNER_COMMAND)),
            InnerText::Program(code) => self.add_program(&code, directory),
            InnerText::Alias { repository, name, arguments } => {
                match known.aliases.get(&(repository.clone(), name.clone())) {
                    Some(Some(text)) => self.text(&programs::expanded(text, &arguments), directory, None),
                    Some(None) => {}
                    None => self.ask(Question::Alias(repository, name)),
                }
            }
        }
    }

    /// The text of a file; asks for it while it is unknown.
    pub(super) fn file(&mut self, path: &Utf8Path) -> Option<&'a str> {
        let known = self.known;
        match known.scripts.get(path.as_str()) {
            Some(text) => text.as_deref(),
            None => {
                self.ask(Question::Script(path.to_owned()));
                None
            }
        }
    }

    /// The text of a script, a recipe or an alias.
    pub(super) fn text(&mut self, text: &str, directory: &Utf8Path, inside: Option<&str>) {
        let parsed = parse(text, &mut self.budget);
        self.origin.inside = inside.map(str::to_owned);
        self.parsed(text, &parsed, directory, Depth::Inner);
    }

    /// The text of a script file; effects name its lines.
    fn script(&mut self, path: &Utf8Path, text: &str, directory: &Utf8Path) {
        if let Some(language) = programs::written_in(path, text) {
            return self.program(path, Code { language, text: text.to_owned() }, directory);
        }
        let parsed = parse(text, &mut self.budget);
        let breaks: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let name = path.file_name().unwrap_or(path.as_str());
        self.origin.inside = Some(name.to_owned());
        if parsed.multiplies || is_fork_bomb(text) {
            self.effect(Effect::ForkBomb);
        }
        let whole = Text::new(text, &parsed, directory, Depth::Inner);
        for command in &parsed.commands {
            let line = 1 + breaks.partition_point(|at| *at < command.span.start);
            self.origin.inside = Some(format!("{name} line {line}"));
            self.command(command, &whole);
        }
        self.origin.inside = Some(name.to_owned());
        self.near_gate(&whole);
        self.running_text(name, text);
    }

    /// The file of a program in another language.
    fn program(&mut self, path: &Utf8Path, code: Code, directory: &Utf8Path) {
        let name = path.file_name().unwrap_or(path.as_str());
        self.origin.inside = Some(name.to_owned());
        self.add_program(&code, directory);
        self.running_text(name, &code.text);
    }
}
