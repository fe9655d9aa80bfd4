//! Edge: which content of a project's configuration a human trusts. Kept outside every repository.

use super::source::SourceStamp;
use super::{Environment, Error, LIMIT};
use crate::edge::file;
use crate::pure::text::digest;
use crate::pure::text::short_digest;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// The record for one project, held by content: another byte is another content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    pub stamp: SourceStamp,
    project: Utf8PathBuf,
    content: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Record {
    version: u32,
    project: Utf8PathBuf,
    content: String,
}

const VERSION: u32 = 1;

impl Trust {
    /// Reads the record. A record that cannot be read, or belongs to another project, trusts nothing.
    pub fn of(project: &Utf8Path, environment: &Environment) -> Self {
        let project = project.canonicalize_utf8().unwrap_or_else(|_| project.to_owned());
        let name = short_digest(project.as_str(), 16);
        let path = environment.data_home.join("trust").join(format!("{name}.json"));
        let stamp = SourceStamp::of(&path).unwrap_or(SourceStamp { path, state: None });
        let record = file::read(&stamp.path, LIMIT)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok());
        let content = record
            .filter(|record| record.version == VERSION && record.project == project)
            .map(|record| record.content);
        Self { stamp, project, content }
    }

    /// Whether a human trusts exactly this text.
    pub fn covers(&self, text: &str) -> bool {
        self.content.as_ref().is_some_and(|content| *content == digest(text))
    }

    /// Trusts this text, and no longer any other.
    pub fn grant(&self, text: &str) -> Result<(), Error> {
        let record = Record { version: VERSION, project: self.project.clone(), content: digest(text) };
        let path = &self.stamp.path;
        let written = serde_json::to_vec_pretty(&record).map_err(Into::into);
        let written = written.and_then(|bytes| file::replace(path, &bytes));
        written.map_err(|source| Error::Unwritable { path: path.clone(), source })
    }

    /// Whether there was anything to take back.
    pub fn withdraw(&self) -> Result<bool, Error> {
        match std::fs::remove_file(&self.stamp.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(Error::Unwritable { path: self.stamp.path.clone(), source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn place() -> (tempfile::TempDir, Utf8PathBuf, Environment) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let environment = Environment::at_home(&root.join("home"));
        let project = root.join("project");
        std::fs::create_dir(&project).unwrap();
        (directory, project, environment)
    }

    #[test]
    fn one_changed_byte_ends_the_trust() {
        let (_directory, project, environment) = place();
        Trust::of(&project, &environment).grant("a: 1\n").unwrap();
        let trust = Trust::of(&project, &environment);
        assert!(trust.covers("a: 1\n"));
        assert!(!trust.covers("a: 2\n"));
        assert!(!trust.covers("a: 1\n\n"));
    }

    #[test]
    fn trust_in_one_project_is_none_in_another() {
        let (_directory, project, environment) = place();
        Trust::of(&project, &environment).grant("a: 1\n").unwrap();
        let other = project.with_file_name("other");
        std::fs::create_dir(&other).unwrap();
        let trust = Trust::of(&other, &environment);
        assert!(!trust.covers("a: 1\n"));
        std::fs::copy(Trust::of(&project, &environment).stamp.path, trust.stamp.path).unwrap();
        assert!(!Trust::of(&other, &environment).covers("a: 1\n"));
    }

    #[test]
    fn a_corrupt_record_trusts_nothing_and_can_be_replaced() {
        let (_directory, project, environment) = place();
        let trust = Trust::of(&project, &environment);
        trust.grant("x").unwrap();
        for junk in [&b""[..], b"{", b"\xff\xff", b"{\"version\": 9, \"project\": \"\", \"content\": \"\"}"] {
            std::fs::write(&trust.stamp.path, junk).unwrap();
            assert!(!Trust::of(&project, &environment).covers("x"));
        }
        trust.grant("x").unwrap();
        assert!(Trust::of(&project, &environment).covers("x"));
    }

    #[test]
    fn the_record_is_private_and_can_be_withdrawn() {
        let (_directory, project, environment) = place();
        let trust = Trust::of(&project, &environment);
        assert!(!trust.withdraw().unwrap());
        trust.grant("x").unwrap();
        let mode = std::fs::metadata(&trust.stamp.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(trust.withdraw().unwrap());
        assert!(!Trust::of(&project, &environment).covers("x"));
    }
}
