//! A word as the program would receive it, with the parts that only the run can know marked as such.

use std::borrow::Cow;

/// One argument. Quotes, escapes and known variables are already resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Word {
    pub parts: Vec<WordPart>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WordPart {
    /// Exactly this text.
    Literal(String),
    /// The value of a variable that nothing in the text sets; `NAME:?` where the shell gives up on an empty one.
    Variable(String),
    /// An unquoted pattern: `*`, `?`, `[a-z]`, `!(x)`.
    Glob(String),
    /// A home directory; the name is empty for one's own.
    Tilde(String),
    /// The output of the command at this index of the list: `$(…)`, an item of `xargs`, a line that was `read`.
    Output(usize),
    /// A file that holds what the command at this index of the list prints: `<(…)`.
    Stream(usize),
    /// A fresh path below the temporary directory, as `mktemp` makes one.
    Temporary,
    /// Anything else that is decided at run time.
    Unknown,
}

/// How an unknown part is spelled when a word becomes shell text again; `$_` is never a constant here.
pub(super) const UNKNOWN_TEXT: &str = "${_}";

/// How the names begin that stand for parts with an origin when a word becomes shell text again.
pub(super) const ORIGIN_NAME: &str = "_plimsoll_";

/// Behind the name of a variable whose value is not empty.
const NEVER_EMPTY: &str = ":?";

/// Variables that never hold an option: the system sets them, or the shell does.
fn is_no_option(variable: &str) -> bool {
    matches!(
        variable,
        "HOME"
            | "PWD"
            | "OLDPWD"
            | "USER"
            | "LOGNAME"
            | "SHELL"
            | "HOSTNAME"
            | "PATH"
            | "TMPDIR"
            | "UID"
            | "EUID"
            | "PPID"
            | "RANDOM"
            | "SECONDS"
            | "LINENO"
            | "CLAUDE_PROJECT_DIR"
            | "?"
            | "$"
            | "!"
            | "#"
            | "0"
    )
}

impl Word {
    /// A word that is exactly this text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { parts: vec![WordPart::Literal(text.into())] }
    }

    pub(super) fn unknown() -> Self {
        Self { parts: vec![WordPart::Unknown] }
    }

    /// The text, if nothing about it is left to the run.
    pub fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [WordPart::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The known text at the front; empty when the word starts with something unknown.
    pub fn literal_prefix(&self) -> &str {
        match self.parts.first() {
            Some(WordPart::Literal(text)) => text,
            _ => "",
        }
    }

    pub fn starts_with(&self, prefix: &str) -> bool {
        self.literal_prefix().starts_with(prefix)
    }

    /// The word behind a text that it begins with.
    pub fn strip_prefix(&self, prefix: &str) -> Option<Word> {
        self.starts_with(prefix).then(|| self.without_first(prefix.len()))
    }

    /// The word without the first bytes of its text.
    pub fn without_first(&self, bytes: usize) -> Word {
        let mut parts = self.parts.clone();
        if let Some(WordPart::Literal(text)) = parts.first_mut() {
            *text = text.get(bytes..).unwrap_or_default().to_owned();
            if text.is_empty() {
                parts.remove(0);
            }
        }
        Word { parts }
    }

    pub fn is_glob(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, WordPart::Glob(_)))
    }

    /// Whether the run may make an option of it that the text alone does not show.
    pub fn may_be_option(&self) -> bool {
        self.literal().is_none()
            && match self.parts.first() {
                Some(WordPart::Literal(text)) => text.starts_with('-'),
                Some(WordPart::Variable(name)) => !is_no_option(name),
                Some(WordPart::Glob(pattern)) => {
                    let names_dash = ["[-", "[!", "[^"].iter().any(|start| pattern.starts_with(start));
                    names_dash || pattern.starts_with(['*', '?'])
                }
                Some(WordPart::Output(_) | WordPart::Unknown) => true,
                Some(WordPart::Tilde(_) | WordPart::Stream(_) | WordPart::Temporary) | None => false,
            }
    }

    /// Whether it is an option unless the run puts something in front: `-i`, `$x-i`.
    pub fn reads_as_option(&self) -> bool {
        self.starts_with("-") || (self.may_be_option() && self.known_text().starts_with('-'))
    }

    /// Whether the run may make this text of it.
    pub fn may_be(&self, text: &str) -> bool {
        let (mut rest, mut open) = (text, false);
        for (index, part) in self.parts.iter().enumerate() {
            let WordPart::Literal(piece) = part else {
                open = true;
                continue;
            };
            let after = match open {
                true if index + 1 == self.parts.len() => rest.ends_with(piece.as_str()).then_some(""),
                true => rest.split_once(piece.as_str()).map(|(_, after)| after),
                false => rest.strip_prefix(piece.as_str()),
            };
            let Some(after) = after else { return false };
            (rest, open) = (after, false);
        }
        open || rest.is_empty()
    }

    /// The text without the parts that only the run knows.
    pub fn known_text(&self) -> String {
        let known = |part: &WordPart| match part {
            WordPart::Literal(text) => Some(text.clone()),
            _ => None,
        };
        self.parts.iter().filter_map(known).collect()
    }

    /// The commands of the list whose output is part of the word, or lies in a file that it names.
    pub fn sources(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| match part {
            WordPart::Output(index) | WordPart::Stream(index) => Some(*index),
            _ => None,
        })
    }

    /// The word as a person would write it, with `${name}` for variables and `${_}` for what is unknown.
    pub fn text_lossy(&self) -> Cow<'_, str> {
        self.spelled(Origins::Dropped)
    }

    /// The word as shell text, if nothing in it is the output of a command or unknown.
    pub fn written_out(&self) -> Option<Cow<'_, str>> {
        let is_written = |part: &WordPart| {
            matches!(
                part,
                WordPart::Literal(_) | WordPart::Glob(_) | WordPart::Tilde(_) | WordPart::Variable(_)
            )
        };
        self.parts.iter().all(is_written).then(|| self.text_lossy())
    }

    /// The word read as shell text; nothing if no part of it is known.
    pub(super) fn shell_text(&self, origins: Origins) -> Option<Cow<'_, str>> {
        let known =
            self.parts.is_empty() || self.parts.iter().any(|part| matches!(part, WordPart::Literal(_)));
        known.then(|| self.spelled(origins))
    }

    fn spelled(&self, origins: Origins) -> Cow<'_, str> {
        if let Some(text) = self.literal() {
            return Cow::Borrowed(text);
        }
        let mut text = String::new();
        for part in &self.parts {
            match part {
                WordPart::Literal(piece) | WordPart::Glob(piece) => text.push_str(piece),
                WordPart::Variable(name) => text.extend(["${", name, "}"]),
                WordPart::Tilde(user) => text.extend(["~", user]),
                WordPart::Output(_) | WordPart::Stream(_) | WordPart::Temporary
                    if origins == Origins::Named =>
                {
                    text.extend(["${", &part.origin_name(), "}"]);
                }
                WordPart::Output(_) | WordPart::Stream(_) | WordPart::Temporary | WordPart::Unknown => {
                    text.push_str(UNKNOWN_TEXT)
                }
            }
        }
        Cow::Owned(text)
    }

    /// The bytes of its known text, and one for each part.
    pub(super) fn known_length(&self) -> usize {
        let length = |part: &WordPart| match part {
            WordPart::Literal(text) | WordPart::Glob(text) => text.len() + 1,
            WordPart::Variable(_)
            | WordPart::Tilde(_)
            | WordPart::Output(_)
            | WordPart::Stream(_)
            | WordPart::Temporary
            | WordPart::Unknown => 1,
        };
        self.parts.iter().map(length).sum()
    }

    /// The same with a blank for each of these signs.
    pub(super) fn split_by(&self, separators: &str) -> Self {
        let parts = self.parts.iter().map(|part| match part {
            WordPart::Literal(text) => WordPart::Literal(text.replace(|sign| separators.contains(sign), " ")),
            other => other.clone(),
        });
        Self { parts: parts.collect() }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(WordPart::Literal(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            None => *self = Self::plain(text),
            Some(_) => self.parts.push(WordPart::Literal(text.to_owned())),
        }
    }

    pub(super) fn push(&mut self, part: WordPart) {
        match part {
            WordPart::Literal(text) => self.push_text(&text),
            other => self.parts.push(other),
        }
    }

    pub(super) fn append(&mut self, other: &Word) {
        for part in &other.parts {
            self.push(part.clone());
        }
    }

    /// The word without the line breaks at its end, as the shell takes what a command prints.
    pub(super) fn trimmed(mut self) -> Word {
        if let Some(WordPart::Literal(last)) = self.parts.last_mut() {
            last.truncate(last.trim_end_matches('\n').len());
        }
        self
    }

    /// The word with every occurrence of `placeholder` in its text replaced.
    pub(super) fn with(&self, placeholder: &str, value: &Word) -> Word {
        let mut result = Word::default();
        for part in &self.parts {
            let WordPart::Literal(text) = part else {
                result.push(part.clone());
                continue;
            };
            for (index, piece) in text.split(placeholder).enumerate() {
                if index > 0 {
                    result.append(value);
                }
                result.push_text(piece);
            }
        }
        result
    }

    /// Splits `NAME=value` where the name is a variable's.
    pub(super) fn split_assignment(&self) -> Option<(String, Word)> {
        let (name, rest) = self.literal_prefix().split_once('=')?;
        if !is_name(name) {
            return None;
        }
        Some((name.to_owned(), self.without_first(self.literal_prefix().len() - rest.len())))
    }
}

/// Whether shell text made of a word keeps where its parts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origins {
    /// As names that the reader of this room takes back into parts.
    Named,
    Dropped,
}

impl WordPart {
    /// `${NAME:?}`
    pub(super) fn set_variable(name: &str) -> Self {
        Self::Variable(format!("{name}{NEVER_EMPTY}"))
    }

    /// Whether only the run knows the value, but nobody has to fear that it is empty.
    pub fn is_set_variable(&self) -> bool {
        matches!(self, Self::Variable(name) if name.ends_with(NEVER_EMPTY))
    }

    fn origin_name(&self) -> String {
        match self {
            Self::Output(index) => format!("{ORIGIN_NAME}output_{index}"),
            Self::Stream(index) => format!("{ORIGIN_NAME}stream_{index}"),
            Self::Temporary => format!("{ORIGIN_NAME}temporary"),
            Self::Literal(_) | Self::Variable(_) | Self::Glob(_) | Self::Tilde(_) | Self::Unknown => {
                "_".to_owned()
            }
        }
    }

    /// The part that such a name stands for.
    pub(super) fn of_origin_name(name: &str) -> Option<WordPart> {
        let rest = name.strip_prefix(ORIGIN_NAME)?;
        match rest.rsplit_once('_') {
            Some(("output", index)) => index.parse().ok().map(Self::Output),
            Some(("stream", index)) => index.parse().ok().map(Self::Stream),
            _ => (rest == "temporary").then_some(Self::Temporary),
        }
    }
}

/// Whether the text can be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fully_known_words_are_literal() {
        assert_eq!(Word::plain("a").literal(), Some("a"));
        assert_eq!(Word::default().literal(), Some(""));
        let mut word = Word::plain("a");
        word.push(WordPart::Variable("X".into()));
        assert_eq!(word.literal(), None);
        assert_eq!(word.literal_prefix(), "a");
        assert_eq!(word.text_lossy(), "a${X}");
    }

    #[test]
    fn a_word_may_be_what_its_known_parts_leave_room_for() {
        let (x, text) = (WordPart::Variable("x".into()), |text: &str| WordPart::Literal(text.into()));
        for (parts, fits, misses) in [
            (vec![text("--ha"), x.clone()], ["--hard", "--ha"], ["--soft", "-hard"]),
            (vec![x.clone(), text("-rf")], ["-rf", "--no-rf"], ["-rfv", "rf"]),
            (vec![text("-"), x.clone(), text("f")], ["-rf", "-f"], ["-r", "f"]),
            (vec![text("-a"), x.clone(), text("b"), x.clone()], ["-ab", "-axbx"], ["-a", "-b"]),
            (vec![x.clone()], ["-rf", ""], ["\0", "\0"]),
        ] {
            let word = Word { parts };
            assert!(fits.iter().all(|text| word.may_be(text)), "{word:?}");
            assert!(misses.iter().all(|text| *text == "\0" || !word.may_be(text)), "{word:?}");
        }
        assert!(Word::plain("-a").may_be("-a") && !Word::plain("-a").may_be("-ab"));
    }

    #[test]
    fn only_what_may_begin_with_a_dash_may_be_an_option() {
        let word = |first: WordPart| Word { parts: vec![first, WordPart::Variable("x".into())] };
        for first in [
            WordPart::Literal("-r".into()),
            WordPart::Variable("x".into()),
            WordPart::Glob("*".into()),
            WordPart::Output(0),
            WordPart::Unknown,
        ] {
            assert!(word(first.clone()).may_be_option(), "{first:?}");
        }
        for first in [
            WordPart::Literal("src/".into()),
            WordPart::Variable("HOME".into()),
            WordPart::Tilde(String::new()),
            WordPart::Temporary,
        ] {
            assert!(!word(first.clone()).may_be_option(), "{first:?}");
        }
        assert!(!Word::plain("-r").may_be_option());
    }

    #[test]
    fn a_word_without_known_text_is_no_shell_text() {
        assert_eq!(Word::unknown().shell_text(Origins::Named), None);
        assert_eq!(Word::plain("ls").shell_text(Origins::Named).as_deref(), Some("ls"));
    }

    #[test]
    fn origins_survive_as_names() {
        for part in [WordPart::Output(7), WordPart::Stream(12), WordPart::Temporary] {
            assert_eq!(WordPart::of_origin_name(&part.origin_name()), Some(part.clone()));
            let mut word = Word::plain("a");
            word.push(part);
            assert_eq!(word.text_lossy(), "a${_}");
        }
        assert_eq!(WordPart::of_origin_name("_plimsoll_output_x"), None);
        assert_eq!(WordPart::of_origin_name("HOME"), None);
    }

    #[test]
    fn assignments_need_the_name_of_a_variable() {
        let (name, value) = Word::plain("GIT_DIR=x=y").split_assignment().unwrap();
        assert_eq!((name.as_str(), value.literal()), ("GIT_DIR", Some("x=y")));
        assert!(Word::plain("--flag=x").split_assignment().is_none());
        assert!(Word::plain("1X=x").split_assignment().is_none());
    }
}
