//! Command text to the simple commands in it, wrappers unwrapped, each with its span. Pure.
//!
//! Decides what a text would run, never whether that is allowed. The parser's own types stay in this room.

mod brace;
mod budget;
mod builtin;
mod code;
mod command;
mod compound;
pub(crate) mod decode;
mod disguise;
mod expand;
mod fields;
mod names;
mod nested;
mod options;
mod output;
mod parameter;
mod parsed;
mod per_item;
mod place;
mod possible;
mod rule;
mod scan;
mod scope;
mod simple;
mod source;
mod starts;
mod syntax;
mod token;
mod unwrap;
mod walk;
mod word;

pub use budget::Budget;
pub(crate) use budget::Reading;
pub(crate) use code::{Code, Language};
pub use command::{Command, RedirectKind};
pub(crate) use command::{Directory, Redirect, Stdin, Wrapper};
pub(crate) use names::{NameTable, lists};
pub(crate) use options::{Piece, Pieces, Takes, lists_option, option_values, pieces};
pub(crate) use output::{of as printed_by, with_files as printed_with_files};
pub(crate) use parsed::{Opaque, parse_code};
pub use parsed::{Parsed, parse};
pub(crate) use scan::{Called, ScannedValue};
pub(crate) use starts::{named_calls, starts_program};
pub use word::Word;
pub(crate) use word::WordPart;

#[cfg(test)]
mod tests;
