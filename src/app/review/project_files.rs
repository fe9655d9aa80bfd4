//! Reads the manifests of a project, bounded, once.

use crate::edge::file;
use crate::pure::project::{Manifest, Manifests};
use crate::pure::review::Pair;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// No honest manifest is larger.
const LIMIT: u64 = 1024 * 1024;

/// Only files that are part of the content count: a manifest that git ignores could say anything. Whatever cannot be read is named,
/// not left out: it must not look like a project without checks.
pub(crate) fn read(root: &Utf8Path, files: &[Pair]) -> Manifests {
    let files: BTreeSet<String> = files.iter().map(|file| file.path.to_string()).collect();
    let wanted = Manifests::wanted(&files);
    let read = |path: &String| match leads_out(root, path, &files) {
        true => Manifest::Unreadable("a link that leads out of the content".into()),
        false => text(&root.join(path)),
    };
    let texts: BTreeMap<String, Manifest> =
        wanted.texts.into_iter().map(|path| (path.clone(), read(&path))).collect();
    let local = wanted.local.into_iter().filter(|path| root.join(path).exists()).collect();
    Manifests::new(files, texts, local)
}

/// Whether a link makes this another file than the content has.
fn leads_out(root: &Utf8Path, path: &str, files: &BTreeSet<String>) -> bool {
    let (Ok(real), Ok(root)) = (root.join(path).canonicalize_utf8(), root.canonicalize_utf8()) else {
        return false;
    };
    real.strip_prefix(root).map_or(true, |inside| !files.contains(inside.as_str()))
}

fn text(path: &Utf8Path) -> Manifest {
    match file::read_text(path, LIMIT) {
        Ok(text) => Manifest::Text(text),
        Err(error) => Manifest::Unreadable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package_json(prepare: impl FnOnce(&Utf8Path)) -> Manifest {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap().join("package.json");
        prepare(&path);
        text(&path)
    }

    #[test]
    fn a_link_may_lead_to_another_file_of_the_content_and_nowhere_else() {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap();
        std::fs::write(root.join("Makefile.ignored"), "lint:\n\ttrue\n").unwrap();
        std::fs::write(root.join("build.mk"), "lint:\n\ttrue\n").unwrap();
        for (target, out) in [("Makefile.ignored", true), ("/etc/hostname", true), ("build.mk", false)] {
            std::os::unix::fs::symlink(target, root.join("Makefile")).unwrap();
            let files = ["Makefile", "build.mk"].map(String::from).into();
            assert_eq!(leads_out(root, "Makefile", &files), out, "{target}");
            std::fs::remove_file(root.join("Makefile")).unwrap();
        }
    }

    #[test]
    fn a_manifest_that_is_no_readable_file_is_told_apart_from_one_that_is() {
        assert_eq!(package_json(|path| std::fs::write(path, "{}").unwrap()), Manifest::Text("{}".into()));
        let directory = package_json(|path| std::fs::create_dir(path).unwrap());
        assert_eq!(directory, Manifest::Unreadable("it is not a regular file".into()));
        let huge = package_json(|path| std::fs::write(path, " ".repeat(2 * 1024 * 1024)).unwrap());
        assert_eq!(huge, Manifest::Unreadable("it is larger than 1048576 bytes".into()));
        for broken in [
            package_json(|_| {}),
            package_json(|path| std::fs::write(path, b"\xff").unwrap()),
            package_json(|path| std::os::unix::fs::symlink("nowhere", path).unwrap()),
        ] {
            assert!(matches!(broken, Manifest::Unreadable(_)));
        }
    }
}
