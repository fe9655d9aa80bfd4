//! One simple command with everything around it that changes what it does.

use super::code::{Code, Language};
use super::disguise;
use super::word::{Word, WordPart};
use std::ops::Range;

/// A command that would run.
///
/// [`Word::sources`] names the commands whose output a word is made of, through
/// variables as well (`x=$(curl …); eval "$x"`), and `fed_by` those whose output it reads. `curl … | sh` is a `sh`
/// that is fed by a `curl`; in `eval "$(curl …)"`, `bash -c "$(curl …)"` and `bash <(curl …)` a word has that source.
/// Where a text is only in part an output (`sh -c "cd x; $(curl …)"`), the command listed for that part has a program
/// with that source. `find … | xargs rm` is an `rm` with a word whose source is the `find`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The arguments after unwrapping, the program first. Empty for bare assignments and redirects.
    pub words: Vec<Word>,
    /// Variables set for it: in front, by `env`, by `export` itself.
    pub assignments: Vec<Assignment>,
    /// Variables removed by `env -u`; `*` for all of them.
    pub unset: Vec<String>,
    pub redirects: Vec<Redirect>,
    pub stdin: Stdin,
    /// Every command whose output arrives on its standard input, by pipe, here-string or `< <(…)`. For a command in
    /// `>(…)` that is one further down the list.
    pub fed_by: Vec<usize>,
    pub directory: Directory,
    /// The unwrapped wrappers, the outermost first.
    pub via: Vec<Wrapper>,
    /// It runs elsewhere, so that local paths do not apply.
    pub remote: bool,
    /// It goes on while the text after it runs.
    pub background: bool,
    /// The program text that it interprets, if that is known.
    pub code: Option<Code>,
    /// Where it stands in the original text; for a command out of a nested text, where that text stands.
    pub span: Range<usize>,
}

impl Command {
    /// The program's name without its directory and without `.exe`, if known. `$SHELL` and `$BASH` are shells.
    pub fn program(&self) -> Option<&str> {
        let name = match self.words.first()?.parts.as_slice() {
            [WordPart::Literal(name)] => name,
            [WordPart::Variable(name)] if matches!(name.as_str(), "SHELL" | "BASH") => "sh",
            parts => return disguise::seen_through(parts),
        };
        let start = name.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1);
        let name = name.get(start..)?;
        Some(name.strip_suffix(".exe").unwrap_or(name))
    }

    /// Whether it runs only if words that the text leaves open turn out so.
    pub fn is_possible(&self) -> bool {
        self.via.contains(&Wrapper::Possible)
    }

    /// The arguments that are no options, whatever stands before them.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Word> {
        self.arguments().iter().filter(|word| !word.starts_with("-"))
    }

    /// The arguments after the program.
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Arguments that are plain text.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.arguments().iter().filter_map(Word::literal)
    }

    /// The words of redirects of these kinds: files, or for `HereDoc` and `HereString` texts.
    pub fn redirected(&self, kinds: &[RedirectKind]) -> impl DoubleEndedIterator<Item = &Word> {
        let wanted = self.redirects.iter().filter(|redirect| kinds.contains(&redirect.kind));
        wanted.map(|redirect| &redirect.target)
    }

    /// The texts of here-documents and here-strings.
    pub fn documents(&self) -> impl DoubleEndedIterator<Item = &Word> {
        self.redirected(&[RedirectKind::HereDoc, RedirectKind::HereString])
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub name: String,
    pub value: Word,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub kind: RedirectKind,
    /// Its number, if the text says one.
    pub descriptor: Option<i32>,
    /// The file, or for `HereDoc` and `HereString` the text itself.
    pub target: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    Read,
    Write,
    Append,
    ReadWrite,
    HereDoc,
    HereString,
}

impl RedirectKind {
    pub(crate) fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite | Self::HereDoc | Self::HereString)
    }
}

/// The input of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stdin {
    /// Whatever the shell itself reads, or a file named in the redirects.
    #[default]
    None,
    /// The output of the command at this index of the list; `fed_by` names the others, if it is a group.
    Pipe(usize),
    /// This text.
    Text(String),
}

/// Where the command runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Directory {
    /// Where the whole text was started.
    #[default]
    Same,
    /// In this directory; relative to `Same` if it is relative.
    Known(Word),
    Unknown,
}

impl Directory {
    /// Where `cd target` leads from here. A `cd` is taken to succeed.
    pub(super) fn enter(&self, target: &Word) -> Directory {
        if target.parts.iter().any(|part| {
            matches!(part, WordPart::Glob(_) | WordPart::Output(_) | WordPart::Stream(_) | WordPart::Unknown)
        }) {
            return Self::Unknown;
        }
        let relative =
            matches!(target.parts.first(), Some(WordPart::Literal(text)) if !text.starts_with('/'));
        match self {
            Self::Unknown if relative => Self::Unknown,
            Self::Known(base) if relative => {
                let mut joined = base.clone();
                joined.push_text("/");
                joined.append(target);
                Self::Known(joined)
            }
            Self::Same | Self::Known(_) | Self::Unknown => Self::Known(target.clone()),
        }
    }
}

/// Something that runs another command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// With another user's rights: `sudo`, `doas`, `pkexec`.
    Sudo,
    /// As another user: `su`, `runuser`, `gosu`.
    Su,
    Env,
    Timeout,
    /// In the shell itself: `command`, `builtin`, `exec`, `time`.
    Builtin,
    /// In other circumstances that do not matter here: `nice`, `nohup`, `strace`, `uv run`.
    Runner,
    Xargs,
    Parallel,
    /// `sh -c`, `script -c` and other texts given to a shell as an argument.
    ShellC,
    /// A text given to a shell on its standard input.
    ShellStdin,
    Eval,
    Trap,
    Alias,
    Function,
    Ssh,
    Container,
    /// With another root or other namespaces.
    Chroot,
    FindExec,
    Substitution,
    /// Nothing that must run: it does if words that only the run knows turn out so.
    Possible,
    Interpreter(Language),
}
