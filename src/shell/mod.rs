//! Command text to the simple commands in it, wrappers unwrapped, each with its span. Pure.
//!
//! Decides what a text would run, never whether that is allowed. The parser's own types stay in this room.

mod brace;
mod budget;
mod builtin;
mod code;
mod command;
mod compound;
pub mod decode;
mod disguise;
mod expand;
mod fields;
mod name_hash;
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

pub use budget::{Budget, Reading};
pub use code::{Code, Language};
pub use command::{Assignment, Command, Directory, Redirect, RedirectKind, Stdin, Wrapper};
pub use name_hash::name_hash;
pub use output::of as printed_by;
pub use parsed::{Opaque, Parsed, is_valid, parse, parse_code};
pub use scan::{Called, Value, calls};
pub use starts::starts_program;
pub use word::{Part, Word};

#[cfg(test)]
mod tests;
