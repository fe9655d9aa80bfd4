//! One settings file on disk, with a backup of the text before our change.

use super::{
    backup::Backup,
    whole_file::{Error, delete, read, target, write},
};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::pure::client::registration::{self, Form};

/// The change to the file.
pub(crate) enum FileChange {
    Nothing,
    Write(String),
    Delete,
}

pub(crate) struct SettingsFile {
    /// The file, with symbolic links resolved.
    path: Utf8PathBuf,
    /// Next to the given path, so that a linked dotfile repository stays clean.
    backup_path: Utf8PathBuf,
    text: Option<String>,
    backup: Option<Backup>,
}

impl SettingsFile {
    pub(crate) fn open(named: &Utf8Path) -> Result<Self, Error> {
        Self::with_backup(named, "plimsoll-backup")
    }

    /// Each part of the settings that we edit has a backup of its own.
    pub(crate) fn with_backup(named: &Utf8Path, suffix: &str) -> Result<Self, Error> {
        let path = target(named)?;
        let text = read(&path)?;
        let backup_path = Utf8PathBuf::from(format!("{named}.{suffix}"));
        let backup = read(&backup_path)?
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|source| Error::Backup { path: backup_path.clone(), source })?;
        Ok(Self { path, backup_path, text, backup })
    }

    /// Whether the file is ours as a whole: we created it, and nobody changed it since.
    pub(crate) fn is_ours(&self) -> bool {
        let created = self.backup.as_ref().filter(|backup| backup.before.is_none());
        self.text.as_ref().is_some_and(|text| created.is_some_and(|backup| backup.has_written(text)))
    }

    pub(crate) fn addition(&self, form: &Form) -> Result<FileChange, Error> {
        self.edited(|before| registration::add(before, form))
    }

    pub(crate) fn edited(
        &self,
        edit: impl FnOnce(&str) -> Result<String, registration::Error>,
    ) -> Result<FileChange, Error> {
        let before = self.text.as_deref().unwrap_or_default();
        let after = edit(before).map_err(|reason| self.content(reason))?;
        Ok(if self.text.as_ref() == Some(&after) { FileChange::Nothing } else { FileChange::Write(after) })
    }

    pub(crate) fn removal(&self) -> Result<FileChange, Error> {
        self.restored(registration::remove)
    }

    /// The text before our change where nobody else changed the file since, and otherwise what `remove` makes of it.
    pub(crate) fn restored(
        &self,
        remove: impl FnOnce(&str, Option<&str>) -> Result<String, registration::Error>,
    ) -> Result<FileChange, Error> {
        let Some(text) = &self.text else { return Ok(FileChange::Nothing) };
        let before = self.backup.as_ref().and_then(|backup| backup.before.as_deref());
        if self.backup.as_ref().is_some_and(|backup| backup.has_written(text)) {
            return Ok(before.map_or(FileChange::Delete, |before| FileChange::Write(before.to_owned())));
        }
        let after = remove(text, before).map_err(|reason| self.content(reason))?;
        let created = self.backup.is_some() && before.is_none();
        Ok(match after.trim() {
            _ if after == *text => FileChange::Nothing,
            "{}" if created => FileChange::Delete,
            _ => FileChange::Write(after),
        })
    }

    /// Carries out an addition. Writes the backup first, so that a failure never loses the old text.
    pub(crate) fn put_in(self, change: &FileChange) -> Result<(), Error> {
        let registered = |text| registration::registered(text).is_ok_and(|ours| !ours.is_empty());
        let ours = self.text.as_deref().is_some_and(registered);
        self.write(change, ours)
    }

    /// The same for another part of the settings: it is there already if there is a backup of the text before it.
    pub(crate) fn put_part_in(self, change: &FileChange) -> Result<(), Error> {
        let ours = self.backup.is_some();
        self.write(change, ours)
    }

    fn write(self, change: &FileChange, ours: bool) -> Result<(), Error> {
        let FileChange::Write(after) = change else { return Ok(()) };
        let current = self.text.as_deref();
        let backup = match self.backup.clone() {
            Some(backup) if ours => Some(backup.followed_by(current.unwrap_or_default(), after)),
            // No backup: the entries came with a commit, and removing them gives the original text.
            None if ours => None,
            Some(_) | None => Some(Backup::new(current, after)),
        };
        if let Some(backup) = backup {
            let record = serde_json::to_string_pretty(&backup)
                .map_err(|source| Error::Backup { path: self.backup_path.clone(), source })?;
            write(&self.backup_path, &format!("{record}\n"), &self.path)?;
        }
        self.ensure_unchanged()?;
        write(&self.path, after, &self.path)
    }

    /// Carries out a removal.
    pub(crate) fn take_out(self, change: &FileChange) -> Result<(), Error> {
        self.ensure_unchanged()?;
        match change {
            FileChange::Nothing => {}
            FileChange::Write(after) => write(&self.path, after, &self.path)?,
            FileChange::Delete => delete(&self.path)?,
        }
        delete(&self.backup_path)
    }

    fn ensure_unchanged(&self) -> Result<(), Error> {
        if read(&self.path)? == self.text { Ok(()) } else { Err(Error::Raced { path: self.path.clone() }) }
    }

    fn content(&self, reason: registration::Error) -> Error {
        Error::Content { path: self.path.clone(), reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    const BEFORE: &str = "{\n    \"model\": \"opus\"\n}";

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn with(text: &str) -> Self {
            let folder = Self(tempfile::tempdir().unwrap());
            fs::write(folder.file(), text).unwrap();
            folder
        }

        fn file(&self) -> Utf8PathBuf {
            Utf8PathBuf::try_from(self.0.path().join("settings.json")).unwrap()
        }

        fn text(&self) -> String {
            fs::read_to_string(self.file()).unwrap()
        }

        fn add(&self) {
            let file = SettingsFile::open(&self.file()).unwrap();
            let change = file.addition(&Form::ProjectLauncher).unwrap();
            file.put_in(&change).unwrap();
        }

        fn remove(&self) {
            let file = SettingsFile::open(&self.file()).unwrap();
            let change = file.removal().unwrap();
            file.take_out(&change).unwrap();
        }

        fn names(&self) -> usize {
            fs::read_dir(self.0.path()).unwrap().count()
        }
    }

    #[test]
    fn removal_gives_back_the_very_bytes_and_mode() {
        let folder = Folder::with(BEFORE);
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o640)).unwrap();
        folder.add();
        folder.add();
        assert_eq!(fs::metadata(folder.file()).unwrap().permissions().mode() & 0o777, 0o640);
        folder.remove();
        assert_eq!((folder.text().as_str(), folder.names()), (BEFORE, 1));
        assert_eq!(fs::metadata(folder.file()).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_file_that_we_created_is_deleted_again() {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.add();
        folder.remove();
        assert_eq!(folder.names(), 0);
    }

    #[test]
    fn what_somebody_else_changed_since_is_kept_even_after_adding_again() {
        let folder = Folder::with(BEFORE);
        folder.add();
        fs::write(
            folder.file(),
            folder.text().replace("opus", "sonnet").replace("timeout\": 60", "timeout\": 1"),
        )
        .unwrap();
        folder.add();
        assert!(!folder.text().contains("\"timeout\": 1,"));
        folder.remove();
        assert_eq!(folder.text(), BEFORE.replace("opus", "sonnet"));
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = Folder::with(BEFORE);
        let link = Utf8PathBuf::try_from(folder.0.path().join("link.json")).unwrap();
        std::os::unix::fs::symlink("settings.json", &link).unwrap();
        let file = SettingsFile::open(&link).unwrap();
        let change = file.addition(&Form::ProjectLauncher).unwrap();
        file.put_in(&change).unwrap();
        assert!(link.is_symlink());
        assert!(folder.text().contains("plimsoll/launch"));
        fs::remove_file(folder.file()).unwrap();
        assert!(SettingsFile::open(&link).err().unwrap().to_string().contains("symbolic link"));
    }

    #[test]
    fn unfit_files_are_refused_and_left_alone() {
        let folder = Folder::with(BEFORE);
        let told = || SettingsFile::open(&folder.file()).err().unwrap().to_string();
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o444)).unwrap();
        assert!(told().contains("read-only"), "{}", told());
        fs::remove_file(folder.file()).unwrap();
        fs::write(folder.file(), b"{\"a\": \"\xff\"}").unwrap();
        assert!(told().contains("not UTF-8"), "{}", told());
        fs::write(folder.file(), " ".repeat(5 << 20)).unwrap();
        assert!(told().contains("4 MiB"), "{}", told());
        fs::remove_file(folder.file()).unwrap();
        fs::create_dir(folder.file()).unwrap();
        assert!(told().contains("not a regular file"), "{}", told());
    }

    #[test]
    fn a_change_between_reading_and_writing_is_not_overwritten() {
        let folder = Folder::with(BEFORE);
        let file = SettingsFile::open(&folder.file()).unwrap();
        let change = file.addition(&Form::ProjectLauncher).unwrap();
        fs::write(folder.file(), "{}").unwrap();
        assert!(matches!(file.put_in(&change), Err(Error::Raced { .. })));
        assert_eq!(folder.text(), "{}");
    }
}
