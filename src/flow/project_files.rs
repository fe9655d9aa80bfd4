//! Reads what the top of a project looks like, bounded, once.

use crate::project::{Manifest, Manifests};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};

/// No honest manifest is larger.
const LIMIT: u64 = 1024 * 1024;

/// Whatever cannot be read is named, not left out: it must not look like a project without checks.
pub(super) fn read(root: &Utf8Path) -> Manifests {
    match names(root) {
        Ok(names) => {
            let package_json = if names.contains("package.json") {
                text(&root.join("package.json"))
            } else {
                Manifest::Absent
            };
            Manifests { names, package_json }
        }
        Err(error) => Manifests {
            package_json: Manifest::Unreadable(format!("cannot list {root}: {error}")),
            ..Manifests::default()
        },
    }
}

fn names(root: &Utf8Path) -> io::Result<BTreeSet<String>> {
    root.read_dir()?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

fn text(path: &Utf8Path) -> Manifest {
    let read = || -> io::Result<Option<String>> {
        // Opening a pipe would wait for a writer.
        if !path.metadata()?.is_file() {
            return Ok(None);
        }
        let mut text = String::new();
        File::open(path)?.take(LIMIT + 1).read_to_string(&mut text)?;
        Ok(Some(text))
    };
    match read() {
        Ok(Some(text)) if text.len() as u64 > LIMIT => {
            Manifest::Unreadable(format!("larger than {LIMIT} bytes"))
        }
        Ok(Some(text)) => Manifest::Text(text),
        Ok(None) => Manifest::Unreadable("not a regular file".into()),
        Err(error) => Manifest::Unreadable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package_json(prepare: impl FnOnce(&Utf8Path)) -> Manifest {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap();
        prepare(&root.join("package.json"));
        read(root).package_json
    }

    #[test]
    fn a_manifest_that_is_no_readable_file_is_told_apart_from_none() {
        assert_eq!(package_json(|_| {}), Manifest::Absent);
        assert_eq!(package_json(|path| std::fs::write(path, "{}").unwrap()), Manifest::Text("{}".into()));
        let directory = package_json(|path| std::fs::create_dir(path).unwrap());
        assert_eq!(directory, Manifest::Unreadable("not a regular file".into()));
        let huge = package_json(|path| std::fs::write(path, " ".repeat(2 * 1024 * 1024)).unwrap());
        assert_eq!(huge, Manifest::Unreadable("larger than 1048576 bytes".into()));
        for broken in [
            package_json(|path| std::fs::write(path, b"\xff").unwrap()),
            package_json(|path| std::os::unix::fs::symlink("nowhere", path).unwrap()),
            read(Utf8Path::new("/no/such/directory")).package_json,
        ] {
            assert!(matches!(broken, Manifest::Unreadable(_)));
        }
    }
}
