//! Plimsoll's own programs, and clients started by the agent: nobody may speak for the person.

use super::super::effect::Effect;
use super::{Call, Meaning};
use crate::hook::registration;
use crate::shell::Word;

/// Subcommands that only a person in a terminal may use.
const FOR_PEOPLE: [&str; 8] = ["enrol", "pause", "resume", "allow", "setup", "recover", "trust", "untrust"];

pub fn survey(call: &Call<'_>, meaning: &mut Meaning) {
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
            let verbs: Vec<&str> = call.literals().filter(|text| !text.starts_with('-')).take(2).collect();
            let helps = call.literals().any(|text| matches!(text, "--help" | "-h"));
            let for_people = match verbs.as_slice() {
                ["config", verb, ..] => FOR_PEOPLE.contains(verb),
                ["review", "dismiss"] | ["gate", "override" | "new-key"] | ["checkpoint", "prune"] => true,
                ["checkpoint", "restore"] => call.literals().any(|text| text == "--force"),
                [verb, ..] => FOR_PEOPLE.contains(verb),
                [] => false,
            };
            if for_people && !helps {
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

fn folder_and_file(path: &str) -> (Option<&str>, &str) {
    match path.bytes().rposition(|byte| byte == b'/') {
        Some(slash) => (path.get(..slash), path.get(slash + 1..).unwrap_or_default()),
        None => (None, path),
    }
}

/// One of the client's hooks, or git's.
fn is_hook(file: &str) -> bool {
    file == "git-pre-push" || registration::expected().any(|(_, hook)| hook == file)
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
