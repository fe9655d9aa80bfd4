//! Whether bytes that were on disk can still be had: from a file, from git, from a checkpoint or from a copy.

use super::disk::{Disk, Thing, files};
use crate::context::TestContext;
use camino::Utf8PathBuf;
use plimsoll::app::checkpoints;
use plimsoll::edge::checkpoint::{Store, listing};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

impl TestContext {
    pub(super) fn disk(&self) -> Disk {
        files(self.project().as_std_path())
    }

    /// Paths of files whose bytes are nowhere any more.
    pub(super) fn lost_since(&self, before: &Disk) -> Vec<String> {
        let after = self.disk();
        let there: BTreeSet<&[u8]> = after.values().filter_map(bytes).collect();
        let gone: Vec<(&Vec<u8>, &[u8])> = before
            .iter()
            .filter_map(|(path, thing)| Some((path, bytes(thing)?)))
            // What was appended to is still there.
            .filter(|(_, bytes)| !bytes.is_empty() && !there.iter().any(|now| now.starts_with(bytes)))
            .collect();
        if gone.is_empty() {
            return Vec::new();
        }
        let (kept, copies) = (self.kept_in_checkpoints(), self.copies());
        let lost = gone.into_iter().filter(|(_, bytes)| {
            let id = self.object_id(bytes);
            !copies.contains(*bytes) && !kept.contains(&id) && !self.git_has(&id)
        });
        lost.map(|(path, _)| String::from_utf8_lossy(path).into_owned()).collect()
    }

    fn object_id(&self, bytes: &[u8]) -> String {
        let mut command = self.command("git");
        command.args(["hash-object", "--stdin", "--no-filters"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn git_has(&self, id: &str) -> bool {
        self.command("git").args(["cat-file", "-e", id]).output().unwrap().status.success()
    }

    /// The blobs of every checkpoint that is listed.
    fn kept_in_checkpoints(&self) -> BTreeSet<String> {
        let Some(store) = self.in_store(".git").first().and_then(|path| Store::existing(path)) else {
            return BTreeSet::new();
        };
        let all = checkpoints::list(&self.workspace()).unwrap();
        let trees: BTreeSet<_> = all.into_iter().map(|one| one.tree).collect();
        let blobs = trees.iter().flat_map(|tree| listing(&store, tree).unwrap());
        blobs.map(|(_, _, id)| id.to_string()).collect()
    }

    /// What copies of single files hold.
    fn copies(&self) -> BTreeSet<Vec<u8>> {
        let folders = self.in_store("").into_iter().map(|path| path.join("singles"));
        let entries = folders.filter_map(|folder| folder.read_dir_utf8().ok()).flatten();
        entries.map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect()
    }

    fn in_store(&self, ending: &str) -> Vec<Utf8PathBuf> {
        let folder = self.home().join(".local/share/plimsoll/checkpoints");
        let Ok(entries) = folder.read_dir_utf8() else { return Vec::new() };
        let paths = entries.map(|entry| entry.unwrap().into_path());
        paths.filter(|path| path.as_str().ends_with(ending)).collect()
    }
}

fn bytes(thing: &Thing) -> Option<&[u8]> {
    match thing {
        Thing::File { bytes, .. } => Some(bytes),
        Thing::Link(_) | Thing::Folder { .. } | Thing::Other => None,
    }
}
