//! What the shell knows at one point of the text: constants, functions, aliases, the directory.

use super::command::Directory;
use super::word::Word;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Scalar(Word),
    List(Vec<Word>),
}

impl Value {
    /// The value as one word, elements joined by blanks.
    pub(super) fn word(&self) -> Word {
        match self {
            Self::Scalar(word) => word.clone(),
            Self::List(words) => join(words),
        }
    }

    pub(super) fn words(&self) -> Vec<Word> {
        match self {
            Self::Scalar(word) => vec![word.clone()],
            Self::List(words) => words.clone(),
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

/// Positional parameters are variables named by their number, and the list `@`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Scope {
    variables: BTreeMap<String, Value>,
    /// Indices into the walker's list of functions.
    pub(super) functions: BTreeMap<String, usize>,
    pub(super) aliases: BTreeMap<String, String>,
    pub(super) directory: Directory,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.variables.insert(name.to_owned(), value);
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.variables.remove(name);
    }

    pub(super) fn set_positional(&mut self, words: &[Word]) {
        self.variables.retain(|name, _| !name.starts_with(|c: char| c.is_ascii_digit()));
        for (index, word) in words.iter().enumerate().take(64) {
            self.set(&(index + 1).to_string(), Value::Scalar(word.clone()));
        }
        self.set("@", Value::List(words.to_vec()));
    }

    /// What is still known when either this or the other may have happened.
    pub(super) fn join(&mut self, other: &Scope) {
        self.variables.retain(|name, value| other.variables.get(name) == Some(value));
        for (name, index) in &other.functions {
            self.functions.entry(name.clone()).or_insert(*index);
        }
        for (name, text) in &other.aliases {
            self.aliases.entry(name.clone()).or_insert_with(|| text.clone());
        }
        if self.directory != other.directory {
            self.directory = Directory::Unknown;
        }
    }
}
