//! Programs that move, copy, pack, cut off or edit files.

use super::super::{Meaning, ShellCall};
use super::valued::ValuedOption;
use super::{delete, find, has_flag, lost_by_overwriting, operands, operands_without, overwrite, write};
use crate::pure::dataflow::saved_as;
use crate::pure::shell::{Word, WordPart};
use crate::pure::step::effect::{Addressed, Effect, Losing, Target};
use crate::pure::step::git_folder;
use crate::pure::step::path::joined;
use crate::pure::step::place::Place;
use crate::pure::step::secret_file::secret_in;
use crate::pure::step::sensitive::sensitive;
use crate::pure::step::zone::{Zone, fixed_front, zone};
use camino::{Utf8Path, Utf8PathBuf};
use std::borrow::Cow;

/// A move loses nothing, except onto something or into nothing.
pub(crate) fn moved(call: &ShellCall<'_>, meaning: &mut Meaning) {
    let (sources, destination) = places(call);
    let (targets, into_nothing) = (targets(call, &sources), destination.as_deref().is_some_and(is_null));
    let into_temporary = destination.as_deref().is_some_and(|word| {
        call.target(word).path().is_some_and(|path| zone(path, call.place) == Zone::Temporary)
    });
    let effects = &mut meaning.effects;
    if into_nothing {
        // With the rights for it, every program that writes there fills a file from then on.
        effects.push(Effect::Disrupt { what: "put a file in the place of /dev/null".into() });
    }
    for target in targets.iter().cloned() {
        if into_nothing {
            effects.push(Effect::Delete { target, recursive: true });
            continue;
        }
        if let Target::Path(path) = &target
            && let Some((around, git_folder::GitFolderPart::History)) = git_folder::part(path)
        {
            let repository = Addressed::Directory(around.to_owned());
            let losing = Losing::History { repository };
            effects.push(Effect::Discard { losing, how: "moving git's own files".into(), gentler: None });
        }
        if secret_in(&target).is_some_and(|secret| secret.is_closed())
            && target.path().is_some_and(|path| zone(path, call.place) != Zone::Project)
        {
            let what = format!("move {} away from where programs look for it", target.name());
            effects.push(Effect::Disrupt { what });
        }
        if into_temporary && target.path().is_some_and(|path| is_kept_outside(path, call.place)) {
            effects.push(Effect::Delete { target: target.clone(), recursive: true });
        }
        effects.push(Effect::Write { target, recursive: true });
    }
    // A file that leaves the project is no longer recorded by it.
    let leaves = destination
        .as_deref()
        .map(|word| call.target(word))
        .is_none_or(|target| target.path().is_none_or(|path| zone(path, call.place) != Zone::Project));
    meaning.rewrites |= leaves && !into_nothing;
    meaning.renamed.extend(renamed(call, &targets, destination.as_deref()));
    arriving(call, &targets, destination.as_deref(), Depth::Files, meaning);
}

/// Work outside the project, which nothing there would bring back.
fn is_kept_outside(path: &Utf8Path, place: &Place) -> bool {
    matches!(zone(path, place), Zone::Home | Zone::System | Zone::Elsewhere)
}

pub(crate) fn copied(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    let (sources, destination) = places(call);
    let effects = &mut meaning.effects;
    if matches!(program, "cp" | "ln" | "install") && sources.iter().any(|word| is_null(word)) {
        let emptied = destination.iter().map(|word| call.target(word));
        effects.extend(emptied.map(|target| Effect::Delete { target, recursive: false }));
    }
    let targets = targets(call, &sources);
    let recursive = has_flag(call, 'r', &["--recursive"])
        || has_flag(call, 'R', &[])
        || has_flag(call, 'a', &["--archive"]);
    if recursive {
        secrets_taken(call, &targets, effects);
    }
    if program == "ln" {
        meaning.renamed.extend(renamed(call, &targets, destination.as_deref()));
    }
    // `ln -s x` makes a link of that name here.
    if let ("ln", true, Some(word)) = (program, sources.is_empty(), destination.as_deref()) {
        let name = call.target(word).path().and_then(|path| path.file_name().map(ToOwned::to_owned));
        let here = name.zip(call.directory).map(|(name, directory)| Target::Path(joined(directory, &name)));
        effects.extend(here.map(|target| Effect::Replace { target }));
        return;
    }
    meaning.rewrites |= sources.iter().any(|word| is_on_another_machine(word))
        || call.literals().any(|text| text == "--parents");
    let keeps = |text: &str| matches!(text, "--no-clobber" | "--update=none" | "--update=none-fail");
    if program == "cp" && (has_flag(call, 'n', &[]) || call.literals().any(keeps)) {
        return;
    }
    let depth = if recursive { Depth::Trees } else { Depth::Files };
    arriving(call, &targets, destination.as_deref(), depth, meaning);
}

/// `rsync --delete` removes from the destination what the source does not have.
pub(crate) fn synchronised(call: &ShellCall<'_>, meaning: &mut Meaning) {
    if has_flag(call, 'n', &[]) || call.literals().any(|text| text == "--dry-run") {
        return;
    }
    let (sources, destination) = places(call);
    let targets = targets(call, &sources);
    let elsewhere =
        has_flag(call, 'R', &["--relative"]) || call.literals().any(|text| text.starts_with("--files-from"));
    meaning.rewrites |= elsewhere || sources.iter().any(|word| is_on_another_machine(word));
    let effects = &mut meaning.effects;
    secrets_taken(call, &targets, effects);
    let deletes = call.literals().any(|text| text == "--del" || text.starts_with("--delete"));
    if let Some(word) = destination.as_deref().filter(|_| deletes)
        && !is_on_another_machine(word)
    {
        effects.push(Effect::Delete { target: call.target(word), recursive: true });
    }
    let moves = call.literals().any(|text| text.starts_with("--remove-source"));
    if moves {
        effects.extend(targets.iter().cloned().map(|target| Effect::Delete { target, recursive: true }));
    }
    arriving(call, &targets, destination.as_deref(), Depth::Trees, meaning);
}

pub(crate) fn archived(program: &str, call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let first = call.literals().next().unwrap_or_default();
    let extracts = match program {
        "zip" => false,
        "7z" => matches!(first, "x" | "e"),
        _ => extracts(first, call),
    };
    if extracts {
        let directories = TAR_DIRECTORY.values(call);
        return effects.extend(directories.iter().map(|directory| write(call, directory, false)));
    }
    effects.extend(archive(program, call).map(|target| Effect::Replace { target }));
    // An archive is written over and over; only on a device it replaces something else.
    let attached = TAR_FILE.values(call);
    let archives = call.arguments().iter().chain(attached.iter().map(Cow::as_ref));
    let archives = archives.filter(|word| call.target(word).is_device());
    effects.extend(archives.map(|word| write(call, word, false)));
    let words: Vec<&Word> = operands_without(call, "-f -C --file --directory").collect();
    let packed = targets(call, &words);
    secrets_taken(call, &packed, effects);
    if call.literals().any(|text| text == "--remove-files") {
        effects.extend(packed.into_iter().map(|target| Effect::Delete { target, recursive: true }));
    }
}

const TAR_FLAGS: &str = "cxtruAdvzjJZakmpPsSwhlBiGMnOoRUW";
const TAR_FILE: ValuedOption = ValuedOption { letter: "f", long: "file", flags: TAR_FLAGS };
const TAR_DIRECTORY: ValuedOption = ValuedOption { letter: "C", long: "directory", flags: TAR_FLAGS };

/// Whether `tar` unpacks. Only the first word may have its letters without a dash.
fn extracts(first: &str, call: &ShellCall<'_>) -> bool {
    let in_cluster = |text: &str| {
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| {
            letters.chars().take_while(|letter| TAR_FLAGS.contains(*letter)).any(|letter| letter == 'x')
        })
    };
    (!first.starts_with('-') && first.contains('x'))
        || call.literals().any(|text| in_cluster(text) || matches!(text, "--extract" | "--get"))
}

/// The file that is packed into, where a word says.
fn archive(program: &str, call: &ShellCall<'_>) -> Option<Target> {
    if matches!(program, "zip" | "7z") {
        let skipped = usize::from(program == "7z");
        return operands(call).nth(skipped).map(|word| call.target(word));
    }
    let arguments = call.arguments();
    // The old form has its letters in front, without a dash.
    let old = arguments.first().and_then(Word::literal);
    let old = old.filter(|text| !text.starts_with('-') && text.ends_with('f')).and(arguments.get(1));
    let named = TAR_FILE.values(call).into_iter().next();
    named.as_deref().or(old).map(|word| call.target(word))
}

/// Where an archive is unpacked; what is in it is not known.
pub(crate) fn unpacked(call: &ShellCall<'_>, into: &[&str], effects: &mut Vec<Effect>) {
    let arguments = call.arguments();
    let named = arguments.iter().zip(arguments.iter().skip(1));
    let named = named.filter(|(flag, _)| flag.literal().is_some_and(|text| into.contains(&text)));
    effects.extend(named.map(|(_, directory)| write(call, directory, false)));
}

/// The file that a download goes into.
pub(crate) fn downloaded(program: &str, call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    const CURL: ValuedOption =
        ValuedOption { letter: "o", long: "output", flags: "0123469aBfgGiIjJkKlLMnNOpqRsSvZ#" };
    const WGET: ValuedOption =
        ValuedOption { letter: "O", long: "output-document", flags: "bcdEFhHKLmNnpqrSvVx" };
    let option = if program == "curl" { CURL } else { WGET };
    let named = option.values(call);
    for file in named.iter().filter(|file| file.literal() != Some("-")) {
        overwrite(call, file, effects);
    }
    // Under the name that the address ends with, also in a folder that an option names.
    if named.is_empty() {
        effects.extend(saved_as(call.command).iter().map(|file| write(call, file, false)));
    }
}

/// `truncate -s 0` empties; other sizes cut or stretch.
pub(crate) fn truncated(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let literals: Vec<&str> = call.literals().collect();
    let to_nothing = literals.iter().any(|text| matches!(*text, "-s0" | "--size=0"))
        || literals.windows(2).any(|pair| matches!(pair, ["-s" | "--size", "0"]));
    for word in operands_without(call, "-s --size -r --reference") {
        if let Some(emptied) = delete::listed(call, word, false).filter(|_| to_nothing) {
            effects.extend(emptied);
            continue;
        }
        let target = call.target(word);
        if to_nothing {
            effects.push(Effect::Delete { target: target.clone(), recursive: false });
        }
        effects.push(Effect::Replace { target: target.clone() });
        effects.push(Effect::Write { target, recursive: false });
    }
}

/// Files that `sed -i` or `perl -i` change in place.
pub(crate) fn edited(program: &str, call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let attached = |text: &str| {
        text.starts_with("--expression=")
            || text.starts_with("--file=")
            || program != "perl" && text.len() > 2 && (text.starts_with("-e") || text.starts_with("-f"))
    };
    let script_attached = call.literals().any(attached);
    let files = operands(call).skip(usize::from(!script_attached));
    for word in files {
        effects.push(Effect::Replace { target: call.target(word) });
        effects.push(write(call, word, false));
    }
}

pub(crate) fn dumped(call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    for word in call.arguments().iter().filter_map(|word| word.strip_prefix("of=")) {
        effects.extend(find::of_exec(call, &word).map(|found| found.effects(call.place)).unwrap_or_default());
        let names_disk = |part: &WordPart| match part {
            WordPart::Variable(name) => {
                let name = name.to_ascii_lowercase();
                ["disk", "dev", "drive"].iter().any(|word| name.contains(word))
            }
            _ => false,
        };
        if matches!(call.target(&word), Target::Unknown | Target::Below(_))
            && word.parts.iter().any(names_disk)
        {
            let why = format!("which device `{}` is decides what this overwrites", word.text_lossy());
            effects.push(Effect::Opaque { why });
        }
        let empties = |text: &str| {
            matches!(text, "if=/dev/zero" | "if=/dev/null" | "if=/dev/urandom" | "if=/dev/random")
        };
        let target = call.target(&word);
        let outside = || target.path().is_some_and(|path| is_kept_outside(path, call.place));
        if call.literals().any(empties) && !target.is_device() && outside() {
            effects.push(Effect::Delete { target, recursive: false });
        }
        overwrite(call, &word, effects);
    }
}

/// The sources, and the last operand or what `-t` names.
fn places<'a>(call: &'a ShellCall<'_>) -> (Vec<&'a Word>, Option<Cow<'a, Word>>) {
    const VALUED: &str = "-t --target-directory -m --mode -o --owner -g --group -S --suffix -e --rsh \
        --exclude --include --exclude-from --files-from -i";
    const TARGET: ValuedOption =
        ValuedOption { letter: "t", long: "target-directory", flags: "abBcCdDfFHiIlLnpPrRsTuvxzZ" };
    let mut words: Vec<&Word> = operands_without(call, VALUED).collect();
    if let Some(destination) = TARGET.values(call).into_iter().next() {
        words.retain(|word| !std::ptr::eq(*word, destination.as_ref()));
        return (words, Some(destination));
    }
    let destination = words.pop();
    (words, destination.map(Cow::Borrowed))
}

fn targets(call: &ShellCall<'_>, words: &[&Word]) -> Vec<Target> {
    words.iter().map(|word| call.target(word)).collect()
}

/// The files written at the destination: the destination itself, or, if it is a directory, a file of the source's name in it.
fn arriving(
    call: &ShellCall<'_>,
    sources: &[Target],
    destination: Option<&Word>,
    depth: Depth,
    meaning: &mut Meaning,
) {
    let Some(destination) = destination.filter(|word| !is_on_another_machine(word)) else { return };
    let target = call.target(destination);
    replaced(sources, &target, depth, meaning);
    let effects = &mut meaning.effects;
    effects.extend(lost_by_overwriting(&target, call.place));
    let inside: Vec<Utf8PathBuf> = match &target {
        Target::Path(directory) if sensitive(directory, call.place).is_none() => {
            let names = sources.iter().filter_map(|source| match source {
                Target::Path(path) => path.file_name(),
                _ => None,
            });
            names.map(|name| joined(directory, name)).collect()
        }
        _ => Vec::new(),
    };
    effects.push(Effect::Write { target, recursive: false });
    for path in inside {
        let counts = sensitive(&path, call.place).is_some()
            || call.place.protected.touched_by_write(&path, true).is_some();
        let inside = Target::Path(path);
        effects.extend(lost_by_overwriting(&inside, call.place));
        effects.extend(counts.then_some(Effect::Write { target: inside, recursive: false }));
    }
}

/// Where each source is found afterwards: as the destination, or in it.
fn renamed(
    call: &ShellCall<'_>,
    sources: &[Target],
    destination: Option<&Word>,
) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    let Some(Target::Path(into)) = destination.map(|word| call.target(word)) else { return Vec::new() };
    let sources = sources.iter().filter_map(|source| match source {
        Target::Path(path) => Some(path),
        Target::Inside(_) | Target::Matching(_) | Target::Below(_) | Target::Unknown => None,
    });
    let both = sources.flat_map(|from| {
        let inside = from.file_name().map(|name| joined(&into, name));
        inside.into_iter().chain([into.clone()]).map(|to| (from.clone(), to))
    });
    both.collect()
}

/// Whether folders go along with what is in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Files,
    Trees,
}

/// The files that the sources overwrite: the destination, or files of the same names in it.
fn replaced(sources: &[Target], destination: &Target, depth: Depth, meaning: &mut Meaning) {
    let effects = &mut meaning.effects;
    effects.push(Effect::Replace { target: destination.clone() });
    let Some(into) = destination.path() else { return };
    let deep = depth == Depth::Trees;
    for source in sources {
        match source {
            Target::Path(from) => {
                let inside = from.file_name().map(|name| joined(into, name));
                if deep {
                    let places = inside.iter().cloned().chain([into.to_owned()]);
                    let merge = |into| Effect::Merge { from: from.clone(), into, deep };
                    effects.extend(places.map(merge));
                }
                effects.extend(inside.map(|path| Effect::Replace { target: Target::Path(path) }));
            }
            Target::Inside(from) => {
                effects.push(Effect::Merge { from: from.clone(), into: into.to_owned(), deep })
            }
            Target::Matching(pattern) if !pattern.contains("**") => {
                let front = pattern.rsplit_once('/').map_or("/", |(front, _)| front);
                let fixed = fixed_front(pattern);
                match fixed == front {
                    true => effects.push(Effect::Merge { from: fixed, into: into.to_owned(), deep }),
                    false => meaning.rewrites = true,
                }
            }
            Target::Matching(_) | Target::Below(_) | Target::Unknown => meaning.rewrites = true,
        }
    }
}

/// Taking a whole directory along takes the keys in it along.
fn secrets_taken(call: &ShellCall<'_>, sources: &[Target], effects: &mut Vec<Effect>) {
    let taken = sources.iter().filter_map(|source| match source {
        Target::Path(path) | Target::Inside(path) => call.place.protected.secret_below(path),
        Target::Matching(_) | Target::Below(_) | Target::Unknown => None,
    });
    effects.extend(taken.map(|path| Effect::Read { target: Target::Path(path) }));
}

fn is_null(word: &Word) -> bool {
    word.literal().is_some_and(|text| Utf8Path::new(text) == "/dev/null")
}

/// `host:path`, but not `./a:b`.
fn is_on_another_machine(word: &Word) -> bool {
    let front = word.literal_prefix().split('/').next().unwrap_or_default();
    front.contains(':')
}
