//! `rm` and its like: what is named, what another command lists, what `find` finds.

use super::super::ShellCall;
use super::super::invocation::Invocation;
use super::{find, has_flag, operands_without, write};
use crate::pure::shell::{Command, Word, WordPart, Wrapper};
use crate::pure::step::effect::{Effect, IgnoredFiles, Losing, Target};
use crate::pure::step::generated::{is_always_generated, is_build_directory};

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let recursive = match program {
        "rm" => has_flag(call, 'r', &["--recursive"]) || has_flag(call, 'R', &[]),
        "rimraf" | "del-cli" => true,
        "srm" | "wipe" => has_flag(call, 'r', &["--recursive"]),
        _ => false,
    };
    if call.literals().any(|text| matches!(text, "--help" | "--version")) {
        return;
    }
    let valued = if program == "shred" { "-n -s --iterations --size" } else { "" };
    for word in operands_without(call, valued) {
        let target = call.target(word);
        if target.is_device() {
            effects.push(write(call, word, false));
        } else if let Some(found) = find::of_exec(call, word) {
            effects.extend(found.effects(call.place));
        } else if let Some(listed) = listed(call, word, recursive) {
            effects.extend(listed);
        } else if !matches!(target, Target::Unknown | Target::Below(_))
            || !(ends_made_again(word, &target) || begins_with_set_variable(word))
        {
            effects.push(Effect::Delete { target, recursive });
        }
    }
}

/// `"$directory/node_modules"`, `cd "$directory" && rm -rf dist`: whatever the directory is, that can be made again.
fn ends_made_again(word: &Word, target: &Target) -> bool {
    let Some((WordPart::Literal(text), front)) = word.parts.split_last() else { return false };
    let text = text.trim_end_matches('/');
    let name = match text.rsplit_once('/') {
        Some((_, name)) => Some(name),
        None => front.is_empty().then_some(text),
    };
    let is_made = |name| is_always_generated(name) || *target == Target::Unknown && is_build_directory(name);
    name.is_some_and(is_made)
}

/// `"${BUILD_DIR:?}/dist"`: the variable is the author's, and the shell stops if it is empty.
fn begins_with_set_variable(word: &Word) -> bool {
    word.parts.first().is_some_and(WordPart::is_set_variable)
}

/// The deletion of a word that is nothing but the output of another command: `find … | xargs rm`, `rm $(git ls-files)`.
pub(crate) fn listed(call: &ShellCall<'_>, word: &Word, recursive: bool) -> Option<Vec<Effect>> {
    let [WordPart::Output(index)] = word.parts.as_slice() else { return None };
    let lister = lister(call.others, *index)?;
    let inner = ShellCall { command: lister, ..*call };
    match lister.program()? {
        "find" | "gfind" => {
            let found = find::FindAction::by_find(&inner).with_names(grepped(call.others, *index));
            Some(found.effects(call.place))
        }
        "fd" | "fdfind" => {
            let found = find::FindAction::by_fd(&inner).with_names(grepped(call.others, *index));
            Some(found.effects(call.place))
        }
        "ls" => Some(directories(&inner).map(|target| Effect::Delete { target, recursive }).collect()),
        "git" => git_lists(&inner),
        "grep" | "egrep" | "rg" | "ag" | "ack" => names_files(&inner).then(|| searched(&inner)),
        _ => None,
    }
}

/// `grep -l`: the names of files, which may be any below where it looks.
fn names_files(call: &ShellCall<'_>) -> bool {
    call.literals().any(|text| {
        text.starts_with("--files-with")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains(['l', 'L']))
    })
}

fn searched(call: &ShellCall<'_>) -> Vec<Effect> {
    let mut starts = super::operands(call).skip(1).map(|word| call.target(word)).peekable();
    let here = match starts.peek() {
        None => call.directory.map(|directory| Target::Path(directory.to_owned())),
        Some(_) => None,
    };
    here.into_iter().chain(starts).map(|target| Effect::Delete { target, recursive: true }).collect()
}

/// The command whose output reaches index `at` through filters that only leave lines out.
fn lister(others: &[Command], at: usize) -> Option<&Command> {
    const FILTERS: [&str; 12] =
        ["grep", "egrep", "rg", "head", "tail", "sort", "uniq", "shuf", "tee", "tr", "cat", "xargs"];
    let mut at = at;
    loop {
        let command = others.get(at)?;
        let starts = command.fed_by.is_empty() && !matches!(command.program(), Some("cat" | "xargs" | "tee"));
        if starts || !command.program().is_some_and(|program| FILTERS.contains(&program)) {
            return Some(command);
        }
        // Only earlier commands feed a pipe, so this comes to an end.
        at = command.fed_by.first().copied().filter(|index| *index < at)?;
    }
}

/// Patterns for the names that a `grep` on the way to index `at` leaves over.
fn grepped(others: &[Command], at: usize) -> Option<Vec<String>> {
    let mut at = at;
    loop {
        let command = others.get(at)?;
        if matches!(command.program(), Some("grep" | "egrep" | "rg"))
            && let Some(names) = left_by(command)
        {
            return Some(names);
        }
        at = command.fed_by.first().copied().filter(|index| *index < at)?;
    }
}

/// The names that a `grep` with one expression leaves over.
fn left_by(grep: &Command) -> Option<Vec<String>> {
    let options = || grep.arguments().iter().filter_map(Word::literal).filter(|text| text.starts_with('-'));
    let several = options().filter(|text| is_short(text, 'e') || text.starts_with("--regexp")).count() > 1;
    let other = |text: &str| is_short(text, 'v') || is_short(text, 'f') || text == "--invert-match";
    if several || options().any(other) {
        return None;
    }
    let names = find::names_matching(grep.operands().find_map(Word::literal)?)?;
    let any_case = options().any(|text| is_short(text, 'i') || text == "--ignore-case");
    Some(if any_case { names.iter().map(|name| find::in_either_case(name)).collect() } else { names })
}

fn is_short(text: &str, letter: char) -> bool {
    text.starts_with('-') && !text.starts_with("--") && text.contains(letter)
}

fn directories<'a>(call: &'a ShellCall<'_>) -> impl Iterator<Item = Target> + 'a {
    let mut named = super::operands(call).map(|word| call.target(word)).peekable();
    let here = match (named.peek(), call.directory) {
        (None, Some(directory)) => Some(Target::Inside(directory.to_owned())),
        (None, None) => Some(Target::Unknown),
        (Some(_), _) => None,
    };
    let inside = |target| match target {
        Target::Path(path) => Target::Inside(path),
        other => other,
    };
    here.into_iter().chain(named.map(inside))
}

/// The files that git names: those that it does not track, or those that it does.
fn git_lists(call: &ShellCall<'_>) -> Option<Vec<Effect>> {
    let git = Invocation::parse(call)?;
    let literals: Vec<&str> = git.arguments.iter().filter_map(Word::literal).collect();
    let has = |name: &str| literals.iter().any(|text| name.starts_with(text) && text.len() > 4);
    let (repository, paths) = (git.repository.clone(), Vec::new());
    let (losing, how) = match git.subcommand {
        "ls-files" if has("--others") || literals.contains(&"-o") => {
            let ignored = match has("--ignored") || literals.contains(&"-i") {
                true => IgnoredFiles::Only,
                false if has("--exclude-standard") => IgnoredFiles::Spared,
                false => IgnoredFiles::Too,
            };
            (Losing::Untracked { repository, paths, ignored, except: Vec::new() }, "deleting untracked files")
        }
        // They are gone already.
        "ls-files" if matches!(literals.as_slice(), ["-d" | "--deleted"] | ["-z", "-d"] | ["-d", "-z"]) => {
            return Some(Vec::new());
        }
        "ls-files" | "diff" | "status" | "grep" => {
            (Losing::Changes { repository, paths }, "deleting the files that git lists")
        }
        _ => return None,
    };
    Some(vec![Effect::Discard { losing, how: how.into(), gentler: None }])
}

/// Whether a command was taken out of a `find -exec` or an `fd -x`.
pub(crate) fn is_of_find(command: &Command) -> bool {
    command.via.contains(&Wrapper::FindExec)
}
