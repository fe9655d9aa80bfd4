//! git: what sends content away, what would get past the git hook, what would fake what the gate compares with, and
//! what throws work away.

mod carried;
mod discard;
mod options;
mod push;
mod saved;
mod sweep;
#[cfg(test)]
mod tests;

use super::super::effect::{Addressed, Effect, Losing, Target};
use super::super::known::Leaving;
use super::super::zone::{Zone, zone};
use super::files::output::by_usual_option;
use super::invocation::Invocation;
use super::{InnerText, Meaning, ShellCall};
use crate::pure::shell::{Word, lists};
use crate::pure::text::quoted;

/// git's own commands; anything else may be an alias. Aliases cannot replace these.
pub(super) const BUILTIN: [&str; 97] = [
    "add", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bugreport", "bundle",
    "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "checkout",
    "checkout-index", "cherry", "cherry-pick", "clean", "clone", "column", "commit", "commit-graph",
    "commit-tree", "config", "count-objects", "credential", "describe", "diff", "diff-files", "diff-index",
    "diff-tree", "difftool", "fast-export", "fast-import", "fetch", "filter-branch", "fmt-merge-msg",
    "for-each-ref", "for-each-repo", "format-patch", "fsck", "gc", "grep", "hash-object", "help", "hook",
    "index-pack", "init", "interpret-trailers", "log", "ls-files", "ls-remote", "ls-tree", "maintenance",
    "merge", "merge-base", "merge-file", "merge-tree", "mergetool", "mktag", "mktree", "mv", "name-rev",
    "notes", "pack-refs", "prune", "pull", "push", "range-diff", "read-tree", "rebase", "reflog", "remote",
    "repack", "replace", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "send-pack",
    "shortlog", "show", "show-ref", "sparse-checkout", "stash", "status", "submodule", "switch",
    "symbolic-ref", "tag", "update-index", "worktree",
];

/// Variables that are harmless in front of a push; every other GIT_* can point git past its own hooks.
const HARMLESS: [&str; 12] = [
    "GIT_TERMINAL_PROMPT", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_PAGER", "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR", "GIT_OPTIONAL_LOCKS", "GIT_MERGE_AUTOEDIT", "GIT_LFS_SKIP_SMUDGE",
    "GIT_PROGRESS_DELAY", "GIT_CURL_VERBOSE",
];

pub(crate) fn redirects_git(name: &str) -> bool {
    let harmless = HARMLESS.contains(&name)
        || ["GIT_TRACE", "GIT_AUTHOR_", "GIT_COMMITTER_"].iter().any(|prefix| name.starts_with(prefix));
    let steers_the_shell = matches!(name, "SHELLOPTS" | "BASHOPTS" | "BASH_ENV" | "LD_PRELOAD");
    (name.starts_with("GIT_") && !harmless) || steers_the_shell
}

pub(crate) fn survey(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let open = call.arguments().first().is_some_and(|word| word.sources().next().is_some());
    if open && call.literals().any(|text| matches!(text, "--hard" | "--force" | "-fdx" | "-fd" | "-ff")) {
        let why = "which command of git runs here decides whether it discards work".into();
        meaning.effects.push(Effect::Opaque { why });
    }
    let Some(git) = Invocation::parse(call) else { return };
    let literals: Vec<&str> = git.arguments.iter().filter_map(Word::literal).collect();
    let has = |flag: &str| literals.contains(&flag);
    let bypass = |how: String| Effect::Bypass { how };
    if git.configured.iter().any(|(key, _)| key == "core.hookspath" || key.starts_with("include")) {
        meaning.effects.push(bypass("sets core.hooksPath for one command".into()));
    }
    if git.other_programs && git.subcommand == "push" {
        meaning.effects.push(bypass("push --exec-path with other programs".into()));
    }
    if git.may_set_hooks && git.subcommand == "push" {
        let how = "what only the shell knows here may set core.hooksPath".to_owned();
        meaning.effects.push(bypass(how));
    }
    carried::survey(&git, call, meaning);
    carried::shown(&git, call, meaning);
    if call.arguments().iter().any(|word| word.sources().next().is_some()) {
        super::sending::survey("git", call, meaning);
    }
    meaning.effects.extend(discard::survey(&git, call));
    meaning.sweeps.extend(sweep::sweep(&git, call));
    meaning.effects.extend(by_usual_option(git.arguments, call));
    let written = match git.subcommand {
        "mv" => git.arguments.last(),
        "bundle" => git.arguments.get(1),
        _ => None,
    };
    meaning.effects.extend(written.map(|word| Effect::Replace { target: call.target(word) }));
    if writes_where_pushes_arrive(&git, call) {
        let what = Leaving::Push { repository: git.repository.clone(), arguments: Vec::new() };
        meaning.effects.push(Effect::Leave { what, alone: false });
    }
    if call.command.assignments.iter().any(|each| each.name == "GIT_OBJECT_DIRECTORY") {
        let how = "writes objects into another folder (GIT_OBJECT_DIRECTORY), where pushes may arrive".into();
        meaning.effects.push(Effect::PossibleBypass { how });
    }
    match git.subcommand {
        "push" => {
            meaning.effects.extend(push::survey(&git));
            meaning.effects.extend(push::to_address(&git));
            // git takes every beginning of an option that is not the beginning of another (here --no-verbose).
            if literals.iter().any(|text| text.starts_with("--no-veri")) {
                meaning.effects.push(bypass("push --no-verify".into()));
            }
            if literals.iter().any(|text| text.starts_with("--receive-pack") || text.starts_with("--exec")) {
                meaning.effects.push(bypass("push through a program of its own".into()));
            }
            meaning.effects.extend(environment(call));
            let what = Leaving::Push {
                repository: git.repository.clone(),
                arguments: literals.iter().map(ToString::to_string).collect(),
            };
            let known = literals.len() == git.arguments.len();
            if !has("--help") && !has("-h") {
                meaning.effects.push(Effect::Leave { what, alone: call.alone && known });
            }
        }
        "send-pack" | "http-push" | "receive-pack" => {
            meaning.effects.push(bypass(format!("git {}", git.subcommand)))
        }
        name if name.starts_with("remote-") => meaning.effects.push(bypass(format!("git {name}"))),
        "config" if changes_the_gates_ground(git.arguments) => meaning
            .effects
            .push(bypass("changes git's configuration where core.hooksPath and its like are".into())),
        "config" if sets_ssh_command(git.arguments) => {
            let how = "changes the program by which git reaches a remote (core.sshCommand)".into();
            meaning.effects.push(Effect::PossibleBypass { how });
        }
        "config" if sets_open_key(git.arguments) => {
            let how = "sets a key that only the shell knows in git's configuration".into();
            meaning.effects.push(Effect::PossibleBypass { how });
        }
        "apply" | "am" => {
            let patches = git.arguments.iter().filter(|word| !word.starts_with("-")).take(4);
            let paths = patches.filter_map(|word| call.target(word).path().map(ToOwned::to_owned));
            meaning.runs.extend(paths.map(InnerText::Patch));
        }
        // With one name it only reads.
        "symbolic-ref"
            if literals.iter().filter(|text| !text.starts_with('-')).count() == 1
                && !has("-d")
                && !has("--delete") => {}
        "update-ref" | "symbolic-ref"
            if literals.iter().any(|text| text.starts_with("refs/remotes/")) || has("--stdin") =>
        {
            meaning.effects.push(bypass("rewrites what git remembers of the remote".into()));
        }
        "fetch" | "pull"
            if literals.first() == Some(&".")
                && literals.iter().any(|text| text.contains("refs/remotes/")) =>
        {
            meaning.effects.push(bypass("rewrites what git remembers of the remote".into()));
        }
        "replace"
            if !literals.is_empty() && !has("-l") && !has("--list") && !has("-d") && !has("--delete") =>
        {
            meaning.effects.push(bypass("git replace".into()));
        }
        "subtree" | "lfs" if literals.first() == Some(&"push") => {
            let what = Leaving::Push { repository: git.repository.clone(), arguments: Vec::new() };
            meaning.effects.push(Effect::Leave { what, alone: false });
        }
        "submodule" if literals.first() == Some(&"foreach") => {
            meaning.runs.extend(handed_on(&git).map(InnerText::Text));
        }
        "bisect" if literals.first() == Some(&"run") => {
            meaning.runs.extend(handed_on(&git).map(InnerText::Text))
        }
        "rebase" => meaning.runs.extend(executed(&literals).map(|text| InnerText::Text(text.to_owned()))),
        "filter-repo" => {}
        name if BUILTIN.binary_search(&name).is_err() => {
            let deletes = name.starts_with("delete-") || name == "obliterate";
            let what = format!("`git {name}` deletes what it names");
            meaning.effects.extend(deletes.then_some(Effect::Destroy { what }));
            meaning.effects.extend(environment(call));
            let arguments = literals.iter().map(quoted).collect::<Vec<_>>().join(" ");
            let key = format!("alias.{}", name.to_ascii_lowercase());
            let configured = git.configured.iter().rfind(|(configured, _)| *configured == key);
            let set = configured.map(|(_, text)| text.clone()).or_else(|| carried::set_before(name, call));
            meaning.runs.push(match set {
                Some(text) => InnerText::Text(expanded(&text, &arguments)),
                None => {
                    InnerText::Alias { repository: git.repository.clone(), name: name.to_string(), arguments }
                }
            });
        }
        _ => {}
    }
}

/// Refs are written by hand in a repository without a worktree only to do what a push would do. Such a one is known by its
/// name; one that nobody can tell may be one.
fn writes_where_pushes_arrive(git: &Invocation<'_>, call: &ShellCall<'_>) -> bool {
    const WRITES: &str = "fetch pull update-ref branch tag symbolic-ref bundle fast-import unpack-objects index-pack \
        hash-object remote commit commit-tree am add repack worktree receive-pack unbundle read-tree";
    const LISTS: &str = "branch tag remote worktree";
    let bare_list = lists(LISTS, git.subcommand)
        && git.arguments.iter().all(|word| {
            word.literal()
                .is_some_and(|text| lists("-a -r -l -v -vv --all --list --remotes --verbose list show", text))
        });
    if bare_list || !lists(WRITES, git.subcommand) {
        return false;
    }
    let named = |name: &str| name.len() > ".git".len() && name.trim_end_matches('/').ends_with(".git");
    let is_bare = |text: &str| text.rsplit('/').find(|part| !part.is_empty()).is_some_and(named);
    let by_variable = call.command.assignments.iter().any(|each| match each.name.as_str() {
        "GIT_DIR" | "GIT_COMMON_DIR" => is_bare(&each.value.text_lossy()),
        _ => false,
    });
    let mut options = call.literals().zip(call.literals().skip(1).chain([""]));
    let by_option = options.any(|(option, next)| match option.strip_prefix("--git-dir") {
        Some("") => is_bare(next),
        Some(value) => is_bare(value.trim_start_matches('=')),
        None => false,
    });
    let here = match &git.repository {
        Addressed::Directory(directory) => directory.file_name().is_some_and(named),
        Addressed::Unknown => matches!(git.subcommand, "fetch" | "update-ref"),
    };
    here || by_variable || by_option
}

/// Programs beside git that rewrite its history.
pub(crate) const REWRITERS: &str = "bfg java";

pub(crate) fn rewriters(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let is_bfg = |word: &Word| match call.target(word) {
        Target::Path(path) => path.file_stem().is_some_and(|name| name.starts_with("bfg")),
        _ => false,
    };
    let rewrites = match program {
        "bfg" => true,
        "java" => call.arguments().iter().any(is_bfg),
        _ => false,
    };
    if rewrites {
        let losing = Losing::History { repository: call.repository() };
        meaning.effects.push(Effect::Discard { losing, how: "rewriting history".into(), gentler: None });
    }
}

/// The command that an alias stands for.
pub(crate) fn expanded(alias: &str, arguments: &str) -> String {
    match alias.strip_prefix('!') {
        Some(shell) => format!("{shell} {arguments}"),
        None => format!("git {alias} {arguments}"),
    }
}

/// The text that `submodule foreach` and `bisect run` hand to a shell: a lone argument as it is, several as words.
fn handed_on(git: &Invocation<'_>) -> Option<String> {
    let words = git.arguments.get(1..)?;
    let options = words.iter().take_while(|word| word.starts_with("--")).count();
    super::carried::joined(words.get(options..)?)
}

/// The commands of `rebase --exec`, in all its spellings.
fn executed<'a>(literals: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let separate = literals.iter().zip(literals.iter().skip(1));
    let separate = separate.filter(|(flag, _)| matches!(**flag, "-x" | "--exec")).map(|(_, text)| *text);
    let attached = literals.iter().filter_map(|text| {
        text.strip_prefix("--exec=").or_else(|| text.strip_prefix("-x").filter(|text| !text.is_empty()))
    });
    separate.chain(attached).collect::<Vec<_>>().into_iter()
}

/// `export GIT_DIR=…` redirects everything that follows.
pub(crate) fn exports(call: &ShellCall<'_>, meaning: &mut Meaning) {
    super::carried::exported(call, meaning);
    for word in call.arguments() {
        let text = word.literal_prefix();
        let name = text.split('=').next().unwrap_or_default();
        if text.contains('=') && redirects_git(name) {
            meaning.effects.push(Effect::Bypass { how: format!("exports {name}") });
        }
    }
}

/// Variables in front of a command that sends content away.
fn environment(call: &ShellCall<'_>) -> Vec<Effect> {
    let set =
        call.command.assignments.iter().map(|assignment| &assignment.name).filter(|name| redirects_git(name));
    let set = set.map(|name| Effect::Bypass { how: format!("sets {name}") });
    // Whoever may write to the first folder of PATH decides what `git` is.
    let path = call.command.assignments.iter().filter(|each| each.name == "PATH");
    let firsts = path.filter_map(|each| each.value.literal_prefix().split(':').next()).map(Word::plain);
    let anybodys = firsts.filter(|first| {
        call.target(first).path().is_some_and(|path| zone(path, call.place) == Zone::Temporary)
    });
    set.chain(anybodys.map(|_| Effect::Bypass { how: "sets PATH".to_owned() })).collect()
}

/// `git config core.sshCommand 'ssh -i key'`: common, and a program that sees what is pushed.
fn sets_ssh_command(arguments: &[Word]) -> bool {
    let is_key =
        |word: &Word| word.literal().is_some_and(|text| text.eq_ignore_ascii_case("core.sshcommand"));
    let reads = |word: &Word| word.literal().is_some_and(|text| text.starts_with("--get") || text == "get");
    let at = arguments.iter().position(is_key);
    at.is_some_and(|at| arguments.len() > at + 1) && !arguments.iter().any(reads)
}

/// `git config "$key" value`; with one word it only reads.
fn sets_open_key(arguments: &[Word]) -> bool {
    let open = |word: &Word| word.sources().next().is_some() && word.literal_prefix().is_empty();
    arguments.iter().take(3).any(open) && arguments.iter().filter(|word| !word.starts_with("-")).count() > 1
        && !arguments.iter().any(|word| word.literal().is_some_and(|text| text.starts_with("--get")))
        // `git config user.email "$(…)"`
        && arguments.iter().find(|word| !word.starts_with("-")).is_some_and(open)
}

/// `git config` on a key that decides which hooks run or what the remote seems to have; reading it is fine.
fn changes_the_gates_ground(arguments: &[Word]) -> bool {
    const READS: [&str; 6] = ["--get", "--get-all", "get", "--get-regexp", "list", "-l"];
    const CHANGES: [&str; 6] = ["--unset", "--unset-all", "--add", "--replace-all", "set", "unset"];
    const WHOLE_FILE: [&str; 6] =
        ["--edit", "-e", "edit", "--rename-section", "rename-section", "--remove-section"];
    fn literal(word: &Word) -> &str {
        word.literal().unwrap_or_default()
    }
    if arguments.iter().take(4).any(|word| WHOLE_FILE.contains(&literal(word))) {
        return true;
    }
    let decides = |key: &str| {
        let key = key.to_ascii_lowercase();
        key == "core.hookspath"
            // A section that is renamed later.
            || key.ends_with(".hookspath")
            || ["include.path", "includeif."].iter().any(|prefix| key.starts_with(prefix))
            || (key.starts_with("remote.") && key.ends_with(".receivepack"))
    };
    // `core.hooks$x`: a key whose beginning is known may be one of these.
    let may_decide = |word: &Word| {
        let front = word.literal_prefix().to_ascii_lowercase();
        word.literal().is_none()
            && front.contains('.')
            && ["core.hookspath", "core.sshcommand", "include.path"].iter().any(|key| key.starts_with(&front))
            || decides(&front)
    };
    let is_key = |word: &Word| decides(literal(word)) || may_decide(word);
    let Some(at) = arguments.iter().position(is_key) else { return false };
    let before = arguments.get(..at).unwrap_or_default();
    let any = |words: &[&str]| before.iter().any(|word| words.contains(&literal(word)));
    !any(&READS) && (any(&CHANGES) || arguments.len() > at + 1)
}
