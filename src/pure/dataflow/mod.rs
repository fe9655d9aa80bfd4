//! Which bytes reach which command of one text: through pipes, substitutions, and files that another command of the same
//! text wrote. Descriptors and variables are resolved by the shell's own reader before.

mod decoder;
mod download;
mod graph;
mod written;

pub(crate) use decoder::decoder;
pub(crate) use download::{CURL, WGET, download};
pub(crate) use graph::{Graph, fed, text_printed, text_read};
