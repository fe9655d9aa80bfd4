//! Where git's own words stand among words that are only partly known.

use super::super::ShellCall;
use super::super::invocation::VALUED;
use crate::pure::shell::{Command, Word, WordPart};

/// Options of `git push` whose value is the next word.
const PUSH_VALUED: [&str; 5] = ["-o", "--push-option", "--repo", "--receive-pack", "--exec"];

/// Where the words behind the subcommand begin. Words that may be options stand before it, unless nothing else does.
pub(crate) fn after_verb(call: &ShellCall<'_>) -> usize {
    if call.command.program() != Some("git") {
        return 0;
    }
    let mut at = 0;
    let mut unknown = None;
    while let Some(word) = call.arguments().get(at) {
        match word.literal() {
            Some(text) if VALUED.contains(&text) => at += 2,
            Some(text) if text.starts_with('-') => at += 1,
            None if word.starts_with("-") => at += 1,
            None if word.literal_prefix().is_empty() && word.may_be_option() => {
                unknown.get_or_insert(at);
                at += 1;
            }
            Some(_) | None => return at + 1,
        }
    }
    unknown.unwrap_or(at) + 1
}

/// The subcommand, as far as it is known.
pub(crate) fn subcommand(call: &ShellCall<'_>, after_verb: usize) -> String {
    match call.command.program().and_then(|program| program.strip_prefix("git-")) {
        Some(name) => name.to_owned(),
        None => {
            let verb = after_verb.checked_sub(1).and_then(|at| call.arguments().get(at));
            verb.map(Word::known_text).unwrap_or_default()
        }
    }
}

/// Whether a word behind the subcommand that says nothing itself counts as an option. A branch out of the environment, or
/// one that git names, is none where a remote stands before it; neither is the value of an option.
pub(crate) fn counts(call: &ShellCall<'_>, after_verb: usize, at: usize) -> bool {
    let arguments = call.arguments();
    match subcommand(call, after_verb).as_str() {
        "push" => {
            let before = at.checked_sub(1).and_then(|before| arguments.get(before)).and_then(Word::literal);
            let behind_operand = || {
                let operands = arguments.get(after_verb..at).unwrap_or_default().iter();
                operands.filter_map(Word::literal).any(|text| !text.starts_with('-'))
            };
            let is_value = before.is_some_and(|option| PUSH_VALUED.contains(&option));
            let is_branch = || arguments.get(at).is_some_and(|word| is_name(word, call)) && behind_operand();
            !is_value && !is_branch()
        }
        "clean" | "rebase" => true,
        // The whole command line is open.
        "update-ref" => arguments.len() == at + 1,
        "config" => arguments.len() > at + 1,
        _ => false,
    }
}

/// Out of the environment, or printed by git as the name of something.
fn is_name(word: &Word, call: &ShellCall<'_>) -> bool {
    const NAMING: [&str; 7] =
        ["branch", "rev-parse", "symbolic-ref", "describe", "merge-base", "rev-list", "name-rev"];
    // Other options can make git print whatever they say.
    const OPTIONS: [&str; 14] = [
        "-C", "--abbrev", "--abbrev-ref", "--all", "--always", "--exact-match", "--name-only", "--quiet",
        "-q", "--short", "--show-current", "--symbolic-full-name", "--tags", "--verify",
    ];
    let names = |command: &Command| {
        let verb = command.operands().next().and_then(Word::literal);
        let mut options =
            command.arguments().iter().filter(|word| word.starts_with("-") || word.may_be_option());
        let plain = |word: &Word| {
            word.literal().is_some_and(|text| OPTIONS.contains(&text.split('=').next().unwrap_or(text)))
        };
        command.program() == Some("git")
            && verb.is_some_and(|verb| NAMING.contains(&verb))
            && options.all(plain)
    };
    match word.parts.as_slice() {
        [WordPart::Variable(name)] => {
            !name.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '@' | '*'))
                && !is_set_in(call.text, name)
        }
        [WordPart::Output(index)] => call.others.get(*index).is_some_and(names),
        _ => false,
    }
}

/// Whether a text does more with a variable than to use its value: `read x`, `x=…` in one of two branches.
fn is_set_in(text: &str, name: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = text.as_bytes();
    text.match_indices(name).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let is_value = matches!(before, Some(b'$' | b'{' | b'!' | b'#'));
        !is_value && !is_part(before) && !is_part(bytes.get(at + name.len()))
    })
}

/// `git $x push`, `git $x --no-verify origin`: an option of git itself, or the subcommand.
pub(crate) fn before_the_verb(which: usize, arguments: &[Word]) -> Vec<Vec<&'static str>> {
    let pushes = arguments.iter().skip(which + 1).any(|word| word.may_be("push"));
    let setting = pushes.then(|| vec!["-c", "core.hooksPath=path"]);
    setting.into_iter().chain([vec!["push"]]).collect()
}
