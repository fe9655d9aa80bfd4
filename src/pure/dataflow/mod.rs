//! Which bytes reach which command of one text: through pipes, substitutions, and files that another command of the same
//! text wrote. Descriptors and variables are resolved by the shell's own reader before. The tables here say what a
//! program reads, writes and sends; what that means is decided in `step`.

mod decoder;
mod download;
mod filter;
mod graph;
mod sent;
mod source;
mod text;
mod wire;
mod written;

pub(crate) use download::{CURL, WGET, saved_as};
pub(crate) use filter::{Substitution, line};
pub(crate) use graph::{Graph, fed};
pub(crate) use sent::{Parcel, ParcelReach, sent, serves};
pub(crate) use source::{Source, packs_history, prints_token, secret_printed};
pub(crate) use text::{text_printed, text_read};
pub(crate) use wire::{is_wire, is_wire_path, reads_wire};
