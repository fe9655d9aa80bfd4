//! Our entries in Claude Code's settings: settings text in, settings text out. Pure.

mod container;
mod edit;
mod entry;
mod layout;
mod sandbox;
mod status_line;

pub use edit::{Error, add, remove};
pub use entry::{Form, Registered, expected, registered};
pub use sandbox::{SandboxEntries, add_sandbox, remove_sandbox};
pub use status_line::{add_status_line, has_status_line};
