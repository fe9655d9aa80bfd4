//! Effects of programs, by name and arguments: one file per family.

mod any_file;
mod carried;
mod clients;
mod cloud;
mod containers;
mod databases;
mod families;
mod fetched;
mod files;
mod flow;
mod forge;
mod git;
mod infrastructure;
mod interpreter_options;
mod interpreters;
mod invocation;
mod line;
mod mount;
mod near_gate;
mod network;
mod other_versions;
mod own;
mod packages;
mod partly_known;
mod processes;
mod profile;
mod reading;
mod recipes;
mod rewriters;
mod secrets;
mod sending;
mod shown;
mod storage;
mod system;
mod table;
mod unlisted;

use super::assessment::Nature;
use super::effect::{Addressed, Effect, Target};
use super::path::target;
use super::place::Place;
use super::sessions::Sweep;
use crate::pure::dataflow::Graph;
use crate::pure::shell::{Code, Command, Directory, Language, Word};
use camino::{Utf8Path, Utf8PathBuf};
use std::cell::OnceCell;

pub(crate) use files::{lost_by_overwriting, missing_before, prints_nothing};
pub(crate) use git::{expanded, redirects_git};
pub(crate) use interpreters::written_in;
pub(crate) use invocation::VALUED as GIT_VALUED;
pub(crate) use mount::Inside;
pub(crate) use near_gate::{
    bare_repository, carries_commands, changes_settings, copies_objects, files_behind, hides_our_name,
    is_prose, names_git_folder, near_gate, searches_hook, speaks_of_bypass, startup_files, steering,
};
pub(crate) use network::is_open_shell;
pub(crate) use partly_known::is_in_reach;
pub(crate) use profile::takes_subcommands;
pub(crate) use recipes::Recipe;

/// One simple command where it would run.
#[derive(Clone, Copy)]
pub(crate) struct ShellCall<'a> {
    pub command: &'a Command,
    /// The same as it is listed: `command` may be another spelling of it.
    pub listed: &'a Command,
    /// The whole text, which every command's span points into.
    pub text: &'a str,
    /// All commands of the same text, which `Stdin::Pipe` and its like point into.
    pub others: &'a [Command],
    /// Made by the first command that asks.
    pub graph: &'a OnceCell<Graph>,
    /// `None` if only the shell will know.
    pub directory: Option<&'a Utf8Path>,
    pub place: &'a Place,
    /// Nothing else happens in the same tool call.
    pub alone: bool,
}

/// The effects of a command itself, and the texts that it would run in turn.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    pub effects: Vec<Effect>,
    pub runs: Vec<InnerText>,
    /// Shell texts that it runs only if open words turn out so.
    pub may_run: Vec<String>,
    /// The nature of the program, where its effects do not tell it.
    pub nature: Nature,
    /// It may overwrite files that no effect names.
    pub rewrites: bool,
    /// Changes that it takes along, whoever made them.
    pub sweeps: Vec<Sweep>,
    /// Files that have another name from now on: moved or linked, from where and to where.
    pub renamed: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    /// Folders outside of the project in which git writes: pushes may arrive there.
    pub arrivals: Vec<Utf8PathBuf>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum InnerText {
    /// A shell script.
    Script(Utf8PathBuf),
    /// A program text in another language.
    Code(Utf8PathBuf, Language),
    /// A patch; its paths count.
    Patch(Utf8PathBuf),
    /// An archive that is unpacked into a folder; the names in it count.
    Archive {
        path: Utf8PathBuf,
        into: Utf8PathBuf,
    },
    /// A command in shell syntax that this one decodes.
    Text(String),
    /// A program text that an earlier command wrote.
    Program(Code),
    /// A recipe in a file of the project; the file has one of these names.
    Recipe(Vec<Utf8PathBuf>, Recipe),
    Alias {
        repository: Addressed,
        name: String,
        arguments: String,
    },
}

/// The same for a command whose program turned out to be git.
pub(crate) fn as_git(call: &ShellCall<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    git::survey(call, &mut meaning);
    meaning
}

pub(crate) fn meaning(call: &ShellCall<'_>) -> Meaning {
    let mut meaning = as_written(call);
    if call.command.words.iter().any(|word| word.literal().is_none()) {
        partly_known::add(call, &mut meaning);
    }
    meaning
}

fn as_written(call: &ShellCall<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    own::survey(call, &mut meaning);
    if !call.command.assignments.is_empty() {
        carried::variables(call, &mut meaning);
        carried::preloaded(call, &mut meaning);
    }
    let Some(program) = call.command.program() else {
        fetched::unknown_program(call, &mut meaning);
        meaning.rewrites = !call.command.words.is_empty();
        reading::redirected(call, &mut meaning);
        sending::survey("", call, &mut meaning);
        return meaning;
    };
    match program {
        "git" | "git-push" | "git-send-pack" | "git-http-push" | "git-filter-repo" | "git-filter-branch" => {
            git::survey(call, &mut meaning);
            near_gate::of_git(call, &mut meaning);
            reading::committed(call, &mut meaning);
            reading::redirected(call, &mut meaning);
            fetched::survey(program, call, &mut meaning);
        }
        "export" | "declare" | "typeset" | "readonly" => {
            git::exports(call, &mut meaning);
            fetched::survey(program, call, &mut meaning);
        }
        _ => {
            families::survey(program, call, &mut meaning);
            near_gate::survey(program, call, &mut meaning);
        }
    }
    any_file::survey(program, call, &mut meaning);
    meaning.nature = profile::nature(program, call);
    meaning.rewrites |= rewriters::rewrites(program, meaning.nature, call);
    // To a client of another machine the option means something else.
    if matches!(meaning.nature, Nature::Modification | Nature::System) && program != "git" {
        meaning.effects.extend(files::output::by_usual_option(call.arguments(), call));
    }
    meaning
}

impl ShellCall<'_> {
    pub fn arguments(&self) -> &[Word] {
        self.command.arguments()
    }

    /// Arguments that are plain text.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.command.literals()
    }

    pub fn target(&self, word: &Word) -> Target {
        match target(word, self.directory, self.place) {
            // With these settings of the shell, a star also stands for hidden names.
            Target::Inside(path) if self.text.contains("dotglob") || self.text.contains("GLOB") => {
                Target::Path(path)
            }
            target => target,
        }
    }

    /// Where the files of the text come from.
    pub fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::of(self.others, |command, word| self.file_named(command, word)))
    }

    /// The commands behind these, the nearest first.
    pub fn upstream(&self, start: impl IntoIterator<Item = usize>) -> Vec<(usize, &Command)> {
        let mut start = start.into_iter().peekable();
        match start.peek() {
            Some(_) => self.graph().upstream(self.others, start),
            None => Vec::new(),
        }
    }

    /// The commands of the same text whose bytes are in a file when this one reads it.
    pub fn writers(&self, file: &Word) -> Vec<usize> {
        let own = self.position();
        own.map_or_else(Vec::new, |own| self.graph().writers(&self.file_named(self.command, file), own))
    }

    /// The file that a word means where `command` runs.
    fn file_named(&self, command: &Command, word: &Word) -> String {
        let entered = match &command.directory {
            same if *same == self.command.directory => self.directory.map(ToOwned::to_owned),
            Directory::Same => Some(self.place.cwd.clone()),
            Directory::Known(word) => {
                target(word, Some(&self.place.cwd), self.place).path().map(ToOwned::to_owned)
            }
            Directory::Unknown => None,
        };
        match target(word, entered.as_deref(), self.place) {
            Target::Path(path) => path.into_string(),
            _ => word.text_lossy().into_owned(),
        }
    }

    /// Where the command stands among those of the same text.
    pub fn position(&self) -> Option<usize> {
        self.others.iter().position(|other| std::ptr::eq(other, self.listed))
    }

    /// The repository of the directory that the command runs in.
    pub fn repository(&self) -> Addressed {
        self.directory.map_or(Addressed::Unknown, |directory| Addressed::Directory(directory.to_owned()))
    }
}
