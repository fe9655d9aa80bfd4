//! Results and errors without the parts that change from run to run, so that equal ones compare equal.

use super::text::{self, start};
use crate::pure::step::fingerprint;

/// Longer results are compared as they are.
const LONGEST: usize = 24 * 1024;

/// Names a result: durations, times of day and hexadecimal ids do not count.
pub(super) fn result_mark(result: &str) -> u32 {
    if result.len() > LONGEST {
        return text::short(fingerprint(result.as_bytes()));
    }
    text::mark(&masked(result, Numbers::Kept))
}

/// The kind of an error: its first two informative lines without numbers, paths, hashes and quoted names.
pub(super) fn error_kind(error: &str) -> String {
    let lines = informative_lines(error);
    lines.iter().map(|line| masked(line, Numbers::Masked)).collect::<Vec<_>>().join("\n")
}

/// The most informative line of an error.
pub(super) fn error_line(error: &str) -> &str {
    informative_lines(error).first().copied().unwrap_or_default()
}

fn informative_lines(error: &str) -> Vec<&str> {
    const SAYS: [&str; 22] = [
        "error", "fail", "not found", "cannot", "can't", "could not", "unable", "undefined", "expected",
        "fatal", "denied", "no such", "timed out", "timeout", "invalid", "unknown", "panic", "missing",
        "does not", "exception", "refused", "unexpected",
    ];
    let lines = || {
        let lines = start(error, LONGEST).lines().map(|line| line.trim());
        lines.filter(|line| !line.is_empty() && !is_noise(line)).take(60)
    };
    let says = |line: &str| {
        let lower = start(line, 400).to_ascii_lowercase();
        SAYS.iter().any(|word| lower.contains(word))
    };
    let found: Vec<&str> = lines().filter(|line| says(line)).take(2).collect();
    if found.is_empty() { lines().take(2).collect() } else { found }
}

/// Words that the client or a task runner puts before the error itself.
fn is_noise(line: &str) -> bool {
    line.starts_with("Exit code ")
        || line.starts_with("=== RUN")
        || line.starts_with("> ")
        || line.contains("] $ ")
        || line.starts_with("$ ")
        || line.ends_with("ERROR task failed")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Kept,
    Masked,
}

fn masked(text: &str, numbers: Numbers) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, after) = piece(rest, first, numbers);
        masked.push_str(piece);
        rest = after;
    }
    masked
}

/// The first word or character, masked if it varies, and the rest.
fn piece(rest: &str, first: char, numbers: Numbers) -> (&str, &str) {
    let split = |at: usize| rest.split_at_checked(at).unwrap_or((rest, ""));
    if first.is_alphanumeric() || matches!(first, '/' | '.' | '~' | '_') {
        let within =
            |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | ':' | '~' | '@' | '+');
        let (word, after) = split(rest.find(|c| !within(c)).unwrap_or(rest.len()));
        return (word_piece(word, numbers), after);
    }
    if numbers == Numbers::Masked
        && matches!(first, '"' | '\'' | '`' | '‘' | '“')
        && let Some(length) = quoted(rest, first)
    {
        return ("<quoted>", split(length).1);
    }
    let (character, after) = split(first.len_utf8());
    (character, after)
}

/// How long a quoted name is that begins here.
fn quoted(rest: &str, first: char) -> Option<usize> {
    let closing = match first {
        '‘' => '’',
        '“' => '”',
        same => same,
    };
    let inner = rest.get(first.len_utf8()..)?;
    let length = start(inner, 200).find(closing)?;
    Some(first.len_utf8() + length + closing.len_utf8())
}

fn word_piece(word: &str, numbers: Numbers) -> &str {
    let bare = word.trim_end_matches(['.', ':', '-']);
    if is_duration(bare) {
        return "<time>";
    }
    if is_moment(bare) {
        return "<moment>";
    }
    if is_id(bare) {
        return "<id>";
    }
    match numbers {
        Numbers::Kept => word,
        Numbers::Masked if bare.contains('/') => "<path>",
        Numbers::Masked if is_file(bare) => "<path>",
        Numbers::Masked if bare.starts_with(|c: char| c.is_ascii_digit()) => "<number>",
        Numbers::Masked => word,
    }
}

/// `main.rs`, `main.rs:14:7`.
fn is_file(word: &str) -> bool {
    let Some((stem, ending)) = word.split(':').next().and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    !stem.is_empty()
        && (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// `12ms`, `0.3s`, `1m20.5s`; not `5` and not `0x5s`.
fn is_duration(word: &str) -> bool {
    const UNITS: [&str; 12] =
        ["ms", "s", "sec", "secs", "µs", "us", "ns", "m", "h", "min", "seconds", "minutes"];
    let mut rest = word;
    let mut parts = 0;
    while rest.starts_with(|c: char| c.is_ascii_digit()) {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let Some((unit, after)) = rest.split_at_checked(end) else { return false };
        if !UNITS.contains(&unit) {
            return false;
        }
        (rest, parts) = (after, parts + 1);
    }
    parts > 0 && rest.is_empty()
}

/// `2026-11-16`, `12:30:01`, `2026-11-16T12:30:01.5Z`.
fn is_moment(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let marks = word.bytes().filter(|byte| matches!(byte, b'-' | b':')).count();
    let others =
        word.bytes().filter(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b':' | b'.' | b'T' | b'Z' | b'+'));
    digits >= 5 && marks >= 2 && others.count() == 0
}

/// A commit, a digest or a UUID: at least seven characters, hexadecimal or `-`, with a letter and two decimal digits.
fn is_id(word: &str) -> bool {
    let hexadecimal = word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    hexadecimal && word.len() >= 7 && letters && digits >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_run_to_run_is_no_difference() {
        for (one, other) in [
            ("12 passed in 0.31s", "12 passed in 1.02s"),
            ("built 3f9c2d1 at 12:30:01", "built 77aa0b2 at 12:31:44"),
            ("ok  \tpkg/a\t0.231s", "ok  \tpkg/a\t1.5s"),
            ("id 6f1f7a52-93a1-4b4e-a2f6-0d1f3a0b9c11", "id 0d1f3a0b-93a1-4b4e-a2f6-6f1f7a5293a1"),
            ("took 1m20.5s", "took 59.1s"),
        ] {
            assert_eq!(result_mark(one), result_mark(other), "{one}");
        }
        for (one, other) in
            [("12 passed", "13 passed"), ("line 10", "line 20"), ("decade", "facade"), ("a", "b")]
        {
            assert_ne!(result_mark(one), result_mark(other), "{one}");
        }
    }

    #[test]
    fn the_same_error_about_another_place_is_of_the_same_kind() {
        for (one, other) in [
            (
                "Exit code 1\nerror[E0425]: cannot find value `a`",
                "Exit code 101\nerror[E0425]: cannot find value `b`",
            ),
            ("src/a.rs:3:1: expected `;`", "src/lib/b.rs:40:12: expected `}`"),
            ("main.go:12: undefined: x", "main.go:40: undefined: x"),
        ] {
            assert_eq!(error_kind(one), error_kind(other));
        }
        assert_ne!(error_kind("permission denied"), error_kind("connection refused"));
    }

    #[test]
    fn what_a_task_runner_prints_first_is_not_the_error() {
        let lint =
            "Exit code 1\n[fmt] $ gofmt -w .\n[lint] $ golangci-lint run ./...\na.go:1:2: undefined: Foo";
        assert_eq!(error_line(lint), "a.go:1:2: undefined: Foo");
        assert_eq!(error_line("Exit code 1"), "");
    }
}
