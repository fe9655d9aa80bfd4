//! A safer form of the same command: only an option of the same program and subcommand changes.

use crate::pure::shell::{Budget, Command, Parsed, Word, parse};
use crate::pure::step::effect::Rewrite;
use crate::pure::step::programs::GIT_VALUED;
use std::ops::Range;

/// The whole text with the safer option; `None` if the option cannot be located with certainty, or if anything else would
/// change too.
pub(crate) fn rewritten(text: &str, span: &Range<usize>, rewrite: &Rewrite) -> Option<String> {
    let before = parse(text, &mut Budget::default());
    if before.opaque.is_some() {
        return None;
    }
    let mut result = text.to_owned();
    let mut end = span.end;
    for (from, to) in &rewrite.replace {
        let part = result.get(span.start..end)?;
        let (at, old, new) = match from.as_str() {
            "" => {
                let subcommand = subcommand(&before, span)?;
                (only(part, subcommand)?, subcommand, format!("{subcommand} {to}"))
            }
            from => (only(part, from)?, from, to.clone()),
        };
        let at = span.start + at;
        end = end + new.len() - old.len();
        result.replace_range(at..at + old.len(), &new);
    }
    let after = parse(&result, &mut Budget::default());
    same_but_for(&before, &after, rewrite).then_some(result)
}

/// The position of the word, if it occurs once, alone and unquoted.
fn only(text: &str, word: &str) -> Option<usize> {
    let is_edge =
        |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || b";|&)".contains(byte));
    let bytes = text.as_bytes();
    let mut places = text.match_indices(word).map(|(at, _)| at).filter(|at| {
        let front = at.checked_sub(1).and_then(|before| bytes.get(before));
        is_edge(front) && is_edge(bytes.get(at + word.len()))
    });
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

fn subcommand<'a>(parsed: &'a Parsed, span: &Range<usize>) -> Option<&'a str> {
    let command = parsed.commands.iter().find(|command| command.span == *span)?;
    command.words.get(subcommand_at(command)?)?.literal()
}

fn subcommand_at(command: &Command) -> Option<usize> {
    let mut words = command.words.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        let text = word.literal()?;
        if GIT_VALUED.contains(&text) {
            words.next();
        } else if !text.starts_with('-') {
            return Some(at);
        }
    }
    None
}

/// The same commands in the same order, with nothing but these options changed in one of them.
fn same_but_for(before: &Parsed, after: &Parsed, rewrite: &Rewrite) -> bool {
    let same_around = |old: &Command, new: &Command| {
        old.assignments == new.assignments
            && old.unset == new.unset
            && old.redirects == new.redirects
            && old.stdin == new.stdin
            && old.directory == new.directory
            && old.via == new.via
            && old.remote == new.remote
            && old.background == new.background
            && old.code == new.code
    };
    let pairs = || before.commands.iter().zip(&after.commands);
    let changed: Vec<_> = pairs().filter(|(old, new)| old.words != new.words).collect();
    let [(old, new)] = changed.as_slice() else { return false };
    after.opaque.is_none()
        && before.commands.len() == after.commands.len()
        && pairs().all(|(old, new)| same_around(old, new))
        && expected(old, rewrite).is_some_and(|words| words == new.words)
}

fn expected(command: &Command, rewrite: &Rewrite) -> Option<Vec<Word>> {
    let first = subcommand_at(command)?;
    let mut words = command.words.clone();
    for (from, to) in &rewrite.replace {
        let added = to.split_whitespace().map(Word::plain);
        if from.is_empty() {
            words.splice(first + 1..first + 1, added);
        } else {
            let at = words.iter().position(|word| word.literal() == Some(from)).filter(|at| *at > first)?;
            words.splice(at..at + 1, added);
        }
    }
    Some(words)
}

/// A tool's input with another command in it.
pub(crate) fn with_command(raw_input: &str, command: &str) -> Option<String> {
    let mut input: serde_json::Value = serde_json::from_str(raw_input).ok()?;
    *input.get_mut("command")? = command.into();
    Some(input.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, replace: &[(&str, &str)]) -> Option<String> {
        let parsed = parse(text, &mut Budget::default());
        let span = parsed.commands.last().map_or(0..text.len(), |command| command.span.clone());
        let replace = replace.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
        rewritten(text, &span, &Rewrite { replace })
    }

    const GENTLER: [(&str, &str); 1] = [("--force", "--force-with-lease")];

    #[test]
    fn only_the_option_changes() {
        for (text, expected) in [
            ("git push --force", "git push --force-with-lease"),
            ("cd x && git push origin x --force", "cd x && git push origin x --force-with-lease"),
            ("git -C sub push --force origin x", "git -C sub push --force-with-lease origin x"),
        ] {
            assert_eq!(tried(text, &GENTLER).as_deref(), Some(expected));
        }
    }

    #[test]
    fn an_option_is_added_behind_the_subcommand_or_taken_away() {
        assert_eq!(tried("git -C a clean -fd", &[("", "-n")]).as_deref(), Some("git -C a clean -n -fd"));
        assert_eq!(
            tried("git reset --hard HEAD", &[("--hard", "--keep")]).as_deref(),
            Some("git reset --keep HEAD")
        );
        assert_eq!(tried("git branch -D x", &[("-D", "")]).as_deref(), Some("git branch  x"));
    }

    #[test]
    fn what_cannot_be_found_for_certain_is_left_alone() {
        for text in [
            "git push '--force'",
            "git push $F --force --force",
            "X=--force; git push $X",
            "git push --force-x",
            "echo '--force' && git push \"--force\"",
            "git push --force \"$(",
        ] {
            assert_eq!(tried(text, &GENTLER), None, "{text}");
        }
    }

    #[test]
    fn the_rest_of_the_input_stays() {
        let input = r#"{"description":"d","command":"a","timeout":5}"#;
        assert_eq!(with_command(input, "b").unwrap(), r#"{"description":"d","command":"b","timeout":5}"#);
        assert_eq!(with_command("{}", "b"), None);
    }
}
