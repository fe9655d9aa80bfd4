//! Which Claude Code is there, and what it lacks.

use super::{check::Check, version};

const NAME: &str = "client";
/// The oldest client that our hooks were tried on.
const TRIED: [u32; 3] = [2, 1, 197];
/// The first client that blocks a step when a hook that guards it dies.
const BLOCKS_ON_FAILURE: [u32; 3] = [2, 1, 295];

pub(crate) fn check(told: Option<&str>) -> Check {
    let Some(told) = told else {
        return Check::warn(NAME, "claude is not on PATH, so its version is unknown", "install Claude Code");
    };
    let Some(numbers) = version::numbers(told) else {
        let first = told.lines().next().unwrap_or_default();
        return Check::warn(NAME, format!("claude --version says {first:?}"), "reinstall Claude Code");
    };
    let printed = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    if numbers.as_slice() < TRIED.as_slice() {
        let detail =
            format!("Claude Code {printed} is older than 2.1.197, the oldest tried: events may be missing");
        return Check::warn(NAME, detail, "claude update");
    }
    if numbers.as_slice() < BLOCKS_ON_FAILURE.as_slice() {
        let detail =
            format!("Claude Code {printed} lets a step pass when its hook is killed (2.1.295 blocks it)");
        return Check::warn(NAME, detail, "claude update");
    }
    Check::ok(NAME, format!("Claude Code {printed}"))
}

#[cfg(test)]
mod tests {
    use super::{super::check::Standing, *};

    #[test]
    fn each_client_is_told_what_it_lacks() {
        for (told, standing, word) in [
            (Some("2.1.325 (Claude Code)"), Standing::Ok, "2.1.325"),
            (Some("2.1.295"), Standing::Ok, "2.1.295"),
            (Some("2.1.197 (Claude Code)"), Standing::Warn, "killed"),
            (Some("1.0.128"), Standing::Warn, "older"),
            (Some("what?"), Standing::Warn, "what?"),
            (None, Standing::Warn, "PATH"),
        ] {
            let check = check(told);
            assert_eq!(check.standing, standing, "{told:?}");
            assert!(check.detail.contains(word), "{}", check.detail);
        }
    }
}
