//! Ways past the ship gate of an enrolled repository: texts that only the run will know, and git under another name.

use super::{Depth, Surveyor, Text};
use crate::pure::shell::{Command, Directory, Word};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::known::Question;
use crate::pure::step::path::target;
use crate::pure::step::programs;
use camino::{Utf8Path, Utf8PathBuf};

/// Texts that call each other are followed up to this depth.
const MOST_NESTED: usize = 3;
/// And not more of them in one tool call.
const MOST_FOLLOWED: usize = 24;

impl Surveyor<'_> {
    /// The text as a whole. Nearly no text asks anything.
    pub(super) fn near_gate(&mut self, whole: &Text<'_>) {
        let near = programs::near_gate(whole.commands, whole.text);
        let startup = programs::startup_files(whole.text);
        if near.is_empty() && startup.is_empty() {
            return;
        }
        if self.known.gated.is_none() {
            self.ask(Question::Gated);
        }
        if self.known.gated != Some(true) {
            return;
        }
        // What is certain needs no doubt beside it.
        if !self.survey.found.iter().any(|found| matches!(found.effect, Effect::Bypass { .. })) {
            for how in &near.open {
                self.effect(Effect::PossibleBypass { how: how.clone() });
            }
        }
        for text in near.texts {
            self.nested(vec![programs::InnerText::Text(text)], Some(whole.directory));
        }
        for name in startup {
            if let Target::Path(path) = target(&Word::plain(name), Some(whole.directory), self.place)
                && let Some(text) = self.file(&path)
            {
                self.followed(&path, text, near.pushes);
            }
        }
        let mut any_file = false;
        for command in near.follows.iter().filter_map(|index| whole.commands.get(*index)) {
            let directory = self.directory_of(command, whole);
            let files = programs::files_behind(&whole.call(command, directory.as_deref(), self.place));
            for path in files {
                let Some(text) = self.file(&path) else { continue };
                any_file = true;
                self.followed(&path, text, near.pushes);
            }
        }
        // While files are still to be read, nothing is said about variables that they may hold.
        if near.exports && !any_file && self.survey.questions.is_empty() {
            let how = "exports what only the shell knows where something is pushed".to_owned();
            self.effect(Effect::PossibleBypass { how });
        }
        for folder in &near.searched {
            self.searched_first(folder);
        }
        for command in near.disguised.iter().filter_map(|index| whole.commands.get(*index)) {
            self.disguised(command, whole);
        }
    }

    /// Texts that an inner text would run. Only what concerns the gate of an enrolled repository counts there.
    pub(super) fn nested(&mut self, runs: Vec<programs::InnerText>, directory: Option<&Utf8Path>) {
        if runs.is_empty() || self.nested >= MOST_NESTED || self.followed > MOST_FOLLOWED {
            return;
        }
        if self.known.gated != Some(true) {
            return self.ask_gated();
        }
        let mut inner = Surveyor::new(self.place, self.known, 0, self.budget.reading());
        (inner.nested, inner.followed) = (self.nested + 1, self.followed + runs.len());
        runs.into_iter().for_each(|run| inner.inner(run, directory));
        self.followed = inner.followed;
        for question in inner.survey.questions {
            if matches!(question, Question::Script(_)) {
                self.ask(question);
            }
        }
        self.of_the_gate(inner.survey.found.into_iter().map(|found| found.effect), None);
    }

    /// Effects of a text that may run, as far as they concern the gate.
    fn of_the_gate(&mut self, effects: impl Iterator<Item = Effect>, name: Option<&str>) {
        for effect in effects {
            match effect {
                Effect::Bypass { how } | Effect::PossibleBypass { how } | Effect::Impersonate { how } => {
                    let how = name.map_or_else(|| how.clone(), |name| format!("{name}: {how}"));
                    self.effect(Effect::PossibleBypass { how });
                }
                Effect::Leave { .. } => self.effect(effect),
                _ => {}
            }
        }
    }

    /// A file whose text may run, or whose variables a push may get.
    fn followed(&mut self, path: &Utf8Path, text: &str, pushes: bool) {
        let name = path.file_name().unwrap_or(path.as_str());
        if pushes && let Some(set) = programs::steering(text) {
            let how = format!("{name} has `{set}`, where something is pushed");
            self.effect(Effect::PossibleBypass { how });
        }
        let effects = self.later_effects(text);
        let understood = !effects.is_empty();
        self.of_the_gate(effects.into_iter(), Some(name));
        // Text that another program takes out of the file first: a field of JSON, a column.
        if !understood && programs::speaks_of_bypass(text) {
            let how = format!("{name} holds a push past the git hook, and a part of it may run");
            self.effect(Effect::PossibleBypass { how });
        }
    }

    /// A command that pushes if its program is git under another name.
    fn disguised(&mut self, command: &Command, whole: &Text<'_>) {
        let Some(word) = command.words.first() else { return };
        let Some(program) = word.literal() else { return };
        let directory = self.directory_of(command, whole);
        let path = match program.contains('/') {
            true => match target(word, directory.as_deref(), self.place) {
                Target::Path(path) => path,
                Target::Inside(_) | Target::Matching(_) | Target::Below(_) | Target::Unknown => return,
            },
            false => Utf8PathBuf::from(program),
        };
        let elsewhere = |each: &Command| {
            let renames = |text: &str| text == "-p";
            let sets = each.assignments.iter().any(|assignment| assignment.name == "PATH");
            sets || (each.program() == Some("hash")
                && each.arguments().iter().filter_map(|word| word.literal()).any(renames))
        };
        let found_elsewhere = !program.contains('/') && whole.commands.iter().any(elsewhere);
        match self.known.git_programs.get(path.as_str()) {
            None => self.ask(Question::Git(path)),
            Some(Some(true)) => {
                let call = whole.call(command, directory.as_deref(), self.place);
                let meaning = programs::as_git(&call);
                meaning.effects.into_iter().for_each(|effect| self.effect(effect));
            }
            // Made by the same call, or taken from a folder that only the run will know.
            Some(None) if program.contains('/') => {
                let how = format!("{program} does not exist yet and may be git");
                self.effect(Effect::PossibleBypass { how });
            }
            Some(Some(false) | None) if found_elsewhere => {
                let how = format!("where {program} is found is not known, and it may be git");
                self.effect(Effect::PossibleBypass { how });
            }
            Some(Some(false) | None) => {}
        }
    }

    /// A folder in which a push finds its git before the usual ones.
    fn searched_first(&mut self, folder: &str) {
        let path = Utf8PathBuf::from(folder).join("git");
        match self.known.git_programs.get(path.as_str()) {
            None => self.ask(Question::Git(path)),
            Some(Some(false)) => {
                let how = format!("{path} would run in the place of git");
                self.effect(Effect::PossibleBypass { how });
            }
            Some(Some(true) | None) => {}
        }
    }

    /// A folder that git or another program writes into, which may be the remote of this repository.
    pub(super) fn arrival(&mut self, path: &Utf8Path) {
        let path = self.known.real.get(path.as_str()).map_or(path, |real| real.as_path());
        if path.starts_with(&self.place.project) {
            return;
        }
        match self.known.receives.get(path.as_str()) {
            None => self.ask(Question::Receives(path.to_owned())),
            Some(true) => {
                let how = format!("writes into {path}, where the pushes of this repository arrive");
                self.effect(Effect::PossibleBypass { how });
            }
            Some(false) => {}
        }
    }

    /// A program that is about to run, whose text changes what the gate relies on.
    pub(super) fn running_text(&mut self, name: &str, text: &str) {
        if programs::changes_settings(text) || programs::hides_our_name(text) {
            let how =
                format!("{name} changes the settings that register Plimsoll, or names Plimsoll in pieces");
            self.effect(Effect::PossibleBypass { how });
        }
        if programs::speaks_of_bypass(text) {
            self.effect(Effect::PossibleBypass { how: format!("{name} holds a push past the git hook") });
        }
        if programs::searches_hook(text) {
            self.effect(Effect::PossibleBypass {
                how: format!("{name} searches for git's hooks to change them"),
            });
        }
        if programs::copies_objects(text) {
            self.effect(Effect::PossibleBypass {
                how: format!("{name} puts objects into a repository by itself"),
            });
        }
    }

    /// An effect on a place that only the run will know, in a text about git's folder.
    pub(super) fn unknown_place(&mut self, effects: &[Effect], whole: &Text<'_>) {
        let open = |effect: &Effect| match effect {
            Effect::Write { target, .. } | Effect::Delete { target, .. } | Effect::Replace { target } => {
                matches!(target, Target::Unknown | Target::Below(_))
            }
            _ => false,
        };
        if effects.iter().any(open) && programs::names_git_folder(whole.text) {
            let how = "changes a place that only the shell knows, maybe in git's folder".to_owned();
            self.effect(Effect::PossibleBypass { how });
        }
    }

    /// A write into a repository where pushes arrive does what a push does.
    pub(super) fn bare_repository_write(&mut self, effect: &Effect) {
        let path = match effect {
            Effect::Write { target, .. } | Effect::Delete { target, recursive: true } => target.path(),
            Effect::Merge { into, .. } => Some(into.as_path()),
            _ => None,
        };
        if let Some(path) = path {
            self.arrival(path);
        }
        if let Some(name) = path.and_then(programs::bare_repository) {
            let how = format!("writes into {name}, where pushes may arrive");
            self.effect(Effect::PossibleBypass { how });
        }
    }

    /// The files that a patch changes.
    pub(super) fn patch(&mut self, path: &Utf8Path, directory: &Utf8Path) {
        let Some(text) = self.file(path) else { return };
        for name in text.lines().filter_map(|line| line.strip_prefix("+++ ")) {
            let name = name.split('\t').next().unwrap_or_default();
            let bare = name.split_once('/').map_or(name, |(_, rest)| rest);
            for name in [name, bare] {
                let path = crate::pure::step::path::normal(&directory.join(name));
                if self.place.protected.touched_by_write(&path, true).is_some() {
                    self.effect(Effect::Write { target: Target::Path(path), recursive: false });
                }
            }
        }
    }

    /// The files that an archive brings.
    pub(super) fn archive(&mut self, path: &Utf8Path, into: &Utf8Path) {
        let Some(names) = self.known.archives.get(path.as_str()) else {
            return self.ask(Question::Archive(path.to_owned()));
        };
        for name in names {
            let path = crate::pure::step::path::normal(&into.join(name));
            if self.place.protected.touched_by_write(&path, true).is_some() {
                self.effect(Effect::Write { target: Target::Path(path), recursive: false });
            }
        }
    }

    fn directory_of(&self, command: &Command, whole: &Text<'_>) -> Option<Utf8PathBuf> {
        match &command.directory {
            Directory::Same => Some(whole.directory.to_owned()),
            Directory::Known(word) => {
                target(word, Some(whole.directory), self.place).path().map(ToOwned::to_owned)
            }
            Directory::Unknown => None,
        }
    }

    /// A file by which the client runs commands by itself.
    pub(in crate::pure::step) fn client_file(&mut self, path: &Utf8Path, text: &str) {
        if programs::carries_commands(path, text) {
            let how = format!("{path} would let the client run commands by itself");
            self.effect(Effect::PossibleBypass { how });
        }
    }

    /// A file whose text pushes past the git hook, whoever runs it later.
    pub(in crate::pure::step) fn bypass_text(&mut self, path: &Utf8Path, text: &str) {
        let named = path.file_name().unwrap_or(path.as_str());
        if programs::is_prose(named) {
            return;
        }
        self.bare_repository_write(&Effect::Write {
            target: Target::Path(path.to_owned()),
            recursive: false,
        });
        if programs::speaks_of_bypass(text) {
            let how = format!("writes a push past the git hook into {named}");
            self.effect(Effect::PossibleBypass { how });
        }
        if programs::searches_hook(text) || programs::copies_objects(text) {
            let how = format!("writes a program into {named} that changes what carries the gate");
            self.effect(Effect::PossibleBypass { how });
        }
        if programs::hides_our_name(text) || (!text.contains("claude") && programs::changes_settings(text)) {
            let how = format!("writes names into {named} in pieces, to pass by Plimsoll");
            self.effect(Effect::PossibleBypass { how });
        }
    }

    /// Checks each file that a typed command writes against the text of the command.
    pub(super) fn client_files(&mut self, effects: &[Effect], whole: &Text<'_>) {
        if whole.depth != Depth::Typed {
            return;
        }
        for effect in effects {
            if let Effect::Write { target: Target::Path(path), .. } = effect {
                self.client_file(path, whole.text);
            }
        }
    }
}
