//! Which repositories a person bound to the gate. Recorded outside the repository, so that nothing in it can unbind it.

use super::error::Error;
use super::layout::Homes;
use super::store::{read_json_in_place, remove, write_json};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

const VERSION: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolment {
    pub version: u64,
    /// Random; receipts carry it.
    pub repository: String,
    pub common_dir: Utf8PathBuf,
    pub time: String,
    /// The git hook that was there before ours and is called first.
    pub chained_hook: Option<Utf8PathBuf>,
}

impl Enrolment {
    pub fn new(common_dir: &Utf8Path, time: String) -> Result<Self, Error> {
        let repository = repository_id(common_dir)?;
        Ok(Self { version: VERSION, repository, common_dir: common_dir.to_owned(), time, chained_hook: None })
    }

    /// A damaged record is an error, again and again: without it a bound repository would look free.
    pub fn of(homes: &Homes, common_dir: &Utf8Path) -> Result<Option<Self>, Error> {
        read_json_in_place(&homes.enrolment(common_dir), VERSION)
    }

    pub fn write(&self, homes: &Homes) -> Result<(), Error> {
        write_json(&homes.enrolment(&self.common_dir), self)
    }

    pub fn remove(homes: &Homes, common_dir: &Utf8Path) -> Result<(), Error> {
        remove(&homes.enrolment(common_dir))
    }
}

/// A new id for a repository.
pub fn repository_id(common_dir: &Utf8Path) -> Result<String, Error> {
    super::seal::random_token().map_err(Error::read(common_dir))
}
