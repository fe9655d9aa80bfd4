//! Files that nothing but a copy would hold: gathered so far as copies can be taken of them.

use super::super::discover::Repo;
use super::super::error::Result;
use super::files::{GlobSearch, LossFiles, entries, is_made_again, too_many};
use super::located;
use super::status::{FOLDED, RepoStatus};
use crate::pure::step::{Loss, is_always_generated, is_compiled};
use crate::pure::text::list;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;

/// The most files that are copied before one tool call.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: u64 = 50 * MIB;
const MIB: u64 = 1024 * 1024;
/// The most entries of a folder that are compared with those of another.
const MOST_COMPARED: usize = 4_000;

/// Whether copies are taken before an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Copies {
    /// Of files up to so many bytes.
    UpTo(u64),
    /// Switched off, or not taken of this folder.
    Off,
}

/// Files to copy, and files that cannot be copied.
pub(crate) struct Gathered {
    copies: Copies,
    files: Vec<Utf8PathBuf>,
    bytes: u64,
    over: Vec<String>,
    /// More files than are copied.
    many: bool,
}

impl Gathered {
    pub fn new(copies: Copies) -> Self {
        Self { copies, files: Vec::new(), bytes: 0, over: Vec::new(), many: false }
    }

    fn is_full(&self) -> bool {
        self.many || self.files.len() >= MOST_FILES || self.bytes > MOST_BYTES
    }

    fn file(&mut self, path: &Utf8Path, size: u64) {
        let Copies::UpTo(limit) = self.copies else { return self.files.push(path.to_owned()) };
        if size > limit {
            let name = path.file_name().unwrap_or_default();
            return self.over.push(format!("{name} ({} MiB)", size.div_ceil(MIB)));
        }
        if self.is_full() {
            self.many = true;
            return;
        }
        self.bytes += size;
        self.files.push(path.to_owned());
    }

    pub fn loss(self) -> Loss {
        const SHOWN: usize = 2;
        let Self { copies, mut files, over, many, .. } = self;
        let words = list(&over, SHOWN);
        match (copies, words.is_empty(), many) {
            (_, true, false) if files.is_empty() => Loss::Nothing,
            (Copies::Off, _, _) => Loss::Unkept,
            (Copies::UpTo(_), false, _) => Loss::TooLarge(words),
            (Copies::UpTo(_), true, true) => {
                Loss::TooLarge(format!("more than {MOST_FILES} ignored files or 50 MiB"))
            }
            (Copies::UpTo(_), true, false) => {
                files.sort();
                files.dedup();
                Loss::Copies(files)
            }
        }
    }
}

impl LossFiles<'_> {
    /// One file whose bytes go: by being overwritten, or as a file that git does not track.
    pub fn one(&self, path: &Utf8Path, found: &Metadata, gathered: &mut Gathered) -> Result<()> {
        if self.below_project(path).is_none_or(|rest| rest.split('/').any(is_always_generated)) {
            return Ok(());
        }
        let large = matches!(self.copies, Copies::UpTo(limit) if found.len() > limit);
        if (found.is_file() || found.is_symlink()) && !(large && self.large_is_held(path, found)?) {
            gathered.file(path, found.len());
        }
        Ok(())
    }

    fn below_project<'p>(&self, path: &'p Utf8Path) -> Option<&'p str> {
        path.strip_prefix(self.project).ok().map(Utf8Path::as_str)
    }

    /// Whether a build or git brings back a file that is too large for a copy.
    fn large_is_held(&self, path: &Utf8Path, found: &Metadata) -> Result<bool> {
        if is_made_again(path, self.project) || is_program(path, found) {
            return Ok(true);
        }
        let Some(repo) = path.parent().map(Repo::discover).transpose()?.flatten() else { return Ok(false) };
        let status = RepoStatus::read(&(self.open)(repo), &[path.to_owned()], &FOLDED)?;
        Ok(status.is_some_and(|status| status.entries.is_empty()))
    }

    /// The bytes of a file that is overwritten.
    pub fn content(&self, path: &Utf8Path) -> Result<Loss> {
        let mut gathered = Gathered::new(self.copies);
        self.overwritten(path, &mut gathered)?;
        Ok(gathered.loss())
    }

    fn overwritten(&self, path: &Utf8Path, gathered: &mut Gathered) -> Result<()> {
        let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
        let Ok(path) = located(path) else { return Ok(()) };
        if found.is_dir() {
            return Ok(());
        }
        self.one(&path, &found, gathered)?;
        // A write through a link changes the file behind the link.
        let led_to = path.canonicalize_utf8().ok().filter(|_| found.is_symlink());
        match led_to.and_then(|real| Some((fs::metadata(&real).ok()?, real))) {
            Some((found, real)) => self.one(&real, &found, gathered),
            None => Ok(()),
        }
    }

    /// The bytes of every file that a pattern matches.
    pub fn contents(&self, pattern: &str) -> Result<Loss> {
        let Some(search) = GlobSearch::new(pattern, false) else { return Ok(too_many()) };
        if !search.front.is_dir() {
            return Ok(Loss::Nothing);
        }
        let mut budget = MOST_COMPARED;
        let Some(found) = search.walk(&search.front, &mut budget)? else { return Ok(too_many()) };
        let mut gathered = Gathered::new(self.copies);
        for name in found {
            self.overwritten(&search.front.join(name), &mut gathered)?;
        }
        Ok(if gathered.many { too_many() } else { gathered.loss() })
    }

    /// The bytes of files in `into` that files of the same name in `from` overwrite.
    pub fn merged(&self, from: &Utf8Path, into: &Utf8Path, deep: bool) -> Result<Loss> {
        let mut gathered = Gathered::new(self.copies);
        let (mut left, mut budget) = (vec![Utf8PathBuf::new()], MOST_COMPARED);
        while let Some(folder) = left.pop() {
            let (source, place) = (from.join(&folder), into.join(&folder));
            if !source.is_dir() || !place.is_dir() {
                continue;
            }
            for entry in entries(&source)? {
                let Some(rest) = budget.checked_sub(1) else { return Ok(too_many()) };
                budget = rest;
                let name = folder.join(entry.file_name().unwrap_or_default());
                if deep && entry.is_dir() {
                    left.push(name.clone());
                }
                self.overwritten(&into.join(name), &mut gathered)?;
            }
        }
        Ok(if gathered.many { too_many() } else { gathered.loss() })
    }

    /// Files at and below an ignored path that no tool makes again.
    pub fn ignored(&self, path: &Utf8Path, gathered: &mut Gathered) -> Result<()> {
        let mut left = vec![path.to_owned()];
        while let Some(path) = left.pop() {
            let Ok(found) = fs::symlink_metadata(&path) else { continue };
            if !found.is_dir() {
                self.one(&path, &found, gathered)?;
            } else if !is_cache(&path) && !gathered.is_full() {
                let kept = entries(&path)?.into_iter();
                left.extend(kept.filter(|entry| !is_made_again(entry, &path)));
            } else if gathered.is_full() {
                gathered.many = true;
            }
        }
        Ok(())
    }
}

/// Whether a folder says of itself that programs fill it again.
fn is_cache(folder: &Utf8Path) -> bool {
    ["CACHEDIR.TAG", "pyvenv.cfg"].iter().any(|name| folder.join(name).is_file())
}

/// Whether a compiler or a packager made the file.
fn is_program(path: &Utf8Path, found: &Metadata) -> bool {
    if is_compiled(path.file_name().unwrap_or_default()) {
        return true;
    }
    let mut first = [0; 4];
    let executable = found.permissions().mode() & 0o111 != 0;
    let mut read =
        || crate::edge::file::open_to_read(path).and_then(|mut file| file.read_exact(&mut first)).is_ok();
    executable && read() && matches!(&first, b"\x7fELF" | b"\xcf\xfa\xed\xfe" | b"\xca\xfe\xba\xbe")
}
