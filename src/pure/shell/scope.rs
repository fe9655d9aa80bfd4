//! The shell's state at one point of the text: constants, functions, aliases, the directory.
//!
//! Nothing is copied where the shell forks or branches: what is overwritten meanwhile is kept on a trail and put back.

use super::command::{Directory, RedirectKind};
use super::word::{Word, WordPart, is_name};
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum VariableValue {
    Scalar(Word),
    List(Vec<Word>),
}

impl VariableValue {
    /// Something that only the run knows, under the variable's own name.
    pub(super) fn open(name: &str) -> Self {
        Self::Scalar(Word { parts: vec![WordPart::Variable(name.to_owned())] })
    }

    /// The value as one word, elements joined by blanks.
    pub(super) fn word(&self) -> Word {
        match self {
            Self::Scalar(word) => word.clone(),
            Self::List(words) => join(words),
        }
    }

    pub(super) fn words(&self) -> &[Word] {
        match self {
            Self::Scalar(word) => std::slice::from_ref(word),
            Self::List(words) => words,
        }
    }

    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Scalar(word) => word.literal(),
            Self::List(words) => match words.as_slice() {
                [] => Some(""),
                [only] => only.literal(),
                _ => None,
            },
        }
    }
}

/// The words with blanks between them, as one word.
pub(super) fn join(words: &[Word]) -> Word {
    let mut joined = Word::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            joined.push_text(" ");
        }
        joined.append(word);
    }
    joined
}

/// Variables that every process has.
const ALWAYS_SET: &[&str] =
    &["HOME", "PATH", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "HOSTNAME", "UID", "EUID"];

/// Whether a variable has a value before the text sets it.
pub(super) fn is_always_set(name: &str) -> bool {
    ALWAYS_SET.contains(&name)
}

type Name = Rc<str>;

/// Positional parameters are variables named by their number, and the list `@`.
#[derive(Debug, Default)]
pub(super) struct ShellScope {
    variables: BTreeMap<Name, VariableValue>,
    /// Indices into the walker's list of functions.
    functions: BTreeMap<Name, usize>,
    aliases: BTreeMap<Name, Rc<str>>,
    directory: Directory,
    /// The descriptors that `exec` opened, by number; the last one of a number counts.
    descriptors: Vec<(i32, RedirectKind, Word)>,
    /// `declare -n one=other`
    references: Vec<(Name, Name)>,
    /// The old value of each change since the oldest open mark.
    trail: Vec<Was>,
    open: usize,
}

#[derive(Debug)]
enum Was {
    Variable(Name, Option<VariableValue>),
    Function(Name, Option<usize>),
    Alias(Name, Option<Rc<str>>),
    Directory(Directory),
}

/// A moment to go back to. Marks are given up in the reverse order of taking them.
#[must_use]
#[derive(Debug)]
pub(super) struct ScopeMark(usize);

/// The differences between two moments.
#[derive(Debug, Default)]
pub(super) struct ScopeChanges {
    variables: BTreeMap<Name, Option<VariableValue>>,
    functions: BTreeMap<Name, Option<usize>>,
    aliases: BTreeMap<Name, Option<Rc<str>>>,
    directory: Option<Directory>,
}

impl ScopeChanges {
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
            && self.functions.is_empty()
            && self.aliases.is_empty()
            && self.directory.is_none()
    }
}

impl ShellScope {
    pub(super) fn get(&self, name: &str) -> Option<&VariableValue> {
        let meant = match self.references.as_slice() {
            [] => name,
            some => some.iter().rfind(|(one, _)| **one == *name).map_or(name, |(_, other)| other),
        };
        self.variables.get(meant)
    }

    pub(super) fn refer(&mut self, name: &str, other: &str) {
        self.references.push((Name::from(name), Name::from(other)));
    }

    /// The target of a descriptor that `exec` opened.
    pub(super) fn descriptor(&self, number: &str) -> Option<(RedirectKind, Word)> {
        let number: i32 =
            number.trim_end_matches('-').parse().ok().filter(|_| !self.descriptors.is_empty())?;
        let (_, kind, target) = self.descriptors.iter().rfind(|(each, ..)| *each == number)?;
        Some((*kind, target.clone()))
    }

    pub(super) fn open_descriptor(&mut self, number: i32, kind: RedirectKind, target: Word) {
        self.descriptors.push((number, kind, target));
    }

    /// The number that the shell takes for `{name}>file`.
    pub(super) fn next_descriptor(&self) -> i32 {
        10 + self.descriptors.len() as i32
    }

    pub(super) fn set(&mut self, name: &str, value: VariableValue) {
        self.put(Name::from(name), Some(value));
    }

    pub(super) fn forget(&mut self, name: &str) {
        if let Some((name, _)) = self.variables.get_key_value(name) {
            self.put(Rc::clone(name), None);
        }
    }

    /// Gives a variable the value that it had before, or none.
    pub(super) fn restore(&mut self, name: &str, value: Option<VariableValue>) {
        self.put(Name::from(name), value);
    }

    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }

    pub(super) fn set_function(&mut self, name: &str, index: Option<usize>) {
        let name = Name::from(name);
        let was = exchange(&mut self.functions, &name, index);
        self.remember(|| Was::Function(name, was));
    }

    pub(super) fn alias(&self, name: &str) -> Option<Rc<str>> {
        self.aliases.get(name).cloned()
    }

    pub(super) fn set_alias(&mut self, name: &str, text: &str) {
        let name = Name::from(name);
        let was = exchange(&mut self.aliases, &name, Some(text.into()));
        self.remember(|| Was::Alias(name, was));
    }

    pub(super) fn directory(&self) -> &Directory {
        &self.directory
    }

    pub(super) fn set_directory(&mut self, directory: Directory) {
        let was = std::mem::replace(&mut self.directory, directory);
        self.remember(|| Was::Directory(was));
    }

    pub(super) fn set_positional(&mut self, words: &[Word]) {
        // Numbers sort between `0` and the character after `9`.
        let numbers =
            self.variables.range::<str, _>((Included("0"), Excluded(":"))).map(|(name, _)| Rc::clone(name));
        for name in numbers.collect::<Vec<_>>() {
            self.put(name, None);
        }
        for (index, word) in words.iter().enumerate().take(64) {
            self.set(&(index + 1).to_string(), VariableValue::Scalar(word.clone()));
        }
        self.set("@", VariableValue::List(words.to_vec()));
    }

    pub(super) fn mark(&mut self) -> ScopeMark {
        self.open += 1;
        ScopeMark(self.trail.len())
    }

    /// Goes back to the mark.
    pub(super) fn undo(&mut self, mark: ScopeMark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Was::Variable(name, was)) => drop(exchange(&mut self.variables, &name, was)),
                Some(Was::Function(name, was)) => drop(exchange(&mut self.functions, &name, was)),
                Some(Was::Alias(name, was)) => drop(exchange(&mut self.aliases, &name, was)),
                Some(Was::Directory(was)) => self.directory = was,
                None => {}
            }
        }
        self.open -= 1;
    }

    /// Goes back to the mark and says what had changed since.
    pub(super) fn rewind(&mut self, mark: ScopeMark) -> ScopeChanges {
        let mut last = ScopeChanges::default();
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Was::Variable(name, was)) => {
                    let now = exchange(&mut self.variables, &name, was);
                    last.variables.entry(name).or_insert(now);
                }
                Some(Was::Function(name, was)) => {
                    let now = exchange(&mut self.functions, &name, was);
                    last.functions.entry(name).or_insert(now);
                }
                Some(Was::Alias(name, was)) => {
                    let now = exchange(&mut self.aliases, &name, was);
                    last.aliases.entry(name).or_insert(now);
                }
                Some(Was::Directory(was)) => {
                    let now = std::mem::replace(&mut self.directory, was);
                    last.directory.get_or_insert(now);
                }
                None => {}
            }
        }
        self.open -= 1;
        last.variables.retain(|name, value| self.variables.get(name) != value.as_ref());
        last.functions.retain(|name, index| self.functions.get(name) != index.as_ref());
        last.aliases.retain(|name, text| self.aliases.get(name) != text.as_ref());
        last.directory.take_if(|directory| *directory == self.directory);
        last
    }

    /// Takes in that these changes may or may not have happened: what they touch is no longer known, and what they
    /// define may be there.
    pub(super) fn doubt(&mut self, changes: ScopeChanges) {
        for name in changes.variables.into_keys() {
            let open = (is_name(&name) && !matches!(&*name, "PWD" | "IFS" | "_"))
                .then(|| VariableValue::open(&name));
            self.put(name, open);
        }
        for (name, index) in changes.functions {
            if let (Some(index), None) = (index, self.function(&name)) {
                self.set_function(&name, Some(index));
            }
        }
        for (name, text) in changes.aliases {
            if let (Some(text), None) = (text, self.alias(&name)) {
                self.set_alias(&name, &text);
            }
        }
        if changes.directory.is_some() {
            self.set_directory(Directory::Unknown);
        }
    }

    /// Takes in that these changes happened, as their author expects, unless a variable had another value before: then it
    /// has either.
    pub(super) fn expect(&mut self, changes: ScopeChanges) {
        for (name, value) in changes.variables {
            let either = is_name(&name) && (self.variables.contains_key(&name) || is_always_set(&name));
            let value = if either { Some(VariableValue::open(&name)) } else { value };
            self.put(name, value);
        }
        for (name, index) in changes.functions {
            self.set_function(&name, index);
        }
        for (name, text) in changes.aliases {
            if let Some(text) = text {
                self.set_alias(&name, &text);
            }
        }
        if let Some(directory) = changes.directory {
            self.set_directory(directory);
        }
    }

    fn put(&mut self, name: Name, value: Option<VariableValue>) {
        let was = exchange(&mut self.variables, &name, value);
        self.remember(|| Was::Variable(name, was));
    }

    fn remember(&mut self, was: impl FnOnce() -> Was) {
        if self.open > 0 {
            self.trail.push(was());
        }
    }
}

/// Sets or removes an entry; what was there before.
fn exchange<T>(map: &mut BTreeMap<Name, T>, name: &Name, value: Option<T>) -> Option<T> {
    match value {
        Some(value) => map.insert(Rc::clone(name), value),
        None => map.remove(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(scope: &mut ShellScope, name: &str, text: &str) {
        scope.set(name, VariableValue::Scalar(Word::plain(text)));
    }

    #[test]
    fn going_back_restores_everything() {
        let mut scope = ShellScope::default();
        set(&mut scope, "a", "1");
        let outer = scope.mark();
        set(&mut scope, "a", "2");
        let inner = scope.mark();
        scope.forget("a");
        set(&mut scope, "b", "3");
        scope.set_directory(Directory::Unknown);
        scope.set_function("f", Some(0));
        scope.undo(inner);
        assert_eq!(scope.get("a").and_then(VariableValue::literal), Some("2"));
        assert_eq!((scope.get("b"), scope.function("f")), (None, None));
        assert_eq!(*scope.directory(), Directory::Same);
        scope.undo(outer);
        assert_eq!(scope.get("a").and_then(VariableValue::literal), Some("1"));
    }

    #[test]
    fn only_what_differs_in_the_end_is_doubted() {
        let mut scope = ShellScope::default();
        set(&mut scope, "same", "1");
        set(&mut scope, "other", "1");
        let mark = scope.mark();
        set(&mut scope, "same", "2");
        set(&mut scope, "same", "1");
        set(&mut scope, "other", "2");
        scope.set_alias("x", "y");
        let changes = scope.rewind(mark);
        assert!(!changes.is_empty());
        scope.doubt(changes);
        assert_eq!(scope.get("same").and_then(VariableValue::literal), Some("1"));
        assert_eq!(scope.get("other"), Some(&VariableValue::open("other")));
        assert_eq!(scope.alias("x").as_deref(), Some("y"));
        let mark = scope.mark();
        set(&mut scope, "same", "2");
        set(&mut scope, "same", "1");
        assert!(scope.rewind(mark).is_empty());
    }
}
