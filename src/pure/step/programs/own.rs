//! Plimsoll's own programs, and clients started by the agent: nobody may speak for the person.

use super::super::effect::Effect;
use super::{Meaning, ShellCall};
use crate::pure::client::registration;
use crate::pure::shell::Word;

/// Subcommands that only a person in a terminal may use.
const FOR_PEOPLE: [&str; 10] =
    ["enrol", "pause", "resume", "allow", "install", "uninstall", "upgrade", "recover", "trust", "untrust"];

pub(crate) fn survey(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let mut impersonate = |how: &str| meaning.effects.push(Effect::Impersonate { how: how.into() });
    let Some(first) = call.command.words.first().and_then(Word::literal) else { return };
    let (folder, name) = folder_and_file(first);
    let from_our_folder = |text: &str| {
        let (Some(folder), file) = folder_and_file(text) else { return false };
        let ours = folder.ends_with("plimsoll/hooks")
            || folder.ends_with("build/hooks")
            || folder.ends_with("release")
            || folder.ends_with("debug");
        (ours && is_hook(file))
            || text.ends_with(".claude/plimsoll/launch")
            || text.ends_with("plimsoll/hooks/launch")
    };
    let is_shell = matches!(name, "sh" | "bash" | "dash" | "zsh" | "exec");
    let runs_ours =
        (folder.is_some() && from_our_folder(first)) || (is_shell && call.literals().any(from_our_folder));
    if runs_ours {
        impersonate("runs one of Plimsoll's hooks by hand");
    }
    match name {
        "plimsoll" => {
            let changed = call
                .command
                .assignments
                .iter()
                .map(|assignment| assignment.name.as_str())
                .chain(call.command.unset.iter().map(String::as_str));
            if changed.into_iter().any(matters) {
                impersonate("changes the environment that Plimsoll decides by");
            }
            let helps = call.literals().any(|text| matches!(text, "--help" | "-h"));
            if is_for_people(call.arguments()) && !helps {
                impersonate("is for a person in a terminal");
            }
        }
        "unset" if call.literals().any(|name| name.starts_with("CLAUDE")) => {
            impersonate("hides that an agent started what follows");
        }
        "claude" if call.literals().any(names_our_commands) => {
            impersonate("starts a client with one of Plimsoll's commands as its prompt");
        }
        _ => {}
    }
}

/// Whether these words may be a subcommand for people; one that is only partly known may be.
fn is_for_people(arguments: &[Word]) -> bool {
    let (certain, open): (Vec<&Word>, Vec<&Word>) =
        arguments.iter().filter(|word| !word.starts_with("-")).partition(|word| word.literal().is_some());
    let mut verbs = vec![arguments.iter().filter(|word| !word.starts_with("-")).take(2).collect::<Vec<_>>()];
    // A word that is wholly open may also be options, or nothing.
    if !open.is_empty() {
        verbs.push(certain.into_iter().take(2).collect());
    }
    let may_be = |word: &Word, names: &[&str]| names.iter().any(|name| word.may_be(name));
    let forced = || arguments.iter().any(|word| word.may_be("--force"));
    verbs.iter().any(|verbs| match verbs.as_slice() {
        [first, second, ..] => {
            may_be(first, &FOR_PEOPLE)
                || (first.may_be("config") && may_be(second, &FOR_PEOPLE))
                || (first.may_be("review") && second.may_be("dismiss"))
                || (first.may_be("gate") && may_be(second, &["override", "new-key"]))
                || (first.may_be("checkpoint") && second.may_be("prune"))
                || (first.may_be("checkpoint") && second.may_be("restore") && forced())
                || (first.may_be("restore") && forced())
        }
        [only] => may_be(only, &FOR_PEOPLE),
        [] => false,
    })
}

fn folder_and_file(path: &str) -> (Option<&str>, &str) {
    match path.bytes().rposition(|byte| byte == b'/') {
        Some(slash) => (path.get(..slash), path.get(slash + 1..).unwrap_or_default()),
        None => (None, path),
    }
}

/// The hook program, under its own name or that of a hook.
fn is_hook(file: &str) -> bool {
    matches!(file, "plimsoll-hook" | "git-pre-push") || registration::expected().any(|(_, hook)| hook == file)
}

fn matters(name: &str) -> bool {
    name == "*"
        || ["CLAUDE", "PATH", "HOME", "XDG_", "GIT_", "LD_", "PLIMSOLL"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

fn names_our_commands(text: &str) -> bool {
    ["/ship", "/review", "/plimsoll:", "/allow ", "/recover", "/reconcile"]
        .iter()
        .any(|command| text.contains(command))
}
