//! Work that an earlier command of the same text saves before a later one discards it: `git stash -u && git reset --hard`.

use super::super::ShellCall;
use super::super::invocation::Invocation;
use super::options::{GitOptions, GitTable};
use crate::pure::shell::{Command, Word};
use crate::pure::step::effect::{IgnoredFiles, Losing};

pub(super) const STASH: GitTable = GitTable {
    flags: "--include-untracked --all --keep-index --patch --staged --quiet",
    valued: "-m --message --pathspec-from-file",
};
pub(super) const COMMIT: GitTable = GitTable {
    flags: "--all --dry-run --only --include --patch --no-verify --quiet --signoff",
    valued: "-m -F -C -c -t --message --file",
};

/// Commands further back than this are not looked at.
const NEAR: usize = 16;

/// Whether what would go is saved by then. Only `&&` counts: after anything else the saving may have failed.
pub(crate) fn is_saved(losing: &Losing, git: &Invocation<'_>, call: &ShellCall<'_>) -> bool {
    if matches!(losing, Losing::Stash { .. }) {
        return is_applied(git, call);
    }
    let includes_untracked = match losing {
        Losing::Changes { .. } | Losing::Named { .. } => false,
        Losing::Untracked { ignored: IgnoredFiles::Spared, .. } => true,
        _ => return false,
    };
    before(call).any(|command| {
        let earlier = ShellCall { command, ..*call };
        let Some(earlier) =
            Invocation::parse(&earlier).filter(|_| command.directory == call.command.directory)
        else {
            return false;
        };
        earlier.repository == git.repository && saves(&earlier, includes_untracked)
    })
}

/// `git stash apply && git stash drop`: the changes are in the working tree by then.
fn is_applied(git: &Invocation<'_>, call: &ShellCall<'_>) -> bool {
    let stash = |git: &Invocation<'_>| {
        let mut words = git.arguments.iter().map(Word::literal).filter(|word| *word != Some("--index"));
        let (verb, name, rest) = (words.next().flatten(), words.next(), words.next());
        match (verb, name, rest) {
            (Some(verb), None | Some(Some("stash@{0}" | "0")), None) => Some((verb.to_owned(), None)),
            (Some(verb), Some(Some(name)), None) => Some((verb.to_owned(), Some(name.to_owned()))),
            _ => None,
        }
    };
    let Some((_, dropped)) = stash(git).filter(|(verb, _)| verb == "drop") else { return false };
    // Every other git command in between may change the list of stashes, or the working tree.
    let earlier = before(call).find(|command| command.program() == Some("git"));
    earlier.is_some_and(|command| {
        let earlier = ShellCall { command, ..*call };
        Invocation::parse(&earlier).is_some_and(|earlier| {
            command.directory == call.command.directory
                && earlier.repository == git.repository
                && earlier.subcommand == "stash"
                && stash(&earlier) == Some(("apply".to_owned(), dropped))
        })
    })
}

/// The commands that must have succeeded for this one to run, the last first.
fn before<'a>(call: &'a ShellCall<'_>) -> impl Iterator<Item = &'a Command> {
    let own = call.position().unwrap_or(0);
    let earlier = call.others.get(..own).unwrap_or_default().iter().rev();
    let mut start = call.command.span.start;
    earlier.take(NEAR).take_while(move |command| {
        let between = call.text.get(command.span.end..start);
        start = command.span.start;
        between.is_some_and(|text| text.trim() == "&&")
    })
}

fn saves(git: &Invocation<'_>, includes_untracked: bool) -> bool {
    match git.subcommand {
        "stash" => {
            let options = GitOptions::parse(git.arguments, &STASH);
            let verb = options.operands.first().and_then(|word| word.literal());
            let whole = match verb {
                None => true,
                Some("push") => options.operands.len() == 1,
                Some("save") => true,
                Some(_) => false,
            };
            let part = options.has(&["keep-index", "k"])
                || options.has(&["patch", "p"])
                || options.has(&["staged", "S"])
                || options.mentions(&["pathspec-from-file"]);
            let untracked = options.has(&["include-untracked", "u"]) || options.has(&["all", "a"]);
            whole && !part && options.separator.is_none() && (untracked || !includes_untracked)
        }
        "commit" => {
            let options = GitOptions::parse(git.arguments, &COMMIT);
            let whole = options.has(&["all", "a"]) && options.operands.is_empty();
            whole && !options.has(&["dry-run"]) && !options.has(&["patch", "p"]) && !includes_untracked
        }
        _ => false,
    }
}
