//! Our entries in Claude Code's settings: settings text in, settings text out. Pure.

mod container;
mod edit;
mod entry;
mod layout;
mod managed;
mod sandbox;
mod status_line;

pub use edit::{Error, add, remove};
pub use entry::{Form, Registered, expected, registered};
pub use managed::{add_managed, allows_managed_only, remove_managed};
pub use sandbox::{SandboxEntries, add_sandbox, remove_sandbox};
pub use status_line::{add_status_line, has_status_line};
