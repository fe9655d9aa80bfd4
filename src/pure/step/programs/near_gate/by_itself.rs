//! One command by itself: git under another name, links, copies, archives and patches over files that carry the gate.

use super::super::{InnerText, Meaning, ShellCall};
use super::{archive, files_behind, git_writes, naming};
use crate::pure::shell::{RedirectKind, Word, WordPart};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::pattern::PathPattern;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// One command by itself.
pub(in super::super) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    archive::survey(program, call, meaning);
    naming::survey(program, call, meaning);
    meaning.arrivals.extend(filled_folder(program, call));
    let possible = |how: &str| Effect::PossibleBypass { how: how.to_owned() };
    match program {
        "ln" | "cp" | "install" | "link" | "hash" | "dd" | "cat" | "rsync" | "mv" => {
            let writes = program != "cat"
                || call.command.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Write);
            if writes && call.literals().any(names_git) {
                meaning.effects.push(possible("gives git another name"));
            }
            links_protected_file(program, call, meaning);
            let spreads = matches!(program, "cp" | "rsync") && spreads_content(call);
            if spreads {
                meaning.effects.extend(covers_protected_file(call, call.arguments().last()));
            }
        }
        "tar" | "bsdtar" | "gtar" => {
            let first = call.literals().next().unwrap_or_default();
            let unpacks =
                first.contains('x') || call.literals().any(|text| matches!(text, "-x" | "--extract"));
            if unpacks {
                let into = behind(call, &["-C", "--directory"]);
                meaning.effects.extend(covers_protected_file(call, into));
            }
        }
        "unzip" | "7z" => meaning.effects.extend(covers_protected_file(call, behind(call, &["-d"]))),
        "mount" => {
            let shows_twice = |text: &str| text.contains("bind") || text.contains("overlay");
            if call.literals().any(shows_twice) {
                meaning.effects.push(possible("mounts a folder in a second place"));
            }
            let target = call.arguments().last().map(|word| call.target(word));
            let path = target.as_ref().and_then(Target::path);
            if path.is_some_and(|path| call.place.protected.touched_by_removal(path, true).is_some()) {
                meaning.effects.push(possible("mounts something over files that carry the gate"));
            }
        }
        "find" => {
            let acts = call.literals().any(|text| text == "-delete" || text.starts_with("-exec"))
                || naming::is_consumed(call);
            let named = |text: &str| {
                const HOOK: [&str; 3] = ["pre-push", ".git/hooks/pre-push", "./.git/hooks/pre-push"];
                let is_pattern = text.bytes().any(|byte| byte.is_ascii_alphanumeric());
                let by_name = || {
                    let pattern = PathPattern::new(text);
                    pattern.is_valid() && pattern.matches(Utf8Path::new("pre-push"))
                };
                let by_path = || HOOK.iter().any(|name| naming::matches(text, name));
                text.contains("hooks") || is_pattern && (by_path() || by_name())
            };
            if acts && tested(call).any(named) {
                meaning.effects.push(possible("may change git's hooks"));
            }
        }
        "patch" => {
            if let Some(text) = patched_text(call) {
                meaning.runs.push(InnerText::Patch(text));
            }
            patches_fed(call, meaning);
        }
        _ => {}
    }
}

/// The folder outside of the project that a command fills with files.
fn filled_folder(program: &str, call: &ShellCall<'_>) -> Option<Utf8PathBuf> {
    let word = match program {
        "cp" | "mv" | "rsync" | "install" | "ln" | "scp" => call.command.operands().next_back(),
        "tar" | "bsdtar" | "unzip" | "7z" | "cpio" => {
            let into = behind(call, &["-C", "--directory", "-d"]);
            if into.is_none() {
                let entered = call.directory.map(ToOwned::to_owned);
                return entered.filter(|folder| !folder.starts_with(&call.place.project));
            }
            into
        }
        _ => None,
    };
    word.map(|word| call.target(word)).and_then(|target| target.path().map(ToOwned::to_owned))
}

/// The same for git.
pub(in super::super) fn of_git(call: &ShellCall<'_>, meaning: &mut Meaning) {
    git_writes::survey(call, meaning);
    if call.literals().any(|text| matches!(text, "apply" | "am")) {
        patches_fed(call, meaning);
    }
}

/// Patches that come in by a redirect or from another command.
fn patches_fed(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let reads = call.command.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Read);
    if reads || !call.command.fed_by.is_empty() {
        meaning.runs.extend(files_behind(call).into_iter().map(InnerText::Patch));
    }
}

/// The words of `find` that say which files it means, without those that it leaves out.
fn tested<'c>(call: &'c ShellCall<'_>) -> impl Iterator<Item = &'c str> {
    let words: Vec<&str> = call.literals().collect();
    let left_out = |at: usize| at > 1 && words.get(at - 2).is_some_and(|word| matches!(*word, "-not" | "!"));
    let kept: Vec<&str> =
        words.iter().enumerate().filter(|(at, _)| !left_out(*at)).map(|(_, word)| *word).collect();
    kept.into_iter()
}

/// The file that `patch < x` or `patch -i x` reads.
fn patched_text(call: &ShellCall<'_>) -> Option<Utf8PathBuf> {
    let read = call.command.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Read);
    let word = read.map(|redirect| &redirect.target).or_else(|| behind(call, &["-i", "--input"]));
    match call.target(word.or_else(|| call.command.operands().nth(1))?) {
        Target::Path(path) => Some(path),
        Target::Inside(_) | Target::Matching(_) | Target::Below(_) | Target::Unknown => None,
    }
}

/// A path to the program, as `which git` prints it.
fn names_git(text: &str) -> bool {
    let text = text.strip_prefix("if=").unwrap_or(text);
    let Some((folder, "git")) = text.rsplit_once('/') else { return false };
    folder.ends_with("bin") || folder.ends_with("git-core")
}

/// A hard link is a second name under which the file can be written.
fn links_protected_file(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let flag = |letter: char, long: &str| {
        call.literals().any(|text| {
            text == long || (text.starts_with('-') && !text.starts_with("--") && text.contains(letter))
        })
    };
    let hard = match program {
        "ln" => !flag('s', "--symbolic"),
        "cp" => flag('l', "--link"),
        "link" => true,
        _ => false,
    };
    if !hard {
        return;
    }
    for word in call.command.operands() {
        let target = call.target(word);
        let is_ours = |path: &Utf8Path| call.place.protected.touched_by_write(path, true).is_some();
        if target.path().is_some_and(is_ours) {
            meaning.effects.push(Effect::Write { target, recursive: false });
        }
    }
}

/// Whether the content of a folder is copied, and not the folder.
fn spreads_content(call: &ShellCall<'_>) -> bool {
    let content = |word: &Word| match word.parts.last() {
        Some(WordPart::Literal(text)) => text.ends_with("/.") || text.ends_with('/'),
        Some(WordPart::Glob(text)) => text == "*",
        _ => false,
    };
    let sources = call.arguments().len().saturating_sub(1);
    call.arguments().iter().take(sources).any(content)
        || call.literals().any(|text| text.starts_with('-') && text.contains('T'))
}

/// Unpacking or copying into a folder outside the project that holds a protected file somewhere below.
fn covers_protected_file(call: &ShellCall<'_>, into: Option<&Word>) -> Option<Effect> {
    let target = into.map(|word| call.target(word));
    let path = match &target {
        Some(target) => target.path()?,
        None => call.directory?,
    };
    let is_of_tools = |part: Utf8Component<'_>| matches!(part.as_str(), ".claude" | ".git");
    if path.strip_prefix(&call.place.project).is_ok_and(|inside| !inside.components().any(is_of_tools)) {
        return None;
    }
    let what = call.place.protected.touched_by_removal(path, true)?;
    Some(Effect::PossibleBypass { how: format!("may write over {what} below {path}") })
}

/// The value of an option.
pub(super) fn behind<'c>(call: &'c ShellCall<'_>, names: &[&str]) -> Option<&'c Word> {
    let mut words = call.arguments().iter();
    words.by_ref().find(|word| word.literal().is_some_and(|text| names.contains(&text)))?;
    words.next()
}
