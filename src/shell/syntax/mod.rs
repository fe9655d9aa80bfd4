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
#[cfg(test)]
pub(super) use thorough::read as read_thoroughly;
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

/// A way to read a text in which at most so many levels may be open at once; nothing if it is too deep to be read at all.
pub(super) type Read<'t> = fn(&'t str, usize) -> Option<Syntax<'t>>;

/// The quick way where that will do, else the thorough one.
pub(super) fn read(text: &str, depth: usize) -> Option<Syntax<'_>> {
    match quick::read(text) {
        Some(body) => Some(Syntax { body, fault: None, runs_on: false }),
        None => thorough::read(text, depth),
    }
}
