//! The version that a program prints.

use camino::Utf8Path;
use plimsoll::edge::config::Environment;
use plimsoll::edge::run::{ExitKind, Job, run};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);

/// The output of `--version`, if the program succeeds within ten seconds.
pub(crate) fn printed_by(program: &str, directory: &Utf8Path) -> Option<String> {
    let ended = run(
        &Job {
            argv: vec![program.into(), "--version".into()],
            directory: directory.to_owned(),
            environment: Environment::variables(),
            deadline: PATIENCE,
            slow_after: PATIENCE,
        },
        || (),
    );
    matches!(ended.how, ExitKind::Exited(0))
        .then(|| String::from_utf8_lossy(&ended.output.bytes()).trim().to_owned())
}

/// The numbers of the first word that looks like `1.2.3`.
pub(crate) fn numbers(text: &str) -> Option<Vec<u32>> {
    let word = text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let numbers: Vec<u32> = word.split('.').map_while(|number| number.parse().ok()).collect();
    (numbers.len() >= 2).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_where_programs_print_them() {
        for (text, found) in [
            ("2.1.325 (Claude Code)\n", Some(vec![2, 1, 325])),
            ("git version 2.39.5 (Apple Git-154)", Some(vec![2, 39, 5])),
            ("git version 2.47.3.windows.1", Some(vec![2, 47, 3])),
            ("command not found", None),
            ("", None),
        ] {
            assert_eq!(numbers(text), found, "{text}");
        }
    }
}
