//! A project and a home of its own, for the tests of this room.

use super::Environment;
use camino::Utf8PathBuf;
use std::fs;

pub(super) struct ConfigFixture {
    _directory: tempfile::TempDir,
    pub root: Utf8PathBuf,
    pub environment: Environment,
    /// Where the compiled settings go; its folder is not there yet.
    pub copy: Utf8PathBuf,
}

impl ConfigFixture {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let root = base.join("project");
        fs::create_dir_all(root.join(".claude/config")).unwrap();
        let environment = Environment::at_home(&base.join("home"));
        fs::create_dir_all(&environment.config_home).unwrap();
        Self { _directory: directory, root, environment, copy: base.join("state/config.bin") }
    }

    pub fn user(&self, text: &str) {
        fs::write(self.environment.user_file(), text).unwrap();
    }

    pub fn project(&self, text: &str) {
        fs::write(self.root.join(".claude/config/review-config.yaml"), text).unwrap();
    }
}
