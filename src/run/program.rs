//! Which file the first word of a command stands for.

use camino::{Utf8Path, Utf8PathBuf};
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;

/// The program's file: beside the directory if it is named by a path, else in the first folder of `path` that has it.
/// Folders that are not absolute do not count: what they hold depends on where one stands.
pub fn locate(program: &str, directory: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    let executable = |file: &Utf8PathBuf| {
        file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return Some(directory.join(program)).filter(executable);
    }
    let folders = path.split(':').map(Utf8Path::new).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program)).find(executable)
}

/// Says, without reading it, whether a file or folder is still the one it was; nothing if there is none.
pub fn identity(path: &Utf8Path) -> Option<String> {
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

    #[test]
    fn a_program_is_found_by_path_or_in_an_absolute_folder_only() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap();
        for (file, mode) in [("bin/tool", 0o755), ("other/tool", 0o755), ("plain/tool", 0o644)] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
            fs::set_permissions(root.join(file), Permissions::from_mode(mode)).unwrap();
        }
        let path = format!("bin:.::{root}/plain:{root}/other");
        assert_eq!(locate("tool", root, &path), Some(root.join("other/tool")));
        assert_eq!(locate("bin/tool", root, ""), Some(root.join("bin/tool")));
        assert_eq!(locate("plain/tool", root, ""), None);
        assert_eq!(locate("tool", root, "bin"), None);
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
