//! Claims in a message: sentences that say that tests pass, that a linter is quiet, that a build succeeds.
//!
//! Quoted, tabular, planned, conditional, negated text and questions are no claims.

use super::check::Shows;
use super::sentences::sentences;
use super::text::{line as one_line, start};
use std::ops::Range;

const LONGEST_MESSAGE: usize = 64 * 1024;
const LONGEST_CLAIM: usize = 160;
const MOST: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) about: About,
    /// How many tests it says.
    pub(super) number: Option<u32>,
    pub(super) sentence: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Run(Shows),
    /// That it works, without saying what shows it.
    Works,
}

/// An admission in the message itself, after which nobody has to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admitted {
    Nothing,
    /// That something fails.
    Failure,
    /// That the checks were not run.
    NotRun,
}

impl Admitted {
    pub(super) fn by(message: &str) -> Self {
        const NOT_RUN: [&str; 14] = [
            "not run", "n't run", "unable to run", "not re-run", "n't re-run", "not rerun", "not been run",
            "not tested", "untested", "n't tested", "not verified", "n't verified", "can't run",
            "not execute",
        ];
        let lower = start(message, LONGEST_MESSAGE).to_lowercase().replace('’', "'");
        if NOT_RUN.iter().any(|words| lower.contains(words)) {
            Self::NotRun
        } else if admits_failure(&words(&lower)) || lower.contains('❌') {
            Self::Failure
        } else {
            Self::Nothing
        }
    }
}

/// `2 failed`, `still failing`, `flaky`; not `0 failed`, `no failures`.
fn admits_failure(words: &[&str]) -> bool {
    const NONE: [&str; 5] = ["0", "no", "zero", "without", "any"];
    (0..words.len()).any(|at| match word(words, at) {
        "flaky" | "pre-existing" | "preexisting" | "unrelated" | "except" => true,
        failed => failed.starts_with("fail") && !NONE.contains(&word(words, at.wrapping_sub(1))),
    })
}

/// The claims of a message, one of each kind.
pub(super) fn claims(message: &str) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for sentence in sentences(start(message, LONGEST_MESSAGE)) {
        for (about, number) in claims_of(&sentence) {
            match claims.iter_mut().find(|claim| claim.about == about) {
                Some(known) => known.number = known.number.max(number),
                None => {
                    claims.push(Claim { about, number, sentence: one_line(&sentence, LONGEST_CLAIM) });
                }
            }
        }
    }
    claims.truncate(MOST);
    claims
}

/// The claims of one sentence.
fn claims_of(sentence: &str) -> Vec<(About, Option<u32>)> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = words(&lower);
    let mut found = Vec::new();
    if admits_failure(&words) || words.iter().any(|word| is_part(word)) {
        return found;
    }
    for at in 0..words.len() {
        let Some(about) = subject(&words, at) else { continue };
        let Some(length) = predicate(&words, at) else { continue };
        let condition =
            matches!(word(&words, at + length + 1), "when" | "if" | "unless" | "once" | "whenever" | "until");
        if condition || is_open(&words, at..at + length + 1) {
            continue;
        }
        let number = if about == About::Run(Shows::Tests) { number(&words, at) } else { None };
        found.push((about, number));
    }
    found.extend(counted(&words));
    found.extend(without(&words));
    found.extend(works(&words));
    found
}

fn words(text: &str) -> Vec<&str> {
    let within =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '/' | '-' | '✅' | '✓' | '✔' | '%');
    text.split(|c| !within(c))
        .map(|word| word.trim_matches(['\'', '’', '-']))
        .filter(|word| !word.is_empty())
        .collect()
}

fn word<'a>(words: &[&'a str], at: usize) -> &'a str {
    words.get(at).copied().unwrap_or_default()
}

/// The subject of a possible claim, by the word that names it.
fn subject(words: &[&str], at: usize) -> Option<About> {
    let shows = match word(words, at) {
        "tests" | "test" | "suite" | "testsuite" | "specs" | "pytest" | "jest" | "vitest" => Shows::Tests,
        "lint" | "linter" | "linters" | "linting" | "clippy" | "eslint" | "golangci-lint" | "ruff" => {
            Shows::Lint
        }
        "typecheck" | "typechecking" | "type-check" | "type-checking" | "typechecks" | "tsc" | "mypy"
        | "pyright" => Shows::Types,
        "check" | "checks" | "checking" if word(words, at.wrapping_sub(1)) == "type" => Shows::Types,
        "build" | "builds" | "compilation" | "compiles" | "compiled" => Shows::Build,
        "checks" | "ci" | "pipeline" | "everything" => Shows::All,
        _ => return None,
    };
    Some(About::Run(shows))
}

/// How many words further it is said that it is so; what stands between may only be filling.
fn predicate(words: &[&str], at: usize) -> Option<usize> {
    const FAR: usize = 7;
    let mut linked = false;
    for distance in 1..=FAR {
        let said = word(words, at + distance);
        let before = word(words, at + distance - 1);
        let is_last = at + distance + 1 >= words.len();
        // Handing something over is another matter.
        let next = word(words, at + distance + 1);
        let onward = matches!(word(words, at + distance + 2), "to" | "through" | "into")
            && !matches!(next, "thanks" | "due" | "and" | "now");
        let hands_over = OBJECTS.contains(&next) || onward;
        let vague = matches!(word(words, at), "everything" | "checks" | "ci" | "pipeline");
        match said {
            "pass" | "passes" | "passed" if hands_over => return None,
            "0" | "no" | "zero" | "without" if NONE_OF.contains(&next) => {
                return Some(distance - 1);
            }
            "pass" | "passes" | "passed" | "success" | "succeed" | "succeeds" | "succeeded" | "green"
            | "✅" | "✓" | "✔" => return Some(distance),
            "passing" if linked || is_last || matches!(before, "all" | "now" | "still") => {
                return Some(distance);
            }
            "cleanly" | "successfully" if !vague => return Some(distance),
            "clean" | "ok" | "fine" | "successful" | "happy" | "good" if !vague && (linked || is_last) => {
                return Some(distance);
            }
            "are" | "is" | "was" | "were" | "remain" | "remains" | "all" | "now" | "still" => linked = true,
            "" => break,
            said if BLOCKS.contains(&said) => return None,
            _ => {}
        }
    }
    // "It compiles." says it by itself.
    (word(words, at) == "compiles").then_some(0)
}

/// Words after a "pass" that is no success: a test passes an argument.
const OBJECTS: [&str; 8] = ["a", "an", "the", "nil", "null", "its", "this", "that"];

/// Words for problems: `no errors` claims success.
const NONE_OF: [&str; 6] = ["errors", "issues", "warnings", "problems", "failures", "violations"];

/// Words behind which something else is said.
const BLOCKS: [&str; 34] = [
    "make", "sure", "ensure", "verify", "confirm", "when", "once", "whether", "that", "which", "not",
    "don't", "doesn't", "didn't", "fail", "fails", "failed", "failing", "error", "errors", "to", "should",
    "will", "would", "could", "can", "must", "if", "until", "before", "but", "never", "cannot", "won't",
];

/// Whether the sentence leaves it open, or says that it is not so.
fn is_open(words: &[&str], claim: Range<usize>) -> bool {
    const OPEN: [&str; 40] = [
        "if", "once", "when", "until", "unless", "whether", "should", "would", "will", "i'll", "we'll",
        "let's", "let", "ensure", "ensures", "verify", "verifies", "confirm", "check", "need", "needs",
        "must", "might", "may", "could", "expect", "expected", "want", "wait", "waiting", "so", "assuming",
        "hopefully", "require", "requires", "ensuring", "see", "sure", "requiring", "previously",
    ];
    const NOT: [&str; 14] = [
        "not", "no", "none", "some", "most", "few", "don't", "doesn't", "didn't", "isn't", "aren't", "never",
        "without", "only",
    ];
    let before = words.get(..claim.start).unwrap_or_default();
    let near = words.get(claim.start.saturating_sub(4)..claim.start).unwrap_or_default();
    let within = words.get(claim).unwrap_or_default();
    before.iter().any(|word| OPEN.contains(word)) || near.iter().chain(within).any(|word| NOT.contains(word))
}

/// The number of tests that is said just before them: `all 42 tests`, `42/42 tests`.
fn number(words: &[&str], at: usize) -> Option<u32> {
    (1..=4).find_map(|distance| leading_number(word(words, at.checked_sub(distance)?)))
}

/// `80/84`: not all of them.
fn is_part(word: &str) -> bool {
    word.split_once('/').and_then(|(some, all)| Some(some.parse::<u32>().ok()? < all.parse::<u32>().ok()?))
        == Some(true)
}

/// `42` of `42` and of `42/43`.
fn leading_number(word: &str) -> Option<u32> {
    word.split('/').next()?.parse().ok()
}

/// `42 passed`, `42/42 passing`.
fn counted(words: &[&str]) -> Option<(About, Option<u32>)> {
    let at = (1..words.len()).find(|at| {
        matches!(word(words, *at), "passed" | "passing" | "pass")
            && word(words, at - 1).starts_with(|c: char| c.is_ascii_digit())
    })?;
    let count = leading_number(word(words, at - 1)).filter(|count| *count > 0)?;
    (!is_open(words, at - 1..at + 1)).then_some((About::Run(Shows::Tests), Some(count)))
}

/// `no lint errors`, `0 type errors`, `0 failures`.
fn without(words: &[&str]) -> Option<(About, Option<u32>)> {
    let at = (0..words.len()).find(|at| matches!(word(words, *at), "no" | "0" | "zero"))?;
    let next = words.get(at + 1..words.len().min(at + 4)).unwrap_or_default();
    let names = |list: &[&str]| next.iter().any(|word| list.contains(word));
    if !names(&NONE_OF) {
        return None;
    }
    let shows = if names(&["lint", "linter", "linting", "clippy", "eslint"]) {
        Shows::Lint
    } else if names(&["type", "typescript", "mypy"]) {
        Shows::Types
    } else if names(&["build", "compile", "compilation", "compiler"]) {
        Shows::Build
    } else if names(&["test"]) && names(&["failures"]) {
        Shows::Tests
    } else {
        return None;
    };
    // The "no" is the claim itself; only what stands before it could leave it open.
    (!is_open(words, at..at)).then_some((About::Run(shows), None))
}

/// `I verified`, `fully verified`, `tested and working`.
fn works(words: &[&str]) -> Option<(About, Option<u32>)> {
    const BEFORE_VERIFIED: [&str; 13] =
        ["i", "i've", "i’ve", "have", "and", "was", "were", "is", "are", "been", "fully", "all", "manually"];
    let at = words.iter().position(|word| matches!(*word, "verified" | "tested"))?;
    let before = word(words, at.wrapping_sub(1));
    let after = word(words, at + 1);
    let says = match word(words, at) {
        "verified" => at == 0 || BEFORE_VERIFIED.contains(&before),
        _ => {
            matches!(before, "i" | "i've" | "fully" | "been")
                || (after == "and" && word(words, at + 2) == "working")
        }
    };
    (says && !is_open(words, at..at + 1)).then_some((About::Works, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(message: &str) -> Vec<About> {
        claims(message).into_iter().map(|claim| claim.about).collect()
    }

    #[test]
    fn claims_are_found() {
        const TESTS: About = About::Run(Shows::Tests);
        const LINT: About = About::Run(Shows::Lint);
        const BUILD: About = About::Run(Shows::Build);
        const TYPES: About = About::Run(Shows::Types);
        const ALL: About = About::Run(Shows::All);
        for (message, expected) in [
            ("All tests pass.", &[TESTS][..]),
            ("Done! All tests are passing.", &[TESTS]),
            ("Tests: all passing", &[TESTS]),
            ("All 42 tests pass and lint is clean.", &[TESTS, LINT]),
            ("42/42 tests pass", &[TESTS]),
            ("The full suite passes (312 passed).", &[TESTS]),
            ("- [x] unit tests pass", &[TESTS]),
            ("Unit tests ✅", &[TESTS]),
            ("All integration tests for the parser now pass.", &[TESTS]),
            ("The build succeeds.", &[BUILD]),
            ("It compiles.", &[BUILD]),
            ("Everything builds cleanly", &[BUILD]),
            ("`go test ./...` passes, and the linter is happy", &[TESTS, LINT]),
            ("There are no lint errors.", &[LINT]),
            ("Typecheck passes.", &[TYPES]),
            ("All checks pass.", &[ALL]),
            ("CI is green.", &[ALL]),
            ("I verified that the endpoint answers.", &[About::Works]),
            ("After the fix, all tests pass", &[TESTS]),
            ("Lint: 0 issues.", &[LINT]),
            ("No lint issues", &[LINT]),
            ("- `make build` - Success", &[BUILD]),
            ("The package compiled successfully.", &[BUILD]),
            ("No type errors.", &[TYPES]),
            ("The project builds without errors.", &[BUILD]),
            ("I ran the suite: 42 passed, 0 failed.", &[TESTS]),
        ] {
            let mut found = kinds(message);
            found.retain(|about| expected.contains(about) || *about != ALL);
            assert_eq!(found, expected, "{message}");
        }
    }

    #[test]
    fn what_is_planned_quoted_asked_or_denied_is_no_claim() {
        for message in [
            "The tests should pass now.",
            "Once the tests pass, I will push.",
            "Tests do not pass yet.",
            "Not all tests pass.",
            "Do all tests pass?",
            "Run the suite and make sure all tests pass.",
            "I'll check that the build succeeds.",
            "```\nall tests pass\n```",
            "> all tests pass",
            "| tests | pass |",
            "He said \"all tests pass\" and left.",
            "## Plan\n1. Tests pass\n",
            "- [ ] all tests pass",
            "I added tests that check passing arguments.",
            "If lint is clean, we can merge.",
            "Tests fail.",
            "Please run the tests and tell me whether they pass.",
            "I could not run the tests, so I don't know if they pass.",
            "You can merge when all checks pass.",
            "The hook blocks a push unless lint is clean.",
            "The test passes a nil pointer to the function.",
            "The build passes artifacts to the next job.",
            "Everything looks good.",
            "Previously all tests passed.",
            "Some tests pass.",
            "2 tests failed, so the build is not green.",
            "Next steps: all tests pass",
            "The tests cover passing and failing logins.",
            "80/84 tests passed.",
            "42 passed, 2 failed.",
            "All tests pass except the two flaky ones.",
            "The test passes if the flag is set.",
            "",
        ] {
            assert_eq!(kinds(message), [], "{message}");
        }
    }

    #[test]
    fn a_message_can_admit_what_nobody_has_to_ask() {
        for (message, admitted) in [
            ("All tests pass.", Admitted::Nothing),
            ("All tests pass, 0 failed, no failures.", Admitted::Nothing),
            ("Lint is clean; two tests are still failing.", Admitted::Failure),
            ("I couldn't run the tests here.", Admitted::NotRun),
            ("I did not run the linter.", Admitted::NotRun),
        ] {
            assert_eq!(Admitted::by(message), admitted, "{message}");
        }
    }

    #[test]
    fn the_claimed_number_is_read() {
        for (message, number) in [
            ("All 42 tests pass.", Some(42)),
            ("42/42 tests pass", Some(42)),
            ("312 passed", Some(312)),
            ("All tests pass", None),
        ] {
            assert_eq!(claims(message).first().map(|claim| claim.number), Some(number), "{message}");
        }
    }
}
