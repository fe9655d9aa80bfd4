//! The commands that run outside the sandbox, each exact and alone.

use crate::pure::shell::{Budget, Command, Word, parse};

/// Subcommands that hold authority, with what they are for. None takes a program, or an option that widens anything.
pub const OUTSIDE: [(&str, &str); 13] = [
    ("review run", "runs a loop and seals its receipt"),
    ("review report", "reads receipts"),
    ("review findings", "reads receipts"),
    ("reconcile", "reads receipts"),
    ("gate check", "reads receipts"),
    ("gate why", "reads receipts"),
    ("push", "judges the gate and pushes"),
    ("fetch", "needs the user's credentials"),
    ("checkpoint", "reads and writes the private store"),
    ("restore", "reads the private store"),
    ("undo", "reads the private store"),
    ("task", "reads and writes sealed tasks"),
    ("explain", "reads the enrolment"),
];

/// Texts that give the name another meaning for the rest of the line.
const REDEFINED: [&str; 4] = ["plimsoll()", "plimsoll ()", "function plimsoll", "alias plimsoll"];

/// The subcommand that would run outside in another spelling than the bare command, if there is one.
///
/// Older clients run a whole line outside if one of its commands may. A path, a variable or a redirect in front changes which
/// program that is and what it sees.
pub fn misspelled(text: &str) -> Option<&'static str> {
    if !text.contains("plimsoll") {
        return None;
    }
    if let Some(name) = REDEFINED.iter().find(|definition| text.contains(**definition)) {
        return Some(name);
    }
    let parsed = parse(text, &mut Budget::default());
    let found = parsed.commands.iter().find_map(|command| outside(command).map(|name| (command, name)));
    let (command, name) = found?;
    let plain = command.via.is_empty()
        && command.assignments.is_empty()
        && command.unset.is_empty()
        && command.redirects.is_empty()
        && command.words.iter().all(|word| word.literal().is_some());
    let bare = text.trim().split(' ').next() == Some("plimsoll") && !text.trim().contains(['\n', '\r']);
    (!(parsed.is_single() && plain && bare && !redirects(text))).then_some(name)
}

/// Whether there is a redirect of any kind, `2>&1` among them, outside quotes.
fn redirects(text: &str) -> bool {
    let mut quote = None;
    text.chars().any(|character| {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, '<' | '>') => return true,
            (None | Some(_), _) => {}
        }
        false
    })
}

fn outside(command: &Command) -> Option<&'static str> {
    if command.program() != Some("plimsoll") {
        return None;
    }
    let words: Vec<&str> = command.operands().filter_map(Word::literal).take(2).collect();
    let (first, second) = (words.first()?, words.get(1).copied().unwrap_or_default());
    let named = |name: &str| match name.split_once(' ') {
        Some((group, verb)) => group == *first && verb == second,
        None => name == *first,
    };
    OUTSIDE.iter().map(|(name, _)| *name).find(|name| named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bare_command_runs_outside() {
        for text in [
            "plimsoll push",
            "plimsoll push -u origin feature",
            "plimsoll review run --loop 1 --leave-out 'a b.txt'",
            "plimsoll gate why",
            "plimsoll undo",
            "git commit -m 'use plimsoll push'",
            "cat docs/plimsoll.md; git status",
            "plimsoll doctor | head",
            "plimsoll explain 'cat a > b'",
        ] {
            assert_eq!(misspelled(text), None, "{text}");
        }
        for text in [
            "plimsoll push; cat ~/.ssh/id",
            "plimsoll push && true",
            "true; plimsoll push",
            "plimsoll push | cat",
            "plimsoll push > out",
            "plimsoll push < in",
            "plimsoll review run --loop 1 2>&1",
            "PATH=.:$PATH plimsoll push",
            "env HOME=/tmp plimsoll push",
            "/tmp/plimsoll push",
            "./plimsoll push",
            "\\plimsoll push",
            "bash -c 'plimsoll push'",
            "plimsoll push $(cat x)",
            "plimsoll push $x",
            "plimsoll restore x; cat key",
            "plimsoll push &",
            "plimsoll review run --loop 1\ncat key",
            "plimsoll() { cat key; }; plimsoll push",
        ] {
            assert!(misspelled(text).is_some(), "{text}");
        }
    }
}
