//! Which repositories a person enrolled. Recorded outside the repository, so that nothing in the repository can end it.
//!
//! A mark inside travels with a repository that is moved or copied, where its record no longer finds it.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::store::{read_json_in_place, remove, write_atomic, write_json};
use crate::pure::review::as_place;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

const VERSION: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolment {
    pub version: u64,
    /// The id that the repository had before; receipts carry it.
    pub repository: String,
    #[serde(serialize_with = "as_place")]
    pub common_dir: Utf8PathBuf,
    pub time: String,
    /// The git hook that carries the gate. Repositories with one `core.hooksPath` share it.
    #[serde(default, serialize_with = "as_place")]
    pub hook: Utf8PathBuf,
    /// The git hook that was there before ours and is called after it.
    pub chained_hook: Option<Utf8PathBuf>,
}

impl Enrolment {
    pub fn new(common_dir: &Utf8Path, time: String) -> Self {
        Self {
            version: VERSION,
            repository: StateLayout::in_repository(common_dir).repository_id(),
            common_dir: common_dir.to_owned(),
            time,
            hook: Utf8PathBuf::new(),
            chained_hook: None,
        }
    }

    /// A damaged record is an error, again and again, and so is a mark without a record: a bound repository would look
    /// free.
    pub fn of(homes: &Homes, common_dir: &Utf8Path) -> Result<Option<Self>, Error> {
        let path = homes.enrolment(common_dir);
        match read_json_in_place(&path, VERSION)? {
            None if mark(common_dir).exists() => {
                Err(Error::Unrecorded { repository: common_dir.to_owned(), path })
            }
            found => Ok(found),
        }
    }

    pub fn write(&self, homes: &Homes) -> Result<(), Error> {
        write_json(&homes.enrolment(&self.common_dir), self)?;
        write_atomic(&mark(&self.common_dir), format!("{}\n", self.repository).as_bytes())
    }

    pub fn remove(homes: &Homes, common_dir: &Utf8Path) -> Result<(), Error> {
        remove(&mark(common_dir))?;
        remove(&homes.enrolment(common_dir))
    }

    /// The git directories of all enrolled repositories. A record that cannot be read is an error: it may be of one.
    pub fn repositories(homes: &Homes) -> Result<Vec<Utf8PathBuf>, Error> {
        let listed = records(homes)?.into_iter().map(|path| read_json_in_place::<Self>(&path, VERSION));
        let found: Vec<Option<Self>> = listed.collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().map(|record| record.common_dir).collect())
    }

    /// Whether another repository relies on this git hook. A record that cannot be read may be one that does.
    pub fn others_need(homes: &Homes, hook: &Utf8Path, common_dir: &Utf8Path) -> Result<bool, Error> {
        let own = homes.enrolment(common_dir);
        let needs = |path: &Utf8PathBuf| match read_json_in_place::<Self>(path, VERSION) {
            Ok(record) => record.is_some_and(|record| record.hook == hook),
            Err(_) => true,
        };
        Ok(records(homes)?.iter().any(|path| *path != own && needs(path)))
    }
}

/// The records of all enrolled repositories.
fn records(homes: &Homes) -> Result<Vec<Utf8PathBuf>, Error> {
    let folder = homes.enrolments();
    let entries = match folder.read_dir_utf8() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::read(&folder))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        found.push(entry.map_err(Error::read(&folder))?.into_path());
    }
    found.retain(|path| path.extension() == Some("json"));
    Ok(found)
}

fn mark(common_dir: &Utf8Path) -> Utf8PathBuf {
    StateLayout::in_repository(common_dir).enrolment_mark()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Utf8PathBuf, Homes) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let homes = Homes::new(&root.join("data"));
        (directory, root, homes)
    }

    fn bound(homes: &Homes, common_dir: &Utf8Path, hook: &str) -> Enrolment {
        let enrolment =
            Enrolment { hook: hook.into(), ..Enrolment::new(common_dir, "2026-01-28T10:30:00Z".into()) };
        enrolment.write(homes).unwrap();
        enrolment
    }

    #[test]
    fn a_mark_without_its_record_is_an_error_until_a_person_settles_it() {
        let (_directory, root, homes) = place();
        let enrolment = bound(&homes, &root.join("git"), "/hook");
        assert_eq!(Enrolment::of(&homes, &root.join("git")).unwrap(), Some(enrolment));
        std::fs::rename(root.join("git"), root.join("moved")).unwrap();
        for _ in 0..2 {
            assert!(matches!(Enrolment::of(&homes, &root.join("moved")), Err(Error::Unrecorded { .. })));
        }
        Enrolment::remove(&homes, &root.join("moved")).unwrap();
        assert_eq!(Enrolment::of(&homes, &root.join("moved")).unwrap(), None);
    }

    #[test]
    fn a_hook_is_needed_as_long_as_another_record_names_it_or_cannot_be_read() {
        let (_directory, root, homes) = place();
        let need = |hook: &str| Enrolment::others_need(&homes, hook.into(), &root.join("one")).unwrap();
        assert!(!need("/hook"));
        bound(&homes, &root.join("one"), "/hook");
        assert!(!need("/hook"));
        bound(&homes, &root.join("two"), "/hook");
        assert!(need("/hook") && !need("/other"));
        std::fs::write(homes.enrolment(&root.join("two")), "garbage").unwrap();
        assert!(need("/other"));
    }
}
