//! Our block of lines in a project's `.gitignore`.

use super::actions::Actions;
use super::place::Place;
use super::record::gone;
use super::whole_file::{read_bytes, replace};
use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const BLOCK: &str = "\
# plimsoll: begin
.claude/state/
.claude/logs/
.claude/**/*.plimsoll-backup
# plimsoll: end
";
const BEGIN: &[u8] = b"# plimsoll: begin\n";
const END: &[u8] = b"# plimsoll: end\n";

pub(crate) fn add(place: &Place, project: &Utf8Path, actions: &Actions) -> Result<(), CommandError> {
    let path = project.join(".gitignore");
    if path.is_symlink() || path.is_dir() {
        outln!("note: {path} is not a plain file; ignore .claude/state/ and .claude/logs/ yourself");
        return Ok(());
    }
    let before = read_bytes(&path)?;
    if before.as_deref().is_some_and(|text| block_in(text) == BLOCK.as_bytes()) {
        return Ok(());
    }
    actions.act(&format!("ignore state and logs in {path}"), || {
        let [saved, written] = saved(place);
        let text = before.unwrap_or_default();
        if path.exists() && block_in(&text).is_empty() {
            replace(&saved, &text, 0o644)?;
        }
        let after = [without_block(&text), BLOCK.as_bytes().to_vec()].concat();
        replace(&written, &after, 0o644)?;
        Ok(replace(&path, &after, mode_of(&path))?)
    })
}

pub(crate) fn remove(place: &Place, project: &Utf8Path, actions: &Actions) -> Result<(), CommandError> {
    let path = project.join(".gitignore");
    if !path.is_file() {
        return Ok(());
    }
    let text = read_bytes(&path)?.unwrap_or_default();
    if block_in(&text).is_empty() {
        return Ok(());
    }
    actions.act(&format!("restore {path}"), || {
        let [saved, written] = saved(place);
        let restored = match read_bytes(&written)? == Some(text.clone()) {
            true => read_bytes(&saved)?,
            false => Some(without_block(&text)),
        };
        match restored {
            Some(restored) => replace(&path, &restored, mode_of(&path))?,
            None => gone(fs::remove_file(&path))?,
        }
        Ok(())
    })
}

/// The file before our change, and as we wrote it.
fn saved(place: &Place) -> [Utf8PathBuf; 2] {
    ["gitignore.before", "gitignore.after"].map(|name| place.record.path(name))
}

fn mode_of(path: &Utf8Path) -> u32 {
    fs::metadata(path).map_or(0o644, |metadata| metadata.permissions().mode())
}

/// Lines of our block, each with its line break.
fn block_in(text: &[u8]) -> Vec<u8> {
    marked_lines(text).filter(|(ours, _)| *ours).flat_map(|(_, line)| line).collect()
}

fn without_block(text: &[u8]) -> Vec<u8> {
    marked_lines(text).filter(|(ours, _)| !*ours).flat_map(|(_, line)| line).collect()
}

/// Every line, and whether it belongs to our block.
fn marked_lines(text: &[u8]) -> impl Iterator<Item = (bool, Vec<u8>)> {
    let mut inside = false;
    text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let whole = [line.strip_suffix(b"\n").unwrap_or(line), b"\n"].concat();
        let ours = inside || whole == BEGIN;
        inside = ours && whole != END;
        (ours, whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_lines_are_taken_out_and_a_missing_line_break_is_added() {
        let ours = String::from_utf8(BLOCK.into()).unwrap();
        let text = format!("a\n{ours}# plimsoll: beginning\n\u{fe}b");
        assert_eq!(without_block(text.as_bytes()), "a\n# plimsoll: beginning\n\u{fe}b\n".as_bytes());
        assert_eq!(block_in(text.as_bytes()), ours.as_bytes());
        assert_eq!(without_block(b""), b"");
    }
}
