//! One check of the doctor.

use crate::output::Verbosity;
use plimsoll::pure::text::{Tone, bold, columns, counted, with_home};
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckState {
    Ok,
    Warn,
    Fail,
}

/// The result of one check, and the command or action that fixes a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    #[serde(rename = "standing")]
    pub(crate) state: CheckState,
    pub(crate) detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<String>,
}

impl Check {
    pub(crate) fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: CheckState::Ok, detail: detail.into(), fix: None }
    }

    pub(crate) fn warn(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: CheckState::Warn, detail: detail.into(), fix: Some(fix.into()) }
    }

    pub(crate) fn fail(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: CheckState::Fail, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// The checks for a person: those that passed in one line, unless `each` is asked for.
pub(crate) fn listed(checks: &[Check], verbosity: Verbosity, home: &str) -> String {
    let is_listed = |check: &&Check| verbosity == Verbosity::Verbose || check.state != CheckState::Ok;
    let mut rows = Vec::new();
    for check in checks.iter().filter(is_listed) {
        let tone = match check.state {
            CheckState::Ok => Tone::Good,
            CheckState::Warn => Tone::Caution,
            CheckState::Fail => Tone::Bad,
        };
        let name = format!("{} {}", tone.symbol(), check.name);
        // A fix keeps its paths, since a quoted `~` is no path.
        rows.push(vec![name, with_home(&check.detail, home)]);
        rows.extend(check.fix.as_ref().map(|fix| vec![String::new(), format!("{} {fix}", bold("fix:"))]));
    }
    let passed: Vec<&str> =
        checks.iter().filter(|check| check.state == CheckState::Ok).map(|check| check.name).collect();
    if verbosity == Verbosity::Normal && !passed.is_empty() {
        let count = format!("{} passed:", counted(passed.len(), "check"));
        rows.insert(0, vec![format!("{} {count} {}", Tone::Good.symbol(), passed.join(", "))]);
        let (first, rest) = rows.split_at(1);
        return columns(first) + &columns(rest);
    }
    columns(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_their_fix_and_passed_checks_take_one_line() {
        let checks = [
            Check::ok("git", "git 2.47"),
            Check::fail("registration", "/home/a/x is missing", "run install.sh"),
            Check::ok("data", "/home/a"),
        ];
        let shown =
            |verbosity| anstream::adapter::strip_str(&listed(&checks, verbosity, "/home/a")).to_string();
        let problem = "✗ registration  ~/x is missing\n                fix: run install.sh\n";
        assert_eq!(shown(Verbosity::Quiet), problem);
        assert_eq!(shown(Verbosity::Normal), format!("✓ 2 checks passed: git, data\n{problem}"));
        assert_eq!(
            shown(Verbosity::Verbose),
            format!("✓ git           git 2.47\n{problem}✓ data          ~\n")
        );
    }
}
