//! Files and folders that git itself writes where a command names them: outputs, other working trees, other repositories.

use super::super::invocation::Invocation;
use super::super::{Meaning, ShellCall};
use crate::pure::shell::{Word, lists};
use crate::pure::step::effect::{Effect, Target};

/// Subcommands that change nothing in the repository that they are told.
const LOOKS: &str = "log show diff status rev-parse rev-list cat-file ls-tree ls-files ls-remote for-each-ref show-ref \
    count-objects fsck blame grep describe shortlog name-rev merge-base cherry var version help archive bundle \
    verify-pack diff-tree diff-index diff-files push send-pack upload-pack init clone remote-show show-branch gc prune \
    check-ignore check-attr rev-list whatchanged annotate bugreport diagnose fast-export format-patch request-pull";

/// Subcommands that put files of commits into a working tree.
const CHECKS_OUT: &str = "checkout restore reset read-tree checkout-index stash merge pull apply am switch clean rebase \
    cherry-pick revert add mv rm sparse-checkout";

/// Commands by which objects get into a repository without a commit.
const PLUMBING: &str = "fetch-pack unpack-objects index-pack hash-object fast-import mktree write-tree commit-tree notes am \
    update-ref update-index subtree";

pub(super) fn survey(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let Some(git) = Invocation::parse(call) else { return };
    let target = |word: &Word| call.target(word);
    let written = outputs(&git).iter().map(target).collect::<Vec<_>>();
    meaning.effects.extend(written.into_iter().map(|target| Effect::Write { target, recursive: false }));
    if !only_looks(&git) {
        let named = repositories(call).into_iter().map(|word| call.target(&word));
        let entered = call.directory.map(|directory| Target::Path(directory.to_owned()));
        let paths = named.chain(entered).filter_map(|target| target.path().map(ToOwned::to_owned));
        meaning.arrivals.extend(paths.filter(|path| !path.starts_with(&call.place.project)));
    }
    if lists(PLUMBING, git.subcommand)
        && repositories(call).iter().any(|word| call.target(word) == Target::Unknown)
    {
        let how = "writes objects into a repository that only the shell knows, maybe the remote".to_owned();
        meaning.effects.push(Effect::PossibleBypass { how });
    }
    meaning.effects.extend(restored(&git, call));
    let mut possibly = |how: String| meaning.effects.push(Effect::PossibleBypass { how });
    if lists(CHECKS_OUT, git.subcommand) || git.subcommand == "config" {
        for tree in working_trees(call, &git) {
            let covers = tree.path().is_some_and(|path| {
                *path != call.place.project && call.place.protected.touched_by_removal(path, true).is_some()
            });
            if covers {
                let name = tree.path().map(ToString::to_string).unwrap_or_default();
                possibly(format!("lets git write its files into {name}, where the gate is"));
            }
        }
    }
    if let Some(prefix) = prefix(&git).map(|word| call.target(&word))
        && prefix.path().is_some_and(|path| {
            *path != call.place.project && call.place.protected.touched_by_removal(path, true).is_some()
        })
    {
        possibly("lets git write files beside what carries the gate (--prefix)".to_owned());
    }
    if brings_hooks(&git, call) {
        possibly("copies the hooks of a template into a repository".to_owned());
    }
    if lists("update-index mktree read-tree fast-import", git.subcommand)
        && let Some(what) = call.place.protected.named_in(call.text, &[&call.place.project, &call.place.home])
    {
        possibly(format!("puts {what} into git, from where it gets into the working tree"));
    }
    if git.other_programs && super::BUILTIN.binary_search(&git.subcommand).is_err() {
        possibly("runs a git program from another folder (--exec-path)".to_owned());
    }
}

/// Protected files that come back as some commit has them.
fn restored(git: &Invocation<'_>, call: &ShellCall<'_>) -> Option<Effect> {
    let at = git.arguments.iter().position(|word| word.literal() == Some("--"));
    let words = match (git.subcommand, at) {
        ("checkout" | "restore" | "checkout-index", Some(at)) => git.arguments.get(at + 1..)?,
        ("restore", None) => git.arguments,
        _ => return None,
    };
    let paths = words.iter().filter(|word| !word.starts_with("-")).map(|word| call.target(word));
    let mut held = paths.filter_map(|target| {
        let path = target.path().filter(|path| !call.place.project.starts_with(path))?;
        call.place.protected.touched_by_removal(path, true)
    });
    let what = held.next()?;
    Some(Effect::PossibleBypass { how: format!("puts {what} back as a commit has it") })
}

/// The files that a command names for what it prints.
fn outputs(git: &Invocation<'_>) -> Vec<Word> {
    let options = match git.subcommand {
        "archive" => "-o --output",
        "format-patch" | "bugreport" | "diagnose" => "-o --output-directory --output",
        "fast-export" | "fast-import" => "--export-marks --export-pack-edges",
        "repack" => "--filter-to",
        "index-pack" | "mailsplit" => "-o",
        "log" | "show" | "diff" | "diff-tree" | "diff-index" | "diff-files" | "range-diff" => "--output",
        _ => "",
    };
    let mut found = Vec::new();
    let mut words = git.arguments.iter();
    while let Some(word) = words.next() {
        let option = options.split(' ').filter(|name| !name.is_empty());
        for name in option {
            if word.literal() == Some(name) {
                found.extend(words.next().cloned());
                break;
            }
            let attached = match name.starts_with("--") {
                true => value_of(word, name),
                false => word.strip_prefix(name),
            };
            if let Some(file) = attached {
                found.push(file);
                break;
            }
        }
    }
    let operands: Vec<&Word> = git.arguments.iter().filter(|word| !word.starts_with("-")).collect();
    match (git.subcommand, operands.as_slice()) {
        ("bundle", [verb, file, ..]) if verb.literal() == Some("create") => found.push((*file).clone()),
        ("merge-file", [file, _, _]) | ("pack-objects", [.., file]) => found.push((*file).clone()),
        _ => {}
    }
    found
}

/// The repositories that options and variables name in the place of the one around.
fn repositories(call: &ShellCall<'_>) -> Vec<Word> {
    const VARIABLES: [&str; 3] = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];
    let set = call.command.assignments.iter().filter(|each| VARIABLES.contains(&each.name.as_str()));
    set.map(|each| each.value.clone()).chain(global(call, &["-C", "--git-dir"])).collect()
}

/// The folders that git takes for its working tree, beside the usual one.
fn working_trees(call: &ShellCall<'_>, git: &Invocation<'_>) -> Vec<Target> {
    let set = call.command.assignments.iter().filter(|each| each.name == "GIT_WORK_TREE");
    let configured = git.configured.iter().filter(|(key, _)| key == "core.worktree");
    let kept = git.arguments.windows(2).filter_map(|pair| match pair {
        [key, value] if key.literal().is_some_and(|text| text.eq_ignore_ascii_case("core.worktree")) => {
            Some(value.clone())
        }
        _ => None,
    });
    let kept = kept.filter(|_| git.subcommand == "config");
    let words = set
        .map(|each| each.value.clone())
        .chain(configured.map(|(_, value)| Word::plain(value)))
        .chain(kept)
        .chain(global(call, &["--work-tree"]));
    words.map(|word| call.target(&word)).collect()
}

/// The values of options in front of the subcommand.
fn global(call: &ShellCall<'_>, names: &[&str]) -> Vec<Word> {
    let mut found = Vec::new();
    let mut words = call.arguments().iter();
    while let Some(word) = words.next() {
        if !word.starts_with("-") {
            break;
        }
        for name in names {
            if word.literal() == Some(name) {
                found.extend(words.next().cloned());
            } else if let Some(value) = value_of(word, name) {
                found.push(value);
            }
        }
    }
    found
}

/// The value of `--name=value`.
fn value_of(word: &Word, name: &str) -> Option<Word> {
    let value = word.strip_prefix(name)?;
    value.strip_prefix("=")
}

fn prefix(git: &Invocation<'_>) -> Option<Word> {
    let puts = match git.subcommand {
        "checkout-index" => true,
        "read-tree" => git.arguments.iter().any(|word| word.literal() == Some("-u")),
        _ => false,
    };
    git.arguments.iter().filter(|_| puts).find_map(|word| word.strip_prefix("--prefix="))
}

/// `git init --template=x` copies hooks also into a repository that exists.
fn brings_hooks(git: &Invocation<'_>, call: &ShellCall<'_>) -> bool {
    let template =
        |word: &Word| word.strip_prefix("--template=").is_some_and(|value| !value.parts.is_empty());
    let split = |pair: &[Word]| matches!(pair, [name, _] if name.literal() == Some("--template"));
    let by_variable = || call.command.assignments.iter().any(|each| each.name == "GIT_TEMPLATE_DIR");
    let by_key = || git.configured.iter().any(|(key, _)| key == "init.templatedir");
    match git.subcommand {
        "init" | "clone" => {
            by_variable()
                || by_key()
                || git.arguments.iter().any(template)
                || git.arguments.windows(2).any(split)
        }
        "config" => {
            let at = |word: &Word| {
                word.literal().is_some_and(|text| text.eq_ignore_ascii_case("init.templatedir"))
            };
            let sets = git.arguments.iter().position(at).is_some_and(|at| git.arguments.len() > at + 1);
            sets && !looks_at_configuration(git)
        }
        _ => false,
    }
}

/// Whether a command changes nothing in the repository that it is told.
fn only_looks(git: &Invocation<'_>) -> bool {
    let operand = git.arguments.iter().find(|word| !word.starts_with("-"));
    let lists_all = || operand.is_none_or(|word| matches!(word.literal(), Some("list" | "show" | "get-url")));
    match git.subcommand {
        "config" => looks_at_configuration(git),
        "branch" | "tag" | "remote" | "worktree" | "notes" | "reflog" | "symbolic-ref" => lists_all(),
        name => lists(LOOKS, name),
    }
}

fn looks_at_configuration(git: &Invocation<'_>) -> bool {
    const LOOKS: &str = "--get --get-all --get-regexp --list -l list get --get-urlmatch --get-color";
    git.arguments.iter().filter_map(Word::literal).any(|text| lists(LOOKS, text))
        || git.arguments.iter().filter(|word| !word.starts_with("-")).count() == 1
}
