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

pub(crate) use budget::{Budget, Reading};
pub(crate) use code::{Code, Language};
pub(crate) use command::{Command, Directory, Redirect, RedirectKind, Stdin, Wrapper};
pub(crate) use names::{NameTable, lists};
pub(crate) use options::{Piece, Pieces, Takes, lists_option, option_values, pieces};
pub(crate) use output::of as printed_by;
pub use parsed::is_valid;
pub(crate) use parsed::{Opaque, Parsed, parse, parse_code};
pub(crate) use scan::{Called, ScannedValue, calls};
pub(crate) use starts::starts_program;
pub(crate) use word::{Word, WordPart};

#[cfg(test)]
mod tests;
