//! Changes to files that guard the project: CI, hooks, lint rules, tests, the policy, the agents. They block nothing;
//! the report lists them.

use super::guard::{Guard, guard_of};
use super::object::{GitPath, Pair, Side};
use serde::Serialize;
use std::fmt;

/// A changed file that guards the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sensitive {
    pub path: GitPath,
    pub guard: Guard,
    /// The number before and after, for guards that count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<(usize, usize)>,
}

impl fmt::Display for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.guard.words())?;
        match self.counts {
            Some((before, after)) => write!(f, " ({before} before, {after} now)"),
            None => Ok(()),
        }
    }
}

/// A changed file with its text before and after.
#[derive(Debug, Clone)]
pub(crate) struct ChangedText {
    pub pair: Pair,
    pub old: String,
    pub new: String,
}

const TESTS: [&str; 17] = [
    "#[test]", "#[tokio::test", "#[rstest", "#[test_case", "it(", "it.each(", "test(", "test.each(",
    "Deno.test(", "def test_", "async def test_", "func Test", "func Fuzz", "@Test", "[Fact]", "[Theory]",
    "public function test",
];
const SKIPPED: [&str; 19] = [
    "#[ignore", "it.skip(", "test.skip(", "describe.skip(", "it.only(", "test.only(", "describe.only(",
    "it.todo(", "test.todo(", "test.fixme(", "xit(", "xdescribe(", "xtest(", "@pytest.mark.skip",
    "@pytest.mark.xfail", "@unittest.skip", "t.Skip", "@Disabled", "@Ignore",
];
const SILENCED: [&str; 13] = [
    "eslint-disable",
    "@ts-ignore",
    "@ts-nocheck",
    "# noqa",
    "# type: ignore",
    "#[allow(",
    "#![allow(",
    "//nolint",
    "pragma: no cover",
    "NOSONAR",
    "c8 ignore",
    "--no-verify",
    "continue-on-error: true",
];

/// Every guard that the change affects.
pub(crate) fn sensitive(changes: &[ChangedText]) -> Vec<Sensitive> {
    let mut found: Vec<Sensitive> = Vec::new();
    for change in changes {
        let path = &change.pair.path;
        let moved_away = changes.iter().any(|other| is_moved(&change.pair, &other.pair));
        let moved_here = changes.iter().any(|other| is_moved(&other.pair, &change.pair));
        let mut add = |guard, counts| found.push(Sensitive { path: path.clone(), guard, counts });
        if let Some(guard) = guard_of(&path.to_string()) {
            add(guard, None);
        }
        let tests = (count(&change.old, &TESTS, false), count(&change.new, &TESTS, false));
        if tests.1 < tests.0 && !moved_away {
            add(Guard::TestsRemoved, Some(tests));
        }
        for (guard, marks, anywhere) in [
            (Guard::TestsSkipped, SKIPPED.as_slice(), false),
            (Guard::ChecksSilenced, SILENCED.as_slice(), true),
        ] {
            let counts = (count(&change.old, marks, anywhere), count(&change.new, marks, anywhere));
            if counts.1 > counts.0 && !moved_here {
                add(guard, Some(counts));
            }
        }
        let hidden = (hidden(&change.old), hidden(&change.new));
        if hidden.1 > hidden.0 && !moved_here {
            add(Guard::HiddenCharacters, Some(hidden));
        }
    }
    found
}

/// Lines with zero-width characters, or characters that change the writing direction.
fn hidden(text: &str) -> usize {
    let invisible =
        |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}');
    text.lines().filter(|line| line.contains(invisible)).count()
}

/// Whether the change adds the deleted content of `from` as a new file.
fn is_moved(from: &Pair, to: &Pair) -> bool {
    let content = |side: &Option<Side>| side.as_ref().map(|side| side.id.clone());
    from.new.is_none() && to.old.is_none() && from.old.is_some() && content(&from.old) == content(&to.new)
}

/// The number of lines that begin with a mark, or contain one.
fn count(text: &str, marks: &[&str], anywhere: bool) -> usize {
    let has = |line: &&str| {
        let line = line.trim_start();
        marks.iter().any(|mark| if anywhere { line.contains(mark) } else { line.starts_with(mark) })
    };
    text.lines().filter(has).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{ObjectId, Side};

    fn side(letter: char) -> Option<Side> {
        Some(Side { mode: 0o100_644, id: ObjectId::parse(&letter.to_string().repeat(40)).unwrap() })
    }

    fn changed(path: &str, old: &str, new: &str) -> ChangedText {
        let pair = Pair { path: GitPath::new(path), old: side('a'), new: side('b') };
        ChangedText { pair, old: old.into(), new: new.into() }
    }

    fn words(changes: &[ChangedText]) -> Vec<String> {
        sensitive(changes).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn fewer_tests_more_skips_and_more_silence_are_counted() {
        let before = "#[test]\nfn a() {}\n#[test]\nfn b() {}\n";
        assert_eq!(
            words(&[changed("a.rs", before, "#[test]\nfn a() {}\n")]),
            ["a.rs: fewer tests than before (2 before, 1 now)"]
        );
        assert_eq!(
            words(&[changed(
                "a.test.ts",
                "  it('x', f)\n  it('y', f)\n",
                "  it('x', f)\n  it.skip('y', f)\n"
            )]),
            [
                "a.test.ts: fewer tests than before (2 before, 1 now)",
                "a.test.ts: more skipped tests than before (0 before, 1 now)"
            ]
        );
        assert_eq!(
            words(&[changed("a.py", "if admin:\n", "if admin:\u{202e} # x\n")]),
            ["a.py: more invisible characters than before (0 before, 1 now)"]
        );
        assert_eq!(
            words(&[changed("a.ts", "x()\n", "x() // eslint-disable-line\n")]),
            ["a.ts: more places where a check is silenced than before (0 before, 1 now)"]
        );
        assert_eq!(words(&[changed("a.rs", before, &format!("{before}{before}"))]), [""; 0]);
    }

    #[test]
    fn a_removed_test_file_is_told_unless_it_only_moved() {
        let text = "def test_a():\n    pass\n";
        let mut gone = changed("test_a.py", text, "");
        gone.pair.new = None;
        let mut there = changed("tests/test_a.py", "", text);
        (there.pair.old, there.pair.new) = (None, side('a'));
        assert_eq!(words(&[gone.clone()]), ["test_a.py: fewer tests than before (1 before, 0 now)"]);
        assert_eq!(words(&[gone, there]), [""; 0]);
    }
}
