//! UserPromptSubmit: records the goal, and a person's yes to a review.

use plimsoll::flow::{prompt, serve};
use plimsoll::hook::Hook;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    serve::serve(Hook::UserPromptStart, prompt::start)
}
