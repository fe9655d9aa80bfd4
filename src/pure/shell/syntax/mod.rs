//! Shell text to its tree.
//!
//! Two readers make the same tree: [`quick`] reads what is written all day and gives up on the rest, [`thorough`] reads
//! everything that a shell would, and decides what is valid.

mod depth;
mod quick;
mod thorough;
pub(super) mod tree;
mod unfinished;

#[cfg(test)]
pub(super) use quick::read as read_quickly;
pub(super) use unfinished::Remedy;

use super::budget::Reading;

/// The syntax of a text, and its faults.
#[derive(Debug)]
pub(super) struct Syntax<'t> {
    /// As much of it as could be read.
    pub(super) body: tree::Sequence<'t>,
    pub(super) fault: Option<Fault>,
    /// A word in it never ends, although the rest can be read.
    pub(super) runs_on: bool,
}

#[derive(Debug)]
pub(super) enum Fault {
    TooDeep,
    Unfinished(Remedy),
    Syntax,
}

/// Reads a text in which at most `depth` levels may be open at once; nothing if that cannot be done.
pub(super) fn read(text: &str, depth: usize, reading: Reading) -> Option<Syntax<'_>> {
    let quickly = || quick::read(text).map(|body| Syntax { body, fault: None, runs_on: false });
    match reading {
        Reading::Quick => quickly(),
        Reading::Thorough => quickly().or_else(|| thorough::read(text, depth)),
        #[cfg(test)]
        Reading::ThoroughOnly => thorough::read(text, depth),
    }
}

/// Reads a text as one word.
pub(super) fn word(text: &str, reading: Reading) -> Option<tree::Word<'_>> {
    match reading {
        Reading::Quick => quick::word(text),
        Reading::Thorough => quick::word(text).or_else(|| Some(thorough::word(text))),
        #[cfg(test)]
        Reading::ThoroughOnly => Some(thorough::word(text)),
    }
}
