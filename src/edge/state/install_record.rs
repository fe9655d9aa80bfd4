//! The record of files installed into the projects of a repository. It lies outside the repository, so that nothing in it can
//! claim to be a file of ours.

use super::error::Error;
use super::layout::Homes;
use super::store::{files_in, read_json_in_place, remove, write_json_of_files};
use crate::pure::review::{GitPath, InstalledFiles, Side, as_place};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

const VERSION: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InstallRecord {
    pub version: u64,
    /// The project that was installed into: the worktree, or a folder below it.
    #[serde(serialize_with = "as_place")]
    pub project: Utf8PathBuf,
    pub files: Vec<InstalledFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InstalledFile {
    /// From the root of the worktree.
    pub path: GitPath,
    /// Each content that was installed there.
    pub sides: Vec<Side>,
}

impl InstallRecord {
    pub fn new(project: &Utf8Path, files: Vec<InstalledFile>) -> Self {
        Self { version: VERSION, project: project.to_owned(), files }
    }

    #[cfg(feature = "cli")]
    pub fn of(homes: &Homes, common_dir: &Utf8Path, project: &Utf8Path) -> Result<Option<Self>, Error> {
        read_json_in_place(&homes.install_record(common_dir, project), VERSION)
    }

    /// Of all projects in the repository. A damaged record is an error: content could not be compared.
    pub fn all(homes: &Homes, common_dir: &Utf8Path) -> Result<Vec<Self>, Error> {
        let records = files_in(&homes.install_records(common_dir))?;
        let is_record = |path: &Utf8PathBuf| path.extension() == Some("json");
        let read = records.into_iter().filter(is_record).map(|path| read_json_in_place(&path, VERSION));
        read.filter_map(Result::transpose).collect()
    }

    /// The files of all projects in the repository.
    pub fn files(homes: &Homes, common_dir: &Utf8Path) -> Result<InstalledFiles, Error> {
        let mut files = InstalledFiles::default();
        for record in Self::all(homes, common_dir)? {
            record.files.into_iter().for_each(|file| files.add(file.path, file.sides));
        }
        Ok(files)
    }

    pub fn write(&self, homes: &Homes, common_dir: &Utf8Path) -> Result<(), Error> {
        write_json_of_files(&homes.install_record(common_dir, &self.project), self)
    }

    pub fn remove(homes: &Homes, common_dir: &Utf8Path, project: &Utf8Path) -> Result<(), Error> {
        remove(&homes.install_record(common_dir, project))
    }
}
