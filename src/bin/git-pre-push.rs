//! Run by git before a push: judges the commits that would really leave.

use plimsoll::flow::pre_push;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    pre_push::run()
}
