//! The answer of this room, and the way in.

use super::budget::Budget;
use super::code::Code;
use super::command::Command;
use super::source::TextOrigin;
use super::walk::Walker;
use std::fmt;

/// Texts beyond this are not looked into.
const MAX_BYTES: usize = 64 * 1024;

/// The commands that a text would run, in the order in which they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parsed {
    pub commands: Vec<Command>,
    /// Set when there may be more to it than the list says.
    pub opaque: Option<Opaque>,
    /// A function that it calls starts itself twice, and each of those does the same.
    pub multiplies: bool,
}

/// Why a text was not understood as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opaque {
    /// It ends inside a quote, a substitution or a compound command. A shell runs what is complete before that, which
    /// is listed, and nothing of the rest.
    Unfinished,
    Syntax,
    TooLong,
    NulByte,
    TooDeep,
    BudgetSpent,
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unfinished => "it ends in the middle of a command",
            Self::Syntax => "it is not valid shell",
            Self::TooLong => "it is longer than 64 KiB",
            Self::NulByte => "it contains a NUL byte",
            Self::TooDeep => "it is nested too deeply",
            Self::BudgetSpent => "it takes too many steps to follow",
        })
    }
}

impl Parsed {
    /// Whether the text is exactly one command, with nothing around it that runs before, beside or after it.
    pub fn is_single(&self) -> bool {
        let (first, rest) =
            self.commands.split_first().map_or((None, [].as_slice()), |(one, all)| (Some(one), all));
        let alone = first.is_some_and(|only| !only.background && !only.is_possible());
        self.opaque.is_none() && alone && rest.iter().all(Command::is_possible)
    }
}

/// Lists the commands that `text` would run. Never fails: `opaque` names what it cannot follow.
pub fn parse(text: &str, budget: &mut Budget) -> Parsed {
    let refused = |reason| Parsed { opaque: Some(reason), ..Parsed::default() };
    if text.len() > MAX_BYTES {
        return refused(Opaque::TooLong);
    }
    if text.as_bytes().contains(&0) {
        return refused(Opaque::NulByte);
    }
    let mut walker = Walker::new(text, budget);
    walker.text(text, &TextOrigin::At(0));
    walker.finish()
}

/// Lists the commands that a program text in another language would start.
pub(crate) fn parse_code(code: &Code, budget: &mut Budget) -> Parsed {
    let mut walker = Walker::new("", budget);
    walker.started(code, Command::default());
    walker.finish()
}
