//! The project's own commands by name, and whether one of them can serve as a check.

use super::CheckKind;
use std::collections::BTreeMap;

/// Usual names of the commands for a check, the plainest first.
pub(super) fn names(kind: CheckKind) -> &'static [&'static str] {
    match kind {
        CheckKind::Lint => &["lint", "lint:check", "lint-check"],
        CheckKind::Typecheck => &["typecheck", "type-check", "check-types", "types:check", "tsc"],
        CheckKind::Format => {
            &["format:check", "format-check", "check-format", "check:format", "fmt:check", "fmt-check"]
        }
        CheckKind::Build => &["build"],
        CheckKind::Test => &["test", "tests"],
        CheckKind::Integration => {
            &["test:integration", "test-integration", "integration", "integration-test", "test_integration"]
        }
        CheckKind::E2e => &["test:e2e", "test-e2e", "e2e", "e2e-test", "test_e2e"],
    }
}

/// Why a command cannot serve as a check. Only the command itself is read, not the programs that it calls.
pub(super) fn unfit(command: &str) -> Option<&'static str> {
    let has = |options: &[&str]| command.split_whitespace().any(|word| options.contains(&word));
    if command.trim().is_empty() || command.contains("no test specified") {
        Some("checks nothing")
    } else if has(&["--fix", "--write", "--apply", "--unsafe-fixes"]) {
        Some("would rewrite files")
    } else if has(&["--watch", "--watchAll", "--watch-all"]) {
        Some("would never end")
    } else {
        None
    }
}

/// The command for a check in a list of named commands.
pub(super) enum Chosen<'a> {
    Fit(&'a str),
    /// A command has the name, but cannot serve as a check.
    Unfit(&'a str, &'static str),
    None,
}

pub(super) fn choose<'a>(kind: CheckKind, commands: &'a BTreeMap<String, String>) -> Chosen<'a> {
    let named = || names(kind).iter().filter_map(|name| commands.get_key_value(*name));
    match named().find(|(_, command)| unfit(command).is_none()) {
        Some((name, _)) => Chosen::Fit(name),
        None => match named().next() {
            Some((name, command)) => Chosen::Unfit(name, unfit(command).unwrap_or_default()),
            None => Chosen::None,
        },
    }
}
