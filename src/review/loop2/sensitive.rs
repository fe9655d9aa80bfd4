//! Changes to what guards the code: they are listed for the reader wherever they hide in the diff.

use super::section::Section;
use crate::review::{Guard, guard_of};

const LISTED: usize = 60;

/// Words in added lines that switch a check or a test off.
const SWITCHED_OFF: [(&str, &str); 22] = [
    (".skip(", "a test is skipped"),
    ("describe.skip", "a test is skipped"),
    (".only(", "all other tests are skipped"),
    ("xit(", "a test is skipped"),
    ("xdescribe(", "a test is skipped"),
    ("#[ignore", "a test is skipped"),
    ("mark.skip", "a test is skipped"),
    ("mark.xfail", "a test is expected to fail"),
    ("unittest.skip", "a test is skipped"),
    ("t.Skip(", "a test is skipped"),
    ("@Disabled", "a test is skipped"),
    ("@Ignore", "a test is skipped"),
    ("eslint-disable", "a lint is switched off"),
    ("@ts-ignore", "a type check is switched off"),
    ("@ts-nocheck", "a type check is switched off"),
    ("type: ignore", "a type check is switched off"),
    ("# noqa", "a lint is switched off"),
    ("nolint", "a lint is switched off"),
    ("#[allow(", "a lint is switched off"),
    ("#![allow(", "a lint is switched off"),
    ("--no-verify", "git hooks are bypassed"),
    ("continue-on-error: true", "a failure is ignored"),
];

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let folder = |part: &str| matches!(part, "test" | "tests" | "__tests__" | "spec");
    path.split('/').rev().skip(1).any(folder)
        || ["_test.", ".test.", ".spec.", "_spec."].iter().any(|part| name.contains(part))
        || name.starts_with("test_")
}

/// Characters that show one text and mean another.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// What in the round guards the code, one line each.
pub fn sensitive(sections: &[Section]) -> Vec<String> {
    let mut found = Vec::new();
    for section in sections {
        let path = section.path.to_string();
        if let Some(what) = guard_of(&path).map(Guard::words) {
            found.push(format!("{path}: {} ({what})", section.status));
        }
        if is_test(&path) && section.status == "deleted" {
            found.push(format!("{path}: a test is deleted"));
        }
        if is_test(&path) && section.removed > section.added + 20 {
            found.push(format!("{path}: tests lose {} lines", section.removed - section.added));
        }
        let added = section.lines.iter().filter_map(|line| line.strip_prefix('+'));
        let mut seen: Vec<&str> = Vec::new();
        for line in added {
            let switched = SWITCHED_OFF.iter().filter(|(word, _)| line.contains(word)).map(|(_, what)| *what);
            let invisible = line
                .chars()
                .any(is_invisible)
                .then_some("characters that nobody sees (reordering or of no width)");
            for what in switched.chain(invisible) {
                if !seen.contains(&what) {
                    seen.push(what);
                    found.push(format!("{path}: {what}"));
                }
            }
        }
    }
    let more = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    if more > 0 {
        found.push(format!("and {more} more of this kind"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::section::Shown;
    use super::*;
    use crate::review::GitPath;

    fn section(path: &str, status: &'static str, lines: &[&str]) -> Section {
        Section {
            path: GitPath::new(path),
            status,
            bytes: 1,
            added: 0,
            removed: 0,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            shown: Shown::Whole,
        }
    }

    #[test]
    fn what_guards_the_code_is_listed_and_plain_code_is_not() {
        for (path, word) in [
            (".github/workflows/ci.yml", "continuous integration"),
            ("web/.husky/pre-commit", "git hooks"),
            (".claude/agents/helper.md", "coding agent"),
            (".claude/config/review-config.yaml", "review policy"),
            ("CLAUDE.md", "coding agent"),
            ("web/tsconfig.base.json", "configuration of a check"),
            (".gitattributes", "what git shows"),
        ] {
            let listed = sensitive(&[section(path, "modified", &[])]);
            assert!(listed.len() == 1 && listed[0].contains(word), "{path}: {listed:?}");
        }
        assert_eq!(sensitive(&[section("src/workflows/ci.rs", "modified", &["+let skipped = 1;"])]), [""; 0]);
    }

    #[test]
    fn tests_that_vanish_or_are_skipped_are_listed_once_per_file() {
        let skipped = section(
            "src/a.rs",
            "modified",
            &["+#[ignore]", "+#[ignore = \"x\"]", "-#[allow(x)]", " #[allow(y)]"],
        );
        assert_eq!(sensitive(&[skipped]), ["src/a.rs: a test is skipped"]);
        assert_eq!(
            sensitive(&[section("web/tests/a.ts", "deleted", &[])]),
            ["web/tests/a.ts: a test is deleted"]
        );
        let turned = section("a.py", "modified", &["+if admin:\u{202e} # x"]);
        assert!(sensitive(&[turned])[0].contains("nobody sees"));
    }
}
