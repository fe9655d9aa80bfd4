//! Edge: the one door to the program git. One list of settings, a deadline and a limit for every call.
//!
//! Git sees no `GIT_*` variable of the caller, runs no hook, believes no cache that somebody could forge and asks nobody.

mod child;
mod command;
mod conversation;
mod deadline;
mod error;
mod program;
mod stderr;

pub(crate) use command::GitCommand;
pub(crate) use conversation::Conversation;
pub use error::Error;
pub(crate) use program::is_git;
#[cfg(feature = "cli")]
pub use program::program;
