//! All hooks in one program. It is installed under nine names, and its own name says which hook it is.

use plimsoll::app::hooks::serve::serve;
use plimsoll::app::hooks::{
    config_change, git_pre_push, post_tool_use, pre_tool_use, session_start, stop, unknown_name,
    user_prompt_review, user_prompt_ship, user_prompt_start,
};
use plimsoll::pure::client::Hook;
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

/// musl's own allocator is slow on big inputs.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let path = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&path).file_name().and_then(OsStr::to_str);
    match name.unwrap_or_default() {
        "session-start" => serve(Hook::SessionStart, session_start::answer),
        "user-prompt-start" => serve(Hook::UserPromptStart, user_prompt_start::answer),
        "user-prompt-review" => serve(Hook::UserPromptReview, user_prompt_review::answer),
        "user-prompt-ship" => serve(Hook::UserPromptShip, user_prompt_ship::answer),
        "pre-tool-use" => serve(Hook::PreToolUse, pre_tool_use::answer),
        "post-tool-use" => serve(Hook::PostToolUse, post_tool_use::answer),
        "stop" => serve(Hook::Stop, stop::answer),
        "config-change" => serve(Hook::ConfigChange, config_change::answer),
        "git-pre-push" => git_pre_push::run(),
        _ => unknown_name::run(),
    }
}
