//! ConfigChange: keeps a settings change from taking Plimsoll out of a running session.

use plimsoll::flow::{serve, settings_change};
use plimsoll::hook::Hook;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    serve::serve(Hook::ConfigChange, settings_change::changed)
}
