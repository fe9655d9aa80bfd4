//! Which file on disk is git: the first one on `PATH` that lies in an absolute folder outside the project.

use crate::edge::run::ProgramSearch;
use camino::{Utf8Path, Utf8PathBuf};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

/// Found once for each process: `PATH` and the file.
static FOUND: OnceLock<(String, Utf8PathBuf)> = OnceLock::new();

/// The git that this process starts for `project`.
#[cfg(feature = "cli")]
pub fn program(project: &Utf8Path) -> io::Result<Utf8PathBuf> {
    locate(&std::env::var_os("PATH").unwrap_or_default().to_string_lossy(), project)
}

/// The same on a `PATH` that the caller names.
pub(super) fn locate(path: &str, project: &Utf8Path) -> io::Result<Utf8PathBuf> {
    // A project around the user's home holds every program that the user installed.
    let home = std::env::var("HOME").unwrap_or_default();
    let in_project =
        |file: &Utf8Path| file.starts_with(project) && !Utf8Path::new(&home).starts_with(project);
    if let Some((known, file)) = FOUND.get()
        && known == path
        && !in_project(file)
    {
        return Ok(file.clone());
    }
    let search = ProgramSearch { directory: project, path, project: Some(project) };
    let found = search.locate("git").ok_or(io::ErrorKind::NotFound)?;
    if in_project(&found) {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("{found} lies in the project")));
    }
    let _ = FOUND.set((path.to_owned(), found.clone()));
    Ok(found)
}

/// Whether a program is git: by its name behind links, its inode, or its bytes. A name without a folder is searched on `PATH`.
/// `None` if there is no such file.
pub(crate) fn is_git(program: &Utf8Path, project: &Utf8Path) -> Option<bool> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = path.to_string_lossy();
    let program = match program.as_str().contains('/') {
        true => program.to_owned(),
        false => ProgramSearch { directory: project, path: &path, project: None }.locate(program.as_str())?,
    };
    let real = program.canonicalize_utf8().ok()?;
    if real.file_name().is_some_and(|name| name == "git" || name.starts_with("git-")) {
        return Some(true);
    }
    let found = std::fs::metadata(&real).ok()?;
    let git = locate(&path, project).ok()?;
    let known = std::fs::metadata(&git).ok()?;
    Some(found.len() == known.len() && (found.ino() == known.ino() || same_bytes(&real, &git)))
}

/// Programs are compared only if they have the same size, which hardly any two have.
fn same_bytes(one: &Utf8Path, other: &Utf8Path) -> bool {
    const LARGEST: u64 = 64 * 1024 * 1024;
    let [one, other] = [one, other].map(|path| crate::edge::file::read(path, LARGEST));
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn git_is_never_taken_from_the_project_or_from_a_relative_folder() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap();
        let project = root.join("project");
        for folder in ["project/bin", "usr/bin"].map(|folder| root.join(folder)) {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("git"), "").unwrap();
            fs::set_permissions(folder.join("git"), Permissions::from_mode(0o755)).unwrap();
        }
        let both = format!("bin:.:{project}/bin:{root}/usr/bin");
        assert_eq!(locate(&both, &project).unwrap(), root.join("usr/bin/git"));
        assert_eq!(locate(&both, &root.join("usr")).unwrap(), project.join("bin/git"), "another project");
        let error = locate(&format!("bin:{project}/bin"), &project).unwrap_err();
        assert!(error.to_string().contains("lies in the project"), "{error}");
        assert_eq!(locate("bin:.", &project).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
