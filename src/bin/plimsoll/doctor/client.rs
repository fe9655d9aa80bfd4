//! The version of Claude Code, and what it lacks.

use super::{check::Check, version};

const NAME: &str = "client";
/// The oldest client that the hooks are tested on.
const TESTED: [u32; 3] = [2, 1, 197];
/// The first client that blocks a tool call when its hook is killed.
const BLOCKS_ON_FAILURE: [u32; 3] = [2, 1, 295];

pub(crate) fn check(printed: Option<&str>) -> Check {
    let Some(printed) = printed else {
        return Check::warn(NAME, "claude is not on PATH, so its version is unknown", "install Claude Code");
    };
    let Some(numbers) = version::numbers(printed) else {
        let first = printed.lines().next().unwrap_or_default();
        return Check::warn(NAME, format!("claude --version printed {first:?}"), "reinstall Claude Code");
    };
    let printed = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    if numbers.as_slice() < TESTED.as_slice() {
        let detail = format!(
            "Claude Code {printed} is older than 2.1.197, the oldest tested version: events may be missing"
        );
        return Check::warn(NAME, detail, "claude update");
    }
    if numbers.as_slice() < BLOCKS_ON_FAILURE.as_slice() {
        let detail =
            format!("Claude Code {printed} lets a tool call run when its hook is killed (2.1.295 blocks it)");
        return Check::warn(NAME, detail, "claude update");
    }
    Check::ok(NAME, format!("Claude Code {printed}"))
}

#[cfg(test)]
mod tests {
    use super::{super::check::CheckState, *};

    #[test]
    fn each_client_is_told_what_it_lacks() {
        for (told, state, word) in [
            (Some("2.1.325 (Claude Code)"), CheckState::Ok, "2.1.325"),
            (Some("2.1.295"), CheckState::Ok, "2.1.295"),
            (Some("2.1.197 (Claude Code)"), CheckState::Warn, "killed"),
            (Some("1.0.128"), CheckState::Warn, "older"),
            (Some("what?"), CheckState::Warn, "what?"),
            (None, CheckState::Warn, "PATH"),
        ] {
            let check = check(told);
            assert_eq!(check.state, state, "{told:?}");
            assert!(check.detail.contains(word), "{}", check.detail);
        }
    }
}
