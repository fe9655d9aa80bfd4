//! Sessions as they go wrong, and as they only look as if they did.

mod bounds;
mod claims;
mod loops;
mod scope;
mod session;
mod settings;
mod spirals;
