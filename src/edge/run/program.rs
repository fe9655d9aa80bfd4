//! Finds the file of a program.

use camino::{Utf8Path, Utf8PathBuf};
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;

/// Where a program is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramSearch<'a> {
    /// The directory of the command.
    pub directory: &'a Utf8Path,
    /// The value of `PATH`.
    pub path: &'a str,
    /// Folders in here come last: whatever is installed into the project could otherwise pass for `make` or `cargo`.
    pub project: Option<&'a Utf8Path>,
}

impl ProgramSearch<'_> {
    /// The program's file: seen from the directory if it is named by a path, else in the first folder that has it. Folders that
    /// are not absolute do not count: what they hold depends on where one stands.
    pub fn locate(&self, program: &str) -> Option<Utf8PathBuf> {
        let executable = |file: &Utf8PathBuf| {
            file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.mode() & 0o111 != 0)
        };
        if program.contains('/') {
            return Some(self.directory.join(program)).filter(executable);
        }
        let within = |folder: &&Utf8Path| self.project.is_some_and(|project| folder.starts_with(project));
        let folders = self.path.split(':').map(Utf8Path::new).filter(|folder| folder.is_absolute());
        let (inside, outside): (Vec<_>, Vec<_>) = folders.partition(within);
        outside.into_iter().chain(inside).map(|folder| folder.join(program)).find(executable)
    }
}

/// Says, without reading it, whether a file or folder is still the one it was; nothing if there is none.
pub(crate) fn identity(path: &Utf8Path) -> Option<String> {
    let real = path.canonicalize_utf8().ok()?;
    let metadata = real.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    Some(format!("{real} {modified} {} {}", metadata.len(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    fn folder_with(files: &[(&str, u32)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (file, mode) in files {
            let file = directory.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(*mode)).unwrap();
        }
        directory
    }

    #[test]
    fn a_program_is_found_by_path_or_in_an_absolute_folder_only() {
        let directory = folder_with(&[("bin/tool", 0o755), ("other/tool", 0o755), ("plain/tool", 0o644)]);
        let root = Utf8Path::from_path(directory.path()).unwrap();
        let locate = |program: &str, path: &str| {
            ProgramSearch { directory: root, path, project: None }.locate(program)
        };
        let path = format!("bin:.::{root}/plain:{root}/other");
        assert_eq!(locate("tool", &path), Some(root.join("other/tool")));
        assert_eq!(locate("bin/tool", ""), Some(root.join("bin/tool")));
        assert_eq!(locate("plain/tool", ""), None);
        assert_eq!(locate("tool", "bin"), None);
    }

    #[test]
    fn what_lies_in_the_project_does_not_pass_for_a_program_of_the_machine() {
        let directory = folder_with(&[
            ("project/node_modules/.bin/make", 0o755),
            ("project/node_modules/.bin/eslint", 0o755),
            ("usr/bin/make", 0o755),
        ]);
        let root = Utf8Path::from_path(directory.path()).unwrap();
        let project = root.join("project");
        let path = format!("{project}/node_modules/.bin:{root}/usr/bin");
        let search = ProgramSearch { directory: &project, path: &path, project: Some(&project) };
        assert_eq!(search.locate("make"), Some(root.join("usr/bin/make")));
        assert_eq!(search.locate("eslint"), Some(project.join("node_modules/.bin/eslint")));
    }

    #[test]
    fn a_file_that_was_replaced_has_another_identity() {
        let directory = tempfile::tempdir().unwrap();
        let file = Utf8Path::from_path(directory.path()).unwrap().join("tool");
        assert_eq!(identity(&file), None);
        fs::write(&file, "one").unwrap();
        let before = identity(&file);
        assert_eq!(identity(&file), before);
        fs::write(&file, "other").unwrap();
        assert_ne!(identity(&file), before);
    }
}
