//! The programs: `bin/plimsoll`, and the hook program under each of its names. A running hook never meets half a program.

use super::actions::{Actions, Error};
use super::record::create_parent;
use super::whole_file::{read_bytes, replace, replacement};
use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::pure::client::registration::expected;
use plimsoll::pure::text::counted;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::{fs, io};

/// Where the programs come from.
pub(crate) struct Programs {
    folder: Utf8PathBuf,
}

impl Programs {
    /// From this folder, laid out as an installation or by cargo. Default: where this program lies.
    pub(crate) fn from(folder: Option<&Utf8Path>) -> Result<Self, CommandError> {
        if let Some(folder) = folder {
            let folder = folder.canonicalize_utf8().map_err(|error| format!("{folder}: {error}"))?;
            return Ok(Self { folder });
        }
        let own = own_program()?;
        let beside = own.parent().unwrap_or(&own);
        let folder = if beside.ends_with("bin") { beside.parent().unwrap_or(beside) } else { beside };
        Ok(Self { folder: folder.to_owned() })
    }

    /// The command, which may be another version than this program.
    pub(crate) fn command(&self) -> Result<Utf8PathBuf, Error> {
        self.find("bin/plimsoll", "plimsoll")
    }

    /// Whether the command is this very program.
    pub(crate) fn has_this_program(&self) -> Result<bool, CommandError> {
        Ok(read_bytes(&self.command()?)? == read_bytes(&own_program()?)?)
    }

    /// Installs what differs. The hooks are links to the first of them, or copies where the file system has no links.
    pub(crate) fn install(&self, data: &Utf8Path, actions: &Actions) -> Result<(), CommandError> {
        if data.canonicalize_utf8().is_ok_and(|data| data == self.folder) {
            return Ok(());
        }
        let install = |from: &Utf8Path, place: &Utf8Path, first: Option<&Utf8Path>| {
            if is_same_program(from, place)? {
                return Ok(());
            }
            actions.act_in_group(&format!("install {place}"), || Ok(link_or_copy(from, first, place)?))
        };
        install(&self.command()?, &data.join("bin/plimsoll"), None)?;
        let mut first: Option<Utf8PathBuf> = None;
        for hook in hooks() {
            let place = data.join("hooks").join(hook);
            install(&self.hook(hook)?, &place, first.as_deref())?;
            first.get_or_insert(place);
        }
        actions.finish_group(|count| format!("install {} in {data}", counted(count, "program")));
        Ok(())
    }

    /// Whether all programs are there, so that a later step does not fail half way.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.command()?;
        hooks().try_for_each(|hook| self.hook(hook).map(drop))
    }

    fn hook(&self, name: &str) -> Result<Utf8PathBuf, Error> {
        self.find(&format!("hooks/{name}"), "plimsoll-hook")
    }

    fn find(&self, installed: &str, program: &'static str) -> Result<Utf8PathBuf, Error> {
        // Laid out as an installation, by `cargo build`, or by `cargo install`.
        let places = [installed, program, &format!("bin/{program}")].map(|place| self.folder.join(place));
        let found = places.into_iter().find(|path| path.is_file());
        found.ok_or_else(|| Error::MissingProgram { program, folder: self.folder.clone() })
    }
}

fn own_program() -> Result<Utf8PathBuf, CommandError> {
    let own = Utf8PathBuf::from_path_buf(std::env::current_exe()?);
    Ok(own.map_err(|path| format!("the path {} is not valid UTF-8", path.display()))?)
}

/// The names of the hook program.
fn hooks() -> impl Iterator<Item = &'static str> {
    let names: BTreeSet<&str> = expected().map(|(_, hook)| hook).chain(["git-pre-push"]).collect();
    names.into_iter()
}

fn is_same_program(from: &Utf8Path, place: &Utf8Path) -> io::Result<bool> {
    let Ok(installed) = fs::metadata(place) else { return Ok(false) };
    let same_size = fs::metadata(from)?.len() == installed.len();
    let executable = installed.mode() & 0o111 == 0o111;
    Ok(same_size && executable && read_bytes(from)? == read_bytes(place)?)
}

/// `first` is a program that may be the same.
fn link_or_copy(from: &Utf8Path, first: Option<&Utf8Path>, place: &Utf8Path) -> io::Result<()> {
    let bytes = read_bytes(from)?.ok_or(io::ErrorKind::NotFound)?;
    let same = |first: &&Utf8Path| read_bytes(first).is_ok_and(|known| known.as_ref() == Some(&bytes));
    if let Some(first) = first.filter(same) {
        let temporary = replacement(place)?;
        if fs::hard_link(first, &temporary).is_ok() {
            return fs::rename(temporary, place);
        }
    }
    create_parent(place)?;
    replace(place, &bytes, 0o755)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_a_link_to_the_same_program_and_a_copy_where_that_cannot_be_linked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| Utf8PathBuf::from_path_buf(folder.path().join(name)).unwrap();
        fs::write(path("built"), "new").unwrap();
        fs::write(path("first"), "new").unwrap();
        fs::write(path("older"), "old").unwrap();
        let inode = |name: &str| fs::metadata(path(name)).unwrap().ino();
        for (first, place) in [("first", "a"), ("older", "b"), ("not there", "c")] {
            link_or_copy(&path("built"), Some(&path(first)), &path(place)).unwrap();
            assert_eq!(fs::read(path(place)).unwrap(), b"new");
            assert_eq!(inode(place) == inode("first"), place == "a", "{place}");
        }
    }
}
