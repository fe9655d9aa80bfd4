//! UserPromptSubmit, UserPromptExpansion: the gate's answer for `/ship`.

use plimsoll::flow::{prompt, serve};
use plimsoll::hook::Hook;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    serve::serve(Hook::UserPromptShip, prompt::ship)
}
