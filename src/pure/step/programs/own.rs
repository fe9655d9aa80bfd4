//! Plimsoll's own programs, and clients started by the agent: nobody may speak for the person.

use super::super::effect::Effect;
use super::{Meaning, ShellCall};
use crate::pure::client::registration;
use crate::pure::shell::{Stdin, Word, lists};

/// Subcommands that only a person in a terminal may use.
const FOR_PEOPLE: [&str; 12] = [
    "enrol", "pause", "resume", "allow", "install", "uninstall", "upgrade", "recover", "trust", "untrust",
    "attest", "server-hook",
];

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
        "claude" if call.literals().any(names_our_commands) || is_told_our_commands(call) => {
            impersonate("starts a client with one of Plimsoll's commands as its prompt");
        }
        "claude" | "codex" | "gemini" | "aider" | "opencode" | "qwen" | "cursor-agent" | "copilot"
            if asks_nobody(call) =>
        {
            let what = format!("start another agent without permissions or hooks (`{name} …`)");
            meaning.effects.push(Effect::Expose { what });
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
        // Without an id it allows nothing.
        [only] if only.literal() == Some("allow") => false,
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

/// The same on standard input.
fn is_told_our_commands(call: &ShellCall<'_>) -> bool {
    let documents = call.command.redirects.iter().map(|each| each.target.text_lossy().into_owned());
    let given = match &call.command.stdin {
        Stdin::Text(text) => Some(text.clone()),
        Stdin::Pipe(_) | Stdin::None => None,
    };
    let piped = call.command.fed_by.iter().filter_map(|index| call.others.get(*index));
    let piped = piped.flat_map(|command| command.arguments()).map(|word| word.text_lossy().into_owned());
    documents.chain(given).chain(piped).any(|text| names_our_commands(&text))
}

/// Options with which a client runs whatever its model wants.
fn asks_nobody(call: &ShellCall<'_>) -> bool {
    const ALONE: &str = "--dangerously-skip-permissions --allow-dangerously-skip-permissions \
        --dangerously-bypass-approvals-and-sandbox --dangerously-allow-all --yolo --full-auto --bare \
        --permission-mode=bypassPermissions --approval-mode=yolo --sandbox=danger-full-access";
    let pairs = call.literals().zip(call.literals().skip(1));
    let mut paired = pairs.map(|(option, value)| match option {
        "--settings" => value.contains("disableAllHooks") || value.contains("\"hooks\""),
        "--setting-sources" => !value.contains("user"),
        "--permission-mode" => value == "bypassPermissions",
        "--approval-mode" => value == "yolo",
        "--sandbox" | "-s" => value == "danger-full-access",
        _ => false,
    });
    call.literals().any(|text| lists(ALONE, text)) || paired.any(|found| found)
}

fn names_our_commands(text: &str) -> bool {
    ["/ship", "/review", "/plimsoll:", "/allow", "/recover", "/reconcile"]
        .iter()
        .any(|command| text.contains(command))
}
