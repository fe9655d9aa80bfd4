//! Programs that remove, write, move or format files: coreutils, find, disk tools.

mod copy;
mod delete;
mod find;
mod mode;
pub(super) mod output;
#[cfg(test)]
mod tests;
mod valued;

use super::{Meaning, ShellCall};
use crate::pure::shell::{Command, Word, lists};
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::generated::is_precious;
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::place::Place;
use crate::pure::step::sensitive::sensitive;
use crate::pure::step::zone::{Zone, zone};
use camino::Utf8Path;

/// The programs that are asked about here.
pub(crate) const PROGRAMS: &str = "rm unlink shred srm wipe rimraf del-cli find gfind mv gmv cp gcp \
    install ln scp rsync tar zip 7z bsdtar tee sponge truncate trash trash-put rmdir touch mkdir chmod \
    chown chgrp chattr setfacl sed gsed perl gawk awk patch ex dd dcfldd dc3dd curl wget unzip bfs \
    ddrescue dd_rescue sort shuf tree iconv xmllint time uniq xxd yq";

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let effects = &mut meaning.effects;
    match program {
        "rm" | "unlink" | "shred" | "srm" | "wipe" | "rimraf" | "del-cli" => {
            delete::survey(program, call, effects)
        }
        "find" | "gfind" | "bfs" => find::survey(call, effects),
        "ddrescue" | "dd_rescue" => {
            operands(call).skip(1).take(1).for_each(|word| overwrite(call, word, effects))
        }
        "mv" | "gmv" => copy::moved(call, meaning),
        "cp" | "gcp" | "install" | "ln" | "scp" => copy::copied(program, call, meaning),
        "rsync" => copy::synchronised(call, meaning),
        "tar" | "zip" | "7z" | "bsdtar" => copy::archived(program, call, effects),
        "sort" | "shuf" | "tree" | "iconv" | "xmllint" | "time" => output::by_option(call, effects),
        "uniq" | "xxd" => operands(call).skip(1).for_each(|word| overwrite(call, word, effects)),
        "yq" => output::in_place(call, effects),
        "tee" if has_flag(call, 'a', &["--append"]) => {
            effects.extend(operands(call).map(|word| write(call, word, false)));
        }
        "tee" | "sponge" => operands(call).for_each(|word| overwrite(call, word, effects)),
        "truncate" => copy::truncated(call, effects),
        "trash" | "trash-put" | "rmdir" => {
            effects.extend(operands(call).map(|word| write(call, word, false)));
        }
        "touch" | "mkdir" => effects.extend(operands(call).filter_map(|word| mild_write(call, word))),
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" => mode::survey(program, call, effects),
        "sed" | "gsed" | "perl" if has_flag(call, 'i', &["--in-place"]) => {
            copy::edited(program, call, effects)
        }
        "sed" | "gsed" => output::by_sed_script(call, effects),
        "gawk" | "awk" if call.literals().any(|text| text == "inplace") => {
            copy::edited(program, call, effects)
        }
        "patch" | "ex" => effects.extend(operands(call).filter_map(|word| patched(call, word))),
        "dd" | "dcfldd" | "dc3dd" => copy::dumped(call, effects),
        "curl" | "wget" => copy::downloaded(program, call, effects),
        "unzip" => copy::unpacked(call, &["-d"], effects),
        _ => {}
    }
}

fn write(call: &ShellCall<'_>, word: &Word, recursive: bool) -> Effect {
    Effect::Write { target: call.target(word), recursive }
}

/// A write that leaves the content as it is: it counts for our own files and for what the gate hangs on, not for other
/// people's.
fn mild_write(call: &ShellCall<'_>, word: &Word) -> Option<Effect> {
    let target = call.target(word);
    let spared = target.path().filter(|path| sensitive(path, call.place).is_some());
    let Some(path) = spared else { return Some(Effect::Write { target, recursive: false }) };
    let touched = |gated| call.place.protected.touched_by_write(path, gated);
    match (touched(false), touched(true)) {
        (Some(_), _) => Some(Effect::Write { target, recursive: false }),
        (None, Some(what)) => Some(Effect::Bypass { how: format!("changes {path}, {what}") }),
        (None, None) => None,
    }
}

/// A file that is changed in place. Only an absolute path counts: other words may be a patch or a command.
fn patched(call: &ShellCall<'_>, word: &Word) -> Option<Effect> {
    word.starts_with("/").then(|| write(call, word, false))
}

/// A write that replaces what was there.
fn overwrite(call: &ShellCall<'_>, word: &Word, effects: &mut Vec<Effect>) {
    let target = call.target(word);
    effects.extend(lost_by_overwriting(&target, call.place));
    effects.push(Effect::Replace { target: target.clone() });
    effects.push(Effect::Write { target, recursive: false });
}

/// Whether what a command's output goes into is empty afterwards: `: > file`, `cat /dev/null > file`.
pub(crate) fn prints_nothing(command: &Command, text: &str) -> bool {
    let is_empty = |word: &Word| matches!(word.literal(), Some("" | "-n"));
    match command.program() {
        // The redirects of a loop or a group are listed like this too.
        None => {
            let written = text.get(command.span.clone()).unwrap_or_default();
            command.words.is_empty() && written.trim_start().starts_with('>')
        }
        Some(":" | "true") => true,
        Some("echo" | "printf") => command.arguments().iter().all(is_empty),
        Some("cat") => {
            !command.arguments().is_empty()
                && command.operands().all(|word| word.literal() == Some("/dev/null"))
        }
        Some(_) => false,
    }
}

/// The file that is missing where this command runs, since a test in front of it says so: `test -f x || cp y x`.
pub(crate) fn missing_before(command: &Command, text: &str) -> Option<String> {
    let before = text.get(..command.span.start)?.trim_end();
    let (before, negated) = match before.strip_suffix("||") {
        Some(before) => (before, false),
        None => (before.strip_suffix("&&").or_else(|| before.strip_suffix("then"))?, true),
    };
    let test = before.trim_end().trim_end_matches(';').rsplit([';', '\n', '&', '|']).next()?;
    let words: Vec<&str> =
        test.split_whitespace().filter(|word| !matches!(*word, "if" | "]" | "]]")).collect();
    let (first, rest) = words.split_first()?;
    let (no, rest) = match rest {
        ["!", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    match (*first, rest) {
        ("test" | "[" | "[[", ["-f" | "-e" | "-s", file]) if no == negated => {
            Some(file.trim_matches(['"', '\'']).to_owned())
        }
        _ => None,
    }
}

/// The loss when a file is overwritten. Only precious files count: others are overwritten all day long.
pub(crate) fn lost_by_overwriting(target: &Target, place: &Place) -> Option<Effect> {
    let Target::Path(path) = target else { return None };
    let lost = path.file_name().is_some_and(is_precious) && zone(path, place) == Zone::Project;
    lost.then(|| Effect::Delete { target: target.clone(), recursive: false })
}

/// Everything that is no option. After `--` everything is an operand.
fn operands<'a>(call: &'a ShellCall<'_>) -> impl Iterator<Item = &'a Word> {
    operands_without(call, "")
}

/// Everything that is neither an option nor the value of one of these.
fn operands_without<'a>(call: &'a ShellCall<'_>, valued: &'static str) -> impl Iterator<Item = &'a Word> {
    let (mut only_operands, mut is_value) = (false, false);
    call.arguments().iter().filter(move |word| {
        if std::mem::take(&mut is_value) {
            return false;
        }
        match word.literal() {
            Some("--") if !only_operands => {
                only_operands = true;
                false
            }
            Some(text) if !only_operands && text.starts_with('-') && text.len() > 1 => {
                is_value = lists(valued, text);
                false
            }
            _ => only_operands || !word.starts_with("-") || word.literal().is_some(),
        }
    })
}

/// A short flag, also inside a cluster (`-rf`), or one of its long forms (also cut short, as getopt allows).
fn has_flag(call: &ShellCall<'_>, short: char, long: &[&str]) -> bool {
    call.literals().take_while(|text| *text != "--").any(|text| match text.strip_prefix("--") {
        Some(name) => {
            !name.is_empty()
                && long.iter().any(|flag| {
                    flag.trim_start_matches('-').starts_with(name.split('=').next().unwrap_or(name))
                })
        }
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(short)),
    })
}

/// The path below the folder of devices, which may itself be written as a pattern.
fn below_dev(pattern: &str) -> Option<&str> {
    let (first, rest) = pattern.strip_prefix('/')?.split_once('/')?;
    let is_dev = || PathPattern::new(&format!("/{first}")).matches(Utf8Path::new("/dev"));
    (first == "dev" || first.contains(['*', '?', '[']) && is_dev()).then_some(rest)
}

impl Target {
    /// Whether this is a real device rather than one of the harmless ones that look like files.
    pub fn is_device(&self) -> bool {
        const HARMLESS: [&str; 11] =
            ["null", "zero", "full", "stdin", "stdout", "stderr", "random", "urandom", "fd", "shm", "log"];
        const HARMLESS_BEGINNINGS: [&str; 4] = ["pts", "tty", "tcp", "udp"];
        let rest = match self {
            Self::Path(path) | Self::Inside(path) => path.as_str().strip_prefix("/dev/"),
            Self::Matching(pattern) => below_dev(pattern),
            Self::Below(path) if path == "/dev" => return true,
            Self::Below(path) => path.as_str().strip_prefix("/dev/"),
            Self::Unknown => None,
        };
        let Some(first) = rest.and_then(|rest| rest.split('/').next()) else { return false };
        !first.is_empty()
            && !HARMLESS.contains(&first)
            && !HARMLESS_BEGINNINGS.iter().any(|beginning| first.starts_with(beginning))
    }

    /// How to call it towards a person.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string(),
            Self::Inside(path) => format!("{}/*", path.as_str().trim_end_matches('/')),
            Self::Matching(pattern) => pattern.clone(),
            Self::Below(path) => format!("{}/…", path.as_str().trim_end_matches('/')),
            Self::Unknown => "something that only the shell will know".into(),
        }
    }
}
