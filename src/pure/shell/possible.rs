//! Further readings of a command whose unknown words may be options of a wrapper, or nothing at all: `sudo $x rm`, `bash -$x
//! 'rm …'`, `find … $x rm {} +`.

use super::code;
use super::command::{Command, Stdin, Wrapper};
use super::names::lists;
use super::options::WrapperOptions;
use super::rule::{WrappedPart, WrapperRule};
use super::word::{Word, WordPart};

/// Open words that are tried out in one command, one after the other.
const MAX_OPEN: usize = 3;

/// The command if what only the run knows of its first word is nothing: then the rest of the word is the program, or the
/// next word.
pub(super) fn by_known_program(command: &Command) -> Option<Command> {
    let (first, rest) = command.words.split_first()?;
    let known = first.known_text();
    let words = match first.parts.as_slice() {
        [WordPart::Variable(_) | WordPart::Output(_) | WordPart::Unknown] => rest.to_vec(),
        [WordPart::Temporary | WordPart::Stream(_), ..] => return None,
        _ if first.is_glob() || known.is_empty() => return None,
        _ => [Word::plain(known)].into_iter().chain(rest.iter().cloned()).collect(),
    };
    (!words.is_empty()).then(|| possible(command, words)).flatten()
}

/// The command as a wrapper may read it otherwise. What runs elsewhere is no matter of the rules that need this.
pub(super) fn of_wrapper(rule: &WrapperRule, options: &WrapperOptions, command: &Command) -> Vec<Command> {
    if rule.wrapper == Wrapper::Container || rule.inner == WrappedPart::Find {
        return Vec::new();
    }
    let reaches_operand = match rule.inner {
        WrappedPart::Shell => !options.has("-c"),
        WrappedPart::Words | WrappedPart::Xargs | WrappedPart::Nothing | WrappedPart::Trap => true,
        WrappedPart::Text | WrappedPart::Parallel | WrappedPart::Find | WrappedPart::Crontab => false,
    };
    let end = options.rest + usize::from(reaches_operand);
    let text = match (rule.inner, rule.wrapper) {
        (WrappedPart::Shell, _) => "-c",
        (_, Wrapper::Env) => "-S --split-string",
        _ => rule.text,
    };
    readings(command, end, text, rule.valued)
}

/// The same where an open word keeps the subcommand from being read: `uv $x run rm`, `poetry run$x rm`.
pub(super) fn of_subcommand(command: &Command) -> Option<Command> {
    let at = command.words.iter().take(4).skip(1).position(|word| word.literal().is_none())? + 1;
    let known = command.words.get(at)?.known_text();
    let mut words = command.words.clone();
    words.splice(at..at + 1, (!known.is_empty()).then(|| Word::plain(known)));
    possible(command, words)
}

/// The same for an interpreter, which takes its program from an option.
pub(super) fn of_interpreter(command: &Command) -> Vec<Command> {
    match code::options(command) {
        Some((text, valued)) => readings(command, command.words.len(), text, valued),
        None => Vec::new(),
    }
}

/// The commands that `find` may run if the mark before them is only partly known.
pub(super) fn of_search(command: &Command, marks: &[&str]) -> Vec<Vec<Word>> {
    let ends = |word: &Word| matches!(word.literal(), Some(";" | "+"));
    let mut found = Vec::new();
    for (at, word) in command.words.iter().enumerate().skip(1).filter(|(_, word)| word.may_be_option()) {
        let rest = command.words.get(at + 1..).unwrap_or_default();
        let names_program =
            rest.first().is_some_and(|next| !next.starts_with("-") && next.literal().is_some());
        if names_program && marks.iter().any(|mark| word.may_be(mark)) {
            found.push(rest.iter().take_while(|word| !ends(word)).cloned().collect());
        }
    }
    found.truncate(MAX_OPEN);
    found
}

/// With the first open word before `end` as nothing, as an option with a value, and as an option that carries a text.
fn readings(command: &Command, end: usize, text: &str, valued: &str) -> Vec<Command> {
    let words = &command.words;
    // Behind an option that takes one, or a name and `=`, there is a value, whatever it is.
    let is_open = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before)).and_then(Word::literal);
        let is_value = before.is_some_and(|option| lists(valued, option));
        words.get(*at).is_some_and(|word| word.may_be_option() && !word.literal_prefix().contains('='))
            && !is_value
    };
    let Some(at) = (1..end.min(words.len())).find(is_open) else { return Vec::new() };
    let Some(word) = words.get(at) else { return Vec::new() };
    let with = |instead: Option<&str>, taken: usize| {
        let before = words.iter().take(at).cloned().chain(instead.map(Word::plain));
        before.chain(words.iter().skip(at + taken).cloned()).collect::<Vec<_>>()
    };
    let known = word.known_text();
    let nothing = with(Some(known.as_str()).filter(|known| known.starts_with('-')), 1);
    let valued = with(None, 2);
    let carries = |name: &&str| word.may_be(name) || (name.len() == 2 && is_cluster(word, &known));
    let carrying = text.split_ascii_whitespace().find(carries).map(|name| with(Some(name), 1));
    // Without words behind it only what a shell reads is left to run.
    let reads = !command.fed_by.is_empty() || command.stdin != Stdin::None;
    let says_something = |words: &Vec<Word>| words.len() > at + usize::from(!known.is_empty()) || reads;
    let all = [Some(nothing), Some(valued), carrying].into_iter().flatten();
    all.filter(says_something).filter_map(|words| possible(command, words)).collect()
}

/// Letters behind one dash, to which the run may add others.
fn is_cluster(word: &Word, known: &str) -> bool {
    let letters = known.strip_prefix('-').unwrap_or(known);
    !known.starts_with("--") && word.may_be_option() && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// One that counts only if it turns out so.
pub(super) fn possible(command: &Command, words: Vec<Word>) -> Option<Command> {
    let tried = command.via.iter().filter(|wrapper| **wrapper == Wrapper::Possible).count();
    if tried >= MAX_OPEN {
        return None;
    }
    let mut possible = Command { words, ..command.clone() };
    possible.via.push(Wrapper::Possible);
    Some(possible)
}
