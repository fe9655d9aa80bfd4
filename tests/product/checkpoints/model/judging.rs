//! What must hold after every step: what a checkpoint holds, and that nothing was lost.

use super::*;

impl World {
    /// What a checkpoint holds of each file.
    pub(super) fn held(&self, checkpoint: &Checkpoint) -> Disk {
        let (_, around) = checkpoints::surroundings(&self.workspace(), &checkpoint.id).unwrap();
        let store = self.store();
        let mut objects = StoreObjects::open(&store).unwrap();
        let listed = listing(&store, &checkpoint.tree).unwrap();
        let things = listed.into_iter().map(|(path, mode, id)| {
            let bytes = objects.read(&id).unwrap_or_else(|error| self.fail(&error));
            let thing = match mode {
                0o120_000 => Thing::Link(bytes),
                mode => Thing::File { bytes, mode: around.files.of(&path, mode & 0o111 != 0) },
            };
            (path.0, thing)
        });
        things.collect()
    }

    /// Everything on disk is in the checkpoint, or said to be left out, or ignored; and what is in it is right.
    pub(super) fn assert_complete(&self, id: &str, disk: &Disk) {
        let checkpoint = self.find(id);
        let held = self.held(&checkpoint);
        let (_, around) = checkpoints::surroundings(&self.workspace(), id).unwrap();
        let unseen = around.unseen();
        for (path, thing) in disk {
            match (thing, held.get(path)) {
                (Thing::Folder { .. }, None) => {}
                (_, Some(kept)) => {
                    assert_eq!(kept, thing, "{:?}\n{}", String::from_utf8_lossy(path), self.log.join("\n"))
                }
                // One that stands in for a later look does not know what is ignored since.
                (_, None) => assert!(
                    unseen.holds(&GitPath(path.clone())) || self.is_ignored(path),
                    "{:?} is not in {id}\n{}",
                    String::from_utf8_lossy(path),
                    self.log.join("\n")
                ),
            }
            let name = path.rsplit(|byte| *byte == b'/').next().unwrap();
            let large = matches!(thing, Thing::File { bytes, .. } if bytes.len() > 5 * 1024 * 1024);
            // What a build makes is not looked through for keys.
            let made = path.starts_with(b"build/");
            if name == b".env" && !made && matches!(thing, Thing::File { .. }) && !large {
                assert!(
                    held.contains_key(path),
                    "{:?}\n{}",
                    String::from_utf8_lossy(path),
                    self.log.join("\n")
                );
            }
        }
        assert!(held.keys().all(|path| disk.contains_key(path)), "{}", self.log.join("\n"));
    }

    /// As git itself says.
    pub(super) fn is_ignored(&self, path: &[u8]) -> bool {
        let place = self.place(path);
        let mut around = place.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.project));
        let own = around.find(|folder| folder.join(".git").exists());
        let worktree = Utf8Path::from_path(own.unwrap_or(self.project.as_std_path())).unwrap();
        let mut command = git_command(worktree);
        if own.is_none() {
            command.env("GIT_DIR", self.store().path()).env("GIT_WORK_TREE", worktree);
        }
        command.args(["check-ignore", "-q", "--no-index", "--"]).arg(place).status().unwrap().success()
    }

    pub(super) fn assert_nothing_left(
        &self,
        how: &RestoreOptions,
        session: Option<&str>,
        id: &str,
        restored: &Restored,
    ) {
        let again = how.plan(&self.workspace(), session, id).unwrap();
        let left: Vec<_> = again.doing(how.force).map(|item| item.path.clone()).collect();
        let failed: BTreeSet<_> = restored.failed.iter().map(|(path, _)| path.clone()).collect();
        assert!(left.iter().all(|path| failed.contains(path)), "{left:?}\n{}", self.log.join("\n"));
    }

    /// What is not what it was is in the checkpoint of before.
    pub(super) fn assert_nothing_lost(&self, disk: &Disk, restored: &Restored) {
        let now = self.disk();
        let gone = disk.iter().filter(|(path, thing)| now.get(*path) != Some(*thing));
        let gone: Vec<_> = gone.filter(|(_, thing)| !matches!(thing, Thing::Folder { .. })).collect();
        if gone.is_empty() {
            return;
        }
        let before =
            restored.before.as_ref().unwrap_or_else(|| panic!("no checkpoint\n{}", self.log.join("\n")));
        let held = self.held(&self.find(before));
        for (path, thing) in gone {
            assert_eq!(
                held.get(path),
                Some(thing),
                "{:?} is lost\n{}",
                String::from_utf8_lossy(path),
                self.log.join("\n")
            );
        }
    }

    /// What was not kept is what it was then.
    pub(super) fn assert_restored(&self, target: &Checkpoint, restored: &Restored, paths: &[GitPath]) {
        if !paths.is_empty() {
            return;
        }
        let now = self.disk();
        let excused: BTreeSet<&[u8]> = restored
            .kept
            .iter()
            .map(|item| item.path.0.as_slice())
            .chain(restored.failed.iter().map(|(path, _)| path.0.as_slice()))
            .collect();
        let then = self.held(target);
        if let Some(taken) = self.taken.get(&target.id) {
            for (path, thing) in &then {
                assert_eq!(taken.get(path), Some(thing), "{}", self.log.join("\n"));
            }
        }
        for (path, thing) in then.iter().filter(|(path, _)| !excused.contains(path.as_slice())) {
            assert_eq!(
                now.get(path),
                Some(thing),
                "{:?}\n{}",
                String::from_utf8_lossy(path),
                self.log.join("\n")
            );
        }
    }

    /// At the end every checkpoint that is listed can be read and is what it was.
    pub(in super::super) fn assert_everything_readable(&self) {
        for checkpoint in checkpoints::list(&self.workspace()).unwrap() {
            let held = self.held(&checkpoint);
            if let Some(taken) = self.taken.get(&checkpoint.id) {
                for (path, thing) in &held {
                    assert_eq!(taken.get(path), Some(thing), "{}", self.log.join("\n"));
                }
            }
        }
        assert!(checkpoints::unreadable(&self.workspace()).unwrap().is_empty());
    }
}
