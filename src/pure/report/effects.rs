//! The effects of a tool call, as text.

use crate::pure::step::{Addressed, Effect, IgnoredFiles, Leaving, Losing, Target, TextSource};

/// A name for the kind of effect, and what it does to what.
pub(super) fn effect(effect: &Effect) -> (&'static str, String) {
    match effect {
        Effect::Delete { target, recursive } => ("delete", format!("deletes {}", all_of(target, *recursive))),
        Effect::Write { target, recursive } => ("write", format!("writes to {}", all_of(target, *recursive))),
        Effect::Replace { target } => ("replace", format!("replaces what {} holds", all_of(target, false))),
        Effect::Merge { from, into, .. } => {
            ("replace", format!("replaces files in {into} by those of the same name in {from}"))
        }
        Effect::Read { target } => ("read", format!("reads {}", all_of(target, false))),
        Effect::Format { device } => ("format", format!("wipes {device}")),
        Effect::ForkBomb => ("fork_bomb", "starts processes without end".into()),
        Effect::Discard { losing: what, how, .. } => {
            ("discard", format!("{how} throws away {}", losing(what)))
        }
        Effect::RewriteRemote { how, branch, .. } => {
            let branch = branch.as_ref().map(|branch| format!(" ({branch})")).unwrap_or_default();
            ("rewrite_remote", format!("{how}: replaces what the remote has{branch}"))
        }
        Effect::RunFetched { source: TextSource::Downloaded(from) } => {
            ("run_fetched", format!("runs what it downloads from {from}"))
        }
        Effect::RunFetched { source: TextSource::Decoded(by) } => {
            ("run_fetched", format!("runs what `{by}` unpacks"))
        }
        Effect::NetworkShell { how } => ("network_shell", format!("gives a shell to another machine: {how}")),
        Effect::Send { what, to, .. } => ("send", format!("sends {what} to {to}")),
        Effect::Network { host } => ("network", format!("talks to {host}")),
        Effect::Destroy { what } => ("destroy", format!("destroys data: {what}")),
        Effect::Disrupt { what } => ("disrupt", format!("disrupts what runs: {what}")),
        Effect::Expose { what } => ("expose", format!("opens up: {what}")),
        Effect::Reveal { what, .. } => ("reveal", format!("shows a secret: {what}")),
        Effect::Publish { what } => ("publish", format!("publishes: {what}")),
        Effect::ForgeWrite { what } => ("forge_write", format!("writes to a forge: {what}")),
        Effect::SecretContent { kind, target } => {
            ("secret_content", format!("puts a secret ({kind}) into {target}"))
        }
        Effect::Later { effect: inner, .. } => {
            ("later", format!("writes a script that {}", effect_later(inner)))
        }
        Effect::Leave { what, .. } => ("leave", format!("sends content away: {}", leaving(what))),
        Effect::Bypass { how } => ("bypass", format!("would get past the gate: {how}")),
        Effect::PossibleBypass { how } => ("possible_bypass", format!("may get past the gate: {how}")),
        Effect::Impersonate { how } => ("impersonate", format!("would speak for the person: {how}")),
        Effect::Opaque { why } => ("opaque", format!("cannot be read: {why}")),
    }
}

fn effect_later(inner: &Effect) -> String {
    effect(inner).1
}

fn all_of(target: &Target, recursive: bool) -> String {
    let below = if recursive { " and everything below" } else { "" };
    match target {
        Target::Path(path) => format!("{path}{below}"),
        Target::Inside(path) => format!("everything in {path}"),
        Target::Matching(pattern) => format!("{pattern}{below}"),
        Target::Below(path) => format!("something below {path}{below}"),
        Target::Unknown => "something that only the shell will know".into(),
    }
}

pub(super) fn losing(losing: &Losing) -> String {
    match losing {
        Losing::Path { path, .. } => path.to_string(),
        Losing::Content(path) => format!("the content of {path}"),
        Losing::Contents(pattern) => format!("the content of {pattern}"),
        Losing::Merged { into, .. } => format!("files in {into} that are overwritten"),
        Losing::Inside(path) => format!("everything in {path}"),
        Losing::Matching { pattern, .. } => pattern.clone(),
        Losing::Changes { repository, paths } => {
            format!("uncommitted changes{}", within(repository, paths.iter().map(|path| path.as_str())))
        }
        Losing::Named { path, .. } => format!("uncommitted changes at {path}"),
        Losing::Untracked { repository, paths, ignored, .. } => {
            let which = match ignored {
                IgnoredFiles::Spared => "untracked files",
                IgnoredFiles::Too => "untracked and ignored files",
                IgnoredFiles::Only => "ignored files",
            };
            format!("{which}{}", within(repository, paths.iter().map(|path| path.as_str())))
        }
        Losing::Branch { repository, name } => format!("branch {name}{}", within(repository, [])),
        Losing::Stash { repository } => format!("stashed changes{}", within(repository, [])),
        Losing::History { repository } => format!("what the reflog still holds{}", within(repository, [])),
        Losing::Worktree { path, .. } => format!("the worktree {path}"),
    }
}

pub(super) fn leaving(leaving: &Leaving) -> String {
    match leaving {
        Leaving::Push { repository, arguments } => {
            let arguments: String = arguments.iter().map(|argument| format!(" {argument}")).collect();
            format!("git push{arguments}{}", within(repository, []))
        }
        Leaving::Branch { repository } => format!("the current branch{}", within(repository, [])),
        Leaving::Content { repository } => format!("the files as they are{}", within(repository, [])),
    }
}

fn within<'a>(repository: &Addressed, paths: impl IntoIterator<Item = &'a str>) -> String {
    let paths: Vec<&str> = paths.into_iter().collect();
    match (repository, paths.as_slice()) {
        (_, [_, ..]) => format!(" at {}", paths.join(", ")),
        (Addressed::Directory(directory), []) => format!(" in {directory}"),
        (Addressed::Unknown, []) => " in a repository that only the shell will know".into(),
    }
}
