//! Sandboxed mode: what is hidden and read-only inside, which commands run outside, and what the settings promise. Pure.

mod exclude;
mod outside_command;
mod promise;
mod rules;
mod state;

pub use exclude::{MOUNT_POINTS, with_excludes, without_excludes};
pub use outside_command::{OUTSIDE, misspelled};
pub use promise::{SandboxPromise, promise};
pub use rules::{GitPlaces, SandboxPlaces, SandboxRules, rules, shared_entries};
pub use state::SandboxState;
