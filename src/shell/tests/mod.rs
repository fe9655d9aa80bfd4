//! Texts and the commands they come to.

mod hostile;
mod listing;
mod syntax;
mod wrapping;
