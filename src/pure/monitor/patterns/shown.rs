//! Evidence in an output: commands that a runner or a hook printed, and the results of checks.

use super::check::{Shows, printed_kind};
use super::outcome::test_counts;
use super::text::{end, start};

/// Longer outputs are read at both ends.
const ENDS: usize = 16 * 1024;

/// The kinds of checks that an output shows, whatever command it came from.
pub(super) fn kinds_shown(output: &str) -> Vec<Shows> {
    let both = output.len() > 2 * ENDS;
    let head = if both { start(output, ENDS) } else { output };
    let tail = if both { end(output, ENDS) } else { "" };
    let mut shown: Vec<Shows> = head.lines().chain(tail.lines()).filter_map(kind_of_line).collect();
    let counts = test_counts(output);
    if counts.passed.or(counts.total).is_some() {
        shown.push(Shows::Tests);
    }
    shown.sort_unstable();
    shown.dedup();
    shown
}

fn kind_of_line(line: &str) -> Option<Shows> {
    let line = start(line.trim(), 400);
    printed(line).and_then(printed_kind).or_else(|| result(line))
}

/// The command of a line like `$ eslint .`, `> jest --ci`, `+ cargo test`, `[lint] $ golangci-lint run`.
fn printed(line: &str) -> Option<&str> {
    ["$ ", "> ", "+ ", "❯ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .or_else(|| line.strip_prefix('[')?.split_once("] $ ").map(|(_, command)| command))
}

fn result(line: &str) -> Option<Shows> {
    const SIGNS: [(&str, Shows); 22] = [
        ("test result:", Shows::Tests),
        ("--- PASS", Shows::Tests),
        ("Test Suites:", Shows::Tests),
        ("Test Files ", Shows::Tests),
        ("Tests:", Shows::Tests),
        ("ok  \t", Shows::Tests),
        ("No fixes applied", Shows::Lint),
        ("0 issues", Shows::Lint),
        ("0 problems", Shows::Lint),
        ("no offenses", Shows::Lint),
        ("All checks passed", Shows::Lint),
        ("No ESLint warnings", Shows::Lint),
        ("no issues found", Shows::Types),
        ("0 errors, 0 warnings", Shows::Types),
        ("Found 0 errors", Shows::Types),
        ("Compiled successfully", Shows::Build),
        ("Finished `", Shows::Build),
        ("Build succeeded", Shows::Build),
        ("built in ", Shows::Build),
        ("BUILD SUCCESS", Shows::All),
        ("...Passed", Shows::All),
        ("Tests  ", Shows::Tests),
    ];
    SIGNS.iter().find(|(sign, _)| line.contains(sign)).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_shows_what_ran() {
        for (output, expected) in [
            (
                "$ bun test src/\n 12 pass\n 0 fail\n$ biome check\n$ tsc --noEmit",
                &[Shows::Tests, Shows::Lint, Shows::Types][..],
            ),
            ("> app@1.0.0 lint\n> eslint . --fix", &[Shows::Lint]),
            ("[test] $ go test ./...\nok  \tpkg\t0.1s", &[Shows::Tests]),
            ("ruff.....................Passed", &[Shows::All]),
            ("Tests  225 passed (225)", &[Shows::Tests]),
            ("0 issues.", &[Shows::Lint]),
            ("    Finished `dev` profile in 2.1s", &[Shows::Build]),
            ("hello", &[]),
            ("> a quoted sentence about tests", &[]),
            ("", &[]),
        ] {
            assert_eq!(kinds_shown(output), expected, "{output}");
        }
    }
}
