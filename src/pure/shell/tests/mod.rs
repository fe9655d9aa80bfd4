//! Texts and the commands they come to.

mod hostile;
mod listing;
mod readers;
mod sources;
mod syntax;
mod wrapping;
