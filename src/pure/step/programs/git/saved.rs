//! Work that an earlier command of the same text saves before a later one discards it: `git stash -u && git reset --hard`.

use super::super::ShellCall;
use super::super::invocation::Invocation;
use super::options::{GitOptions, GitTable};
use crate::pure::shell::Command;
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
