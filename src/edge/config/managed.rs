//! Settings of the machine, which an administrator writes and every user's client reads.

use crate::edge::file::folder::entries;
use camino::{Utf8Path, Utf8PathBuf};

const FILE: &str = "managed-settings.json";
const DROP_INS: &str = "managed-settings.d";
/// The client reads these after the file of the administrator, in the order of their names.
const OWN: &str = "50-plimsoll.json";
const PROGRAMS: &str = "/usr/local/lib/plimsoll";
const LINK: &str = "/usr/local/bin/plimsoll";

/// Where a managed installation lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedPlaces {
    /// The client's folder of the machine.
    folder: Utf8PathBuf,
    /// Programs and records, as users see them.
    pub programs: Utf8PathBuf,
    pub link: Utf8PathBuf,
    root: Utf8PathBuf,
}

impl ManagedPlaces {
    pub fn of_system() -> Self {
        Self::below(Utf8Path::new("/"))
    }

    /// In the image of a system that has `root` as its root.
    pub fn below(root: &Utf8Path) -> Self {
        let folder = match cfg!(target_os = "macos") {
            true => "/Library/Application Support/ClaudeCode",
            false => "/etc/claude-code",
        };
        Self { folder: folder.into(), programs: PROGRAMS.into(), link: LINK.into(), root: root.to_owned() }
    }

    /// Where a path of the system lies in the image.
    pub fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.root.join(path.as_str().trim_start_matches('/'))
    }

    /// Our settings. Beside those of the administrator, so that these stay untouched.
    pub fn settings(&self) -> Utf8PathBuf {
        self.real(&self.folder.join(DROP_INS).join(OWN))
    }

    /// Commands, agents and skills for everybody.
    pub fn claude(&self) -> Utf8PathBuf {
        self.real(&self.folder.join(".claude"))
    }

    pub fn hooks(&self) -> Utf8PathBuf {
        self.programs.join("hooks")
    }

    /// All settings files of the machine, the weakest first.
    pub fn files(&self) -> Vec<Utf8PathBuf> {
        let folder = self.real(&self.folder);
        let is_settings = |path: &Utf8PathBuf| {
            path.extension() == Some("json") && path.file_name().is_some_and(|name| !name.starts_with('.'))
        };
        let mut drop_ins: Vec<Utf8PathBuf> =
            entries(&folder.join(DROP_INS)).into_iter().filter(is_settings).collect();
        drop_ins.sort();
        std::iter::once(folder.join(FILE)).chain(drop_ins).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drop_ins_follow_the_file_in_the_order_of_their_names() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap();
        let places = ManagedPlaces::below(root);
        let own = places.settings();
        let folder = own.parent().unwrap();
        std::fs::create_dir_all(folder).unwrap();
        for name in
            ["90-b.json", "10-a.json", "readme.md", ".hidden.json", "50-plimsoll.json.plimsoll-backup"]
        {
            std::fs::write(folder.join(name), "{}").unwrap();
        }
        std::fs::write(&own, "{}").unwrap();
        let names: Vec<String> =
            places.files().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["managed-settings.json", "10-a.json", "50-plimsoll.json", "90-b.json"]);
    }
}
