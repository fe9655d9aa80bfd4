//! git commands that take along every change that they find: `git stash`, `git commit -a`, `git add -A`.

use super::super::ShellCall;
use super::super::invocation::Invocation;
use super::discard::path;
use super::options::{GitOptions, GitTable};
use super::saved::{COMMIT, STASH};
use crate::pure::shell::Word;
use crate::pure::step::sessions::Sweep;

const ADD: GitTable = GitTable {
    flags: "--all --update --dry-run --force --patch --interactive --edit --verbose --intent-to-add --renormalize \
        --refresh --ignore-errors --no-ignore-removal --sparse",
    valued: "--chmod --pathspec-from-file",
};

pub(super) fn sweep(git: &Invocation<'_>, call: &ShellCall<'_>) -> Option<Sweep> {
    let table = match git.subcommand {
        "stash" => &STASH,
        "commit" => &COMMIT,
        "add" | "stage" => &ADD,
        _ => return None,
    };
    let options = GitOptions::parse(git.arguments, table);
    // A person picks the changes.
    if ["patch", "p", "interactive", "i"].iter().any(|name| options.has(&[name])) || options.has(&["dry-run"])
    {
        return None;
    }
    let words = options.operands.as_slice();
    let sweep = |words: &[&Word], untracked, removes, how| {
        let paths: Vec<_> = words.iter().filter_map(|word| path(git, call, word)).collect();
        let known = words.is_empty() || !paths.is_empty();
        // A stash of open words may be one of everything.
        let paths = if removes && paths.len() < words.len() { Vec::new() } else { paths };
        let repository = git.repository.clone();
        (known || removes).then_some(Sweep { repository, paths, untracked, removes, how, span: 0..0 })
    };
    match git.subcommand {
        "stash" => {
            let untracked = options.has(&["include-untracked", "u"]) || options.has(&["all", "a"]);
            let rest = match words.first().and_then(|word| word.literal()) {
                Some("push") => words.get(1..).unwrap_or_default(),
                None | Some("save") => &[],
                Some(_) if options.separator == Some(0) => words,
                Some(_) => return None,
            };
            sweep(rest, untracked, true, "git stash would put away")
        }
        "commit" => {
            let all = options.has(&["all", "a"]);
            (all || !words.is_empty())
                .then(|| sweep(words, false, false, "git commit would commit"))
                .flatten()
        }
        _ => {
            let update = options.has(&["update", "u"]);
            let all = update || options.has(&["all", "A"]);
            let meant = all || !words.is_empty();
            let dry = options.has(&["n"]);
            (meant && !dry).then(|| sweep(words, !update, false, "git add would stage")).flatten()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pure::client::Tool;
    use crate::pure::step::sample::place;
    use crate::pure::step::{Action, Known, survey};

    /// The paths, and whether untracked files go along and files leave the worktree.
    fn swept(command: &str) -> Option<(Vec<String>, bool, bool)> {
        let tool = Tool::Bash { command: command.to_owned() };
        let looked = survey(&Action::read(&tool, command), &place(), &Known::default());
        let sweep = looked.sweeps.into_iter().next()?;
        let paths = sweep.paths.iter().map(|path| path.as_str().replace("/home/user/project", "P"));
        Some((paths.collect(), sweep.untracked, sweep.removes))
    }

    #[test]
    fn a_sweep_is_known_by_what_it_takes_along() {
        for (command, paths, untracked, removes) in [
            ("git stash", vec![], false, true),
            ("git stash -u", vec![], true, true),
            ("git stash push -m x", vec![], false, true),
            ("git stash push src a.rs", vec!["P/src", "P/a.rs"], false, true),
            ("git stash -- src", vec!["P/src"], false, true),
            ("git stash push $f", vec![], false, true),
            ("git stash save wip", vec![], false, true),
            ("git commit -a -m x", vec![], false, false),
            ("git commit -am x", vec![], false, false),
            ("git commit --all", vec![], false, false),
            ("git commit -m x src", vec!["P/src"], false, false),
            ("git add -A", vec![], true, false),
            ("git add .", vec!["P"], true, false),
            ("git add -u", vec![], false, false),
            ("git add --all src", vec!["P/src"], true, false),
            ("cd src && git add .", vec!["P/src"], true, false),
            ("bash -c 'git commit -am x'", vec![], false, false),
        ] {
            let paths = paths.into_iter().map(ToOwned::to_owned).collect();
            assert_eq!(swept(command), Some((paths, untracked, removes)), "{command}");
        }
        for command in [
            "git stash list",
            "git stash pop",
            "git stash drop",
            "git stash show -p",
            "git stash push -p",
            "git commit -m x",
            "git commit",
            "git commit -p",
            "git commit -a --dry-run",
            "git add -n .",
            "git add -p",
            "git add",
            "git add $f",
            "git status",
        ] {
            assert_eq!(swept(command), None, "{command}");
        }
    }
}
