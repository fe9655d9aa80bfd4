//! Everything that lies in a folder, byte for byte.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Thing {
    File { bytes: Vec<u8>, mode: u32 },
    Link(Vec<u8>),
    Folder { mode: u32 },
    Other,
}

pub(super) type Disk = BTreeMap<Vec<u8>, Thing>;

/// The files, without what git keeps for itself.
pub(super) fn files(root: &Path) -> Disk {
    let mut disk = Disk::new();
    collect(root, b"", false, &mut disk);
    disk
}

/// All that git keeps for itself in there, without what Plimsoll keeps beside it.
pub(super) fn git(root: &Path) -> Disk {
    let mut disk = Disk::new();
    collect(root, b"", true, &mut disk);
    let in_git = |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name == b".git");
    let ours = |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name == b"plimsoll");
    disk.retain(|path, _| in_git(path) && !ours(path));
    disk
}

fn collect(root: &Path, folder: &[u8], with_git: bool, disk: &mut Disk) {
    for entry in fs::read_dir(root.join(OsStr::from_bytes(folder))).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_vec();
        if name == b".git" && !with_git {
            continue;
        }
        let path = if folder.is_empty() { name } else { [folder, b"/", &name].concat() };
        let place = root.join(OsStr::from_bytes(&path));
        let found = fs::symlink_metadata(&place).unwrap();
        let mode = found.permissions().mode() & 0o7777;
        let thing = if found.is_symlink() {
            Thing::Link(fs::read_link(&place).unwrap().into_os_string().into_vec())
        } else if found.is_dir() {
            collect(root, &path, with_git, disk);
            Thing::Folder { mode }
        } else if found.is_file() {
            Thing::File { bytes: fs::read(&place).unwrap(), mode }
        } else {
            Thing::Other
        };
        disk.insert(path, thing);
    }
}

/// Where the two differ, in words.
pub(super) fn difference(a: &Disk, b: &Disk) -> Vec<String> {
    let names: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
    let differ = names.into_iter().filter(|path| a.get(*path) != b.get(*path));
    let shown = |thing: Option<&Thing>| match thing {
        Some(Thing::File { bytes, mode }) => {
            format!("{mode:o} {:?}", String::from_utf8_lossy(bytes.get(..bytes.len().min(30)).unwrap()))
        }
        other => format!("{other:?}"),
    };
    differ
        .map(|path| {
            format!("{:?}: {} / {}", String::from_utf8_lossy(path), shown(a.get(path)), shown(b.get(path)))
        })
        .collect()
}
