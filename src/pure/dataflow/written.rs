//! The files that a command writes, as its words name them.

use super::download::{download, saved_as, within};
use crate::pure::shell::{Command, RedirectKind, Word, option_values};
use std::borrow::Cow;

/// Endings of files that hold one other file, packed.
const PACKED: [&str; 6] = [".gz", ".bz2", ".xz", ".zst", ".lz4", ".Z"];

/// Every word that names a file which is there afterwards.
pub(super) fn written(command: &Command) -> Vec<Word> {
    let redirected = command.redirected(&[RedirectKind::Write, RedirectKind::Append]);
    let mut found: Vec<Word> = redirected.filter(|target| !target.starts_with("/dev/")).cloned().collect();
    let Some(program) = command.program() else { return found };
    let operands = || command.operands();
    match program {
        "tee" | "sponge" => found.extend(operands().cloned()),
        "cp" | "mv" | "install" | "ln" | "link" | "rsync" | "scp" | "gcp" | "gmv" | "ditto" => {
            let words: Vec<&Word> = operands().collect();
            if let Some((last, sources)) = words.split_last() {
                found.push((*last).clone());
                found.extend(sources.iter().filter_map(|source| inside(last, source)));
                // `ln -s ~/.ssh/id_rsa` makes a link of that name here.
                let alone = sources.is_empty() && program == "ln";
                found.extend(alone.then(|| file_name(last)).flatten());
            }
        }
        "dd" => found.extend(command.arguments().iter().filter_map(|word| word.strip_prefix("of="))),
        "zip" => found.extend(operands().next().cloned()),
        "7z" | "7za" | "7zz" | "rar" => found.extend(operands().nth(1).cloned()),
        "tar" | "gtar" | "bsdtar" => found.extend(archive(command)),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" | "lz4" | "pigz" => {
            found.extend(operands().filter_map(Word::literal).flat_map(packed));
        }
        "split" => found
            .extend(operands().nth(1).and_then(Word::literal).map(|text| Word::plain(format!("{text}aa")))),
        "xxd" => found.extend(operands().nth(1).cloned()),
        _ => {}
    }
    if download(command).is_some() {
        found.extend(saved_as(command));
    }
    let named = option_values(command.arguments(), "-o -out --output --out");
    found.extend(named.into_iter().map(Cow::into_owned));
    found
}

/// Whether a command writes behind what is in a file already.
pub(super) fn appends(command: &Command, file: &Word) -> bool {
    let by_option =
        command.program() == Some("tee") && command.literals().any(|text| matches!(text, "-a" | "--append"));
    by_option || command.redirected(&[RedirectKind::Append]).any(|target| target == file)
}

/// The named pipes that a command makes.
pub(super) fn makes_pipe(command: &Command) -> impl Iterator<Item = &Word> {
    let makes = matches!(command.program(), Some("mkfifo" | "mknod"));
    command.operands().filter(move |_| makes)
}

/// A file of the source's name in a folder.
fn inside(folder: &Word, source: &Word) -> Option<Word> {
    Some(within(Some(folder), file_name(source)?))
}

fn file_name(word: &Word) -> Option<Word> {
    let text = word.text_lossy();
    let name = text.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty())?;
    Some(Word::plain(name))
}

/// The archive that `tar` makes.
fn archive(command: &Command) -> Option<Word> {
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let text = word.literal_prefix();
        if let Some(file) = word.strip_prefix("--file=") {
            return Some(file);
        }
        let letters = text.trim_start_matches('-');
        let cluster = !text.starts_with("--") && letters.ends_with('f') && letters.len() < 8;
        if text == "--file" || cluster {
            return words.next().cloned();
        }
    }
    None
}

/// The files that packing or unpacking this file leaves.
fn packed(file: &str) -> Vec<Word> {
    match PACKED.iter().find_map(|ending| file.strip_suffix(ending)) {
        Some(bare) => vec![Word::plain(bare)],
        None => PACKED.iter().map(|ending| Word::plain(format!("{file}{ending}"))).collect(),
    }
}
