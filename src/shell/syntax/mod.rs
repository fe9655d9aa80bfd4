//! Shell text to its tree.
//!
//! [`thorough`] reads everything that a shell would, and decides what is valid.

mod depth;
mod thorough;
pub(super) mod tree;
mod unfinished;

pub(super) use thorough::word;
pub(super) use unfinished::Remedy;

/// What a text says, and what is wrong with it.
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

/// Reads a text in which at most `depth` levels may be open at once; nothing if it is too deep to be read at all.
pub(super) fn read<'t>(text: &'t str, depth: usize) -> Option<Syntax<'t>> {
    thorough::read(text, depth)
}
