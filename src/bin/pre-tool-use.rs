//! PreToolUse: what would this call do, and may it?

use plimsoll::flow::{serve, step};
use plimsoll::hook::Hook;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    serve::serve(Hook::PreToolUse, step::before_tool)
}
