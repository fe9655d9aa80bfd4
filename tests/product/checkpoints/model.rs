//! A world of random trees and histories, and what must hold after every step of one.

mod judging;

use super::dice::Dice;
use super::disk::{Disk, Thing, difference, files, git};
use super::workspace;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::checkpoints::{self, Checkpoint, CheckpointReason, RestoreOptions, Restored};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::checkpoint::{Store, StoreObjects, listing};
use plimsoll::pure::review::GitPath;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

const NAMES: [&[u8]; 30] = [
    b"a", b"b.txt", b"dir/c", b"dir/d.txt", b"dir/deep/er/e", b"dir/deep/f", b"new\nline", b"\xff\xfe.bin",
    b" space ", b"-dash", b":colon", b"quo\"te", b"back\\slash", b"*.glob", b".env", b"x.log", b"dir/y.log",
    b"build/out.o", b"build/.env", b"build/deep/app.sqlite", b"nested/n", b"nested/dir/m", b"nested/z.log",
    b"other/in/side", b".gitattributes", b"\xc3\xbcmlaut", b"tab\there", b"run.sh", b"~tilde",
    b"a b/c d/e f",
];
const FOLDERS: [&[u8]; 6] = [b"empty", b"dir/empty", b"dir", b"build", b"nested", b"other"];
const IGNORE: [&str; 4] = ["*.log\nbuild/\n.env\n", "*.log\n!y.log\n.env\n", "dir\n", ""];
const ATTRIBUTES: [&str; 4] = [
    "* text=auto eol=crlf\n",
    "*.txt text eol=lf\na filter=upper\n",
    "* working-tree-encoding=UTF-16\n",
    "* ident\n",
];

/// One project with its history.
pub(super) struct World {
    _directory: tempfile::TempDir,
    home: Utf8PathBuf,
    project: Utf8PathBuf,
    dice: Dice,
    /// What was on disk when a checkpoint was taken.
    taken: BTreeMap<String, Disk>,
    log: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let (home, mut project) = (root.join("home"), root.join("project"));
        for folder in [&home, &project] {
            fs::create_dir(folder).unwrap();
        }
        let mut dice = Dice::new(seed);
        let kind = dice.roll(10);
        let mut log = vec![format!("seed {seed}, kind {kind}")];
        match kind {
            0 | 1 => {}
            2 => run(&project, &["init", "-q"]),
            3 => {
                run(&project, &["init", "-q"]);
                fs::create_dir(project.join("nested")).unwrap();
                // A repository without a commit inside the other.
                run(&project.join("nested"), &["init", "-q"]);
            }
            4 => {
                let library = root.join("library");
                fs::create_dir(&library).unwrap();
                repository(&library);
                repository(&project);
                run(
                    &project,
                    &[
                        "-c",
                        "protocol.file.allow=always",
                        "submodule",
                        "--quiet",
                        "add",
                        library.as_str(),
                        "nested",
                    ],
                );
            }
            5 => {
                repository(&project);
                run(&project, &["worktree", "add", "-q", "../linked"]);
                project = root.join("linked");
            }
            6 => {
                repository(&project);
                fs::create_dir_all(project.join("nested")).unwrap();
                repository(&project.join("nested"));
                fs::write(project.join(".gitignore"), IGNORE[0]).unwrap();
            }
            _ => {
                repository(&project);
                fs::write(project.join(".gitignore"), IGNORE[dice.roll(IGNORE.len())]).unwrap();
                fs::write(project.join("a"), "stashed\n").unwrap();
                run(&project, &["stash", "-q"]);
            }
        }
        let mut world =
            Self { _directory: directory, home, project, dice, taken: BTreeMap::new(), log: Vec::new() };
        world.log.append(&mut log);
        for _ in 0..world.dice.roll(8) + 2 {
            world.change();
        }
        world
    }

    fn workspace(&self) -> Workspace {
        workspace(&self.home, &self.project)
    }

    fn disk(&self) -> Disk {
        files(self.project.as_std_path())
    }

    fn git(&self) -> Disk {
        git(self.project.parent().unwrap().as_std_path())
    }

    fn say(&mut self, text: impl Into<String>) {
        self.log.push(text.into());
    }

    fn assert_same(&self, a: &Disk, b: &Disk, what: &str) {
        let differ = difference(a, b);
        assert!(differ.is_empty(), "{what}\n{}\n{}", differ.join("\n"), self.log.join("\n"));
    }

    /// One random thing happens to the history.
    pub(super) fn step(&mut self) {
        match self.dice.roll(16) {
            0..=3 => self.take(),
            4..=8 => {
                for _ in 0..self.dice.roll(4) + 1 {
                    self.change();
                }
            }
            9..=11 => self.restore(),
            12 => self.undo(),
            13 => self.tool_writes(),
            14 => self.two_at_once(),
            _ => self.user_does_something_to_git(),
        }
    }

    fn place(&self, name: &[u8]) -> PathBuf {
        self.project.as_std_path().join(OsStr::from_bytes(name))
    }

    fn change(&mut self) {
        let name = self.dice.pick(&NAMES).to_vec();
        let place = self.place(&name);
        let choice = self.dice.roll(13);
        self.say(format!("change {choice} {}", String::from_utf8_lossy(&name)));
        let made = place.parent().map(|parent| fs::create_dir_all(parent).is_ok()) == Some(true);
        match choice {
            0..=4 if made => {
                let size = self.dice.roll(40);
                let letter = b'a' + self.dice.roll(26) as u8;
                let mut bytes = vec![letter; size];
                bytes.extend_from_slice([&b"\n"[..], b"\r\n", b"\0\xff", b"$Id$\n"][self.dice.roll(4)]);
                if name == b".gitattributes" {
                    bytes = ATTRIBUTES[self.dice.roll(4)].into();
                }
                let _ = fs::write(&place, bytes);
            }
            5 => drop(fs::remove_file(&place)),
            6 => {
                let target =
                    self.dice.pick(&[&b"a"[..], b"/etc/passwd", b"no/where", b"dir", b"\xff"]).to_vec();
                let _ = fs::remove_file(&place);
                let _ = std::os::unix::fs::symlink(OsStr::from_bytes(&target), &place);
            }
            7 => {
                let mode = *self.dice.pick(&[0o755, 0o644, 0o444, 0o600, 0o400, 0o777]);
                if fs::symlink_metadata(&place).is_ok_and(|found| found.is_file()) {
                    fs::set_permissions(&place, Permissions::from_mode(mode)).unwrap();
                }
            }
            8 => {
                let folder = self.dice.pick(&FOLDERS).to_vec();
                let _ = fs::create_dir_all(self.place(&folder));
            }
            9 => {
                let folder = self.dice.pick(&FOLDERS).to_vec();
                if self.dice.roll(2) == 0 {
                    let _ = fs::remove_dir_all(self.place(&folder));
                }
            }
            10 => {
                // A folder takes the place of a file, or the other way round.
                let _ = fs::remove_file(&place);
                let _ = fs::remove_dir_all(&place);
                let _ = fs::create_dir(&place);
                let _ = fs::write(place.join("inside"), "inside\n");
            }
            11 if self.dice.roll(3) == 0 => {
                let rules = IGNORE[self.dice.roll(IGNORE.len())];
                fs::write(self.place(b".gitignore"), rules).unwrap();
            }
            12 if self.dice.roll(4) == 0 && made => {
                // Over the limit, and next to nothing on the disk.
                if let Ok(file) = fs::File::create(&place) {
                    file.set_len(6 * 1024 * 1024).unwrap();
                }
            }
            _ => {
                let to = self.dice.pick(&NAMES).to_vec();
                let _ = fs::rename(&place, self.place(&to));
            }
        }
    }

    pub(super) fn take(&mut self) {
        let (disk, git) = (self.disk(), self.git());
        let session = if self.dice.roll(3) == 0 { "other" } else { "one" };
        let why = [
            CheckpointReason::FirstChange,
            CheckpointReason::BeforeStep("x".into()),
            CheckpointReason::Person(None),
        ][self.dice.roll(3)]
        .clone();
        let taken =
            checkpoints::take(&self.workspace(), session, why).unwrap_or_else(|error| self.fail(&*error));
        self.say(format!("take {} as {session}, reused {}", taken.id, taken.reused));
        self.assert_same(&disk, &self.disk(), "a checkpoint changed files");
        self.assert_same(&git, &self.git(), "a checkpoint changed what git keeps");
        self.assert_complete(&taken.id, &disk);
        if !taken.reused {
            self.taken.insert(taken.id, disk);
        }
    }

    fn fail(&self, error: &dyn std::error::Error) -> ! {
        panic!("{error}: {:?}\n{}", error.source(), self.log.join("\n"))
    }

    fn store(&self) -> Store {
        let checkpoints = self.home.join(".local/share/plimsoll/checkpoints");
        let mut entries = checkpoints.read_dir_utf8().unwrap().map(Result::unwrap);
        let path = entries.find(|entry| entry.file_name().ends_with(".git")).unwrap().into_path();
        Store::existing(&path).unwrap()
    }

    fn find(&self, id: &str) -> Checkpoint {
        let mut all = checkpoints::list(&self.workspace()).unwrap().into_iter();
        all.find(|one| one.id == id).unwrap_or_else(|| panic!("no {id}\n{}", self.log.join("\n")))
    }

    fn restore(&mut self) {
        let all = checkpoints::list(&self.workspace()).unwrap();
        if all.is_empty() {
            return self.take();
        }
        let target = self.dice.pick(&all).clone();
        let force = self.dice.roll(3) != 0;
        let paths = match self.dice.roll(4) {
            0 => vec![GitPath(self.dice.pick(&NAMES).to_vec()), GitPath::new("dir")],
            _ => Vec::new(),
        };
        let session = [None, Some("one"), Some("other")][self.dice.roll(3)];
        self.say(format!("restore {} force {force} paths {paths:?} as {session:?}", target.id));
        let (disk, git) = (self.disk(), self.git());
        let how = RestoreOptions { force, paths: paths.clone() };
        let restored = checkpoints::restore(&self.workspace(), session, &target.id, how.clone());
        let restored = restored.unwrap_or_else(|error| self.fail(&*error));
        self.say(format!("{restored:?}"));
        self.assert_same(&git, &self.git(), "a restore changed what git keeps");
        self.assert_nothing_lost(&disk, &restored);
        self.assert_restored(&target, &restored, &paths);
        // Where other rules hold now, files may be seen that were not seen before.
        let rules = b".gitignore".as_slice();
        if disk.get(rules) == self.disk().get(rules) {
            self.assert_nothing_left(&how, session, &target.id, &restored);
        }
        if let Some(before) = &restored.before {
            self.taken.insert(before.clone(), disk.clone());
            if self.dice.roll(2) == 0 {
                self.undo_and_redo(&disk);
            }
        }
    }

    fn undo_and_redo(&mut self, before: &Disk) {
        let restored = self.disk();
        for (expected, what) in [(before, "undo"), (&restored, "undo of the undo")] {
            let git = self.git();
            let done = checkpoints::undo(&self.workspace()).unwrap_or_else(|error| self.fail(&*error));
            self.say(format!("{what}: {done:?}"));
            assert!(done.kept.is_empty() && done.failed.is_empty(), "{}", self.log.join("\n"));
            self.assert_same(expected, &self.disk(), what);
            self.assert_same(&git, &self.git(), "an undo changed what git keeps");
        }
    }

    fn undo(&mut self) {
        let disk = self.disk();
        match checkpoints::undo(&self.workspace()) {
            Ok(restored) => {
                self.say(format!("undo {restored:?}"));
                self.assert_nothing_lost(&disk, &restored);
            }
            Err(error) => {
                self.say(format!("undo: {error}"));
                self.assert_same(&disk, &self.disk(), "an undo that failed changed files");
            }
        }
    }

    /// A file is copied before a tool of the client writes it.
    fn tool_writes(&mut self) {
        let texts: Vec<&str> = NAMES.iter().filter_map(|name| std::str::from_utf8(name).ok()).collect();
        let name = (*self.dice.pick(&texts)).to_owned();
        let path = self.project.join(&name);
        let session = if self.dice.roll(2) == 0 { "one" } else { "other" };
        self.say(format!("{session} writes {name}"));
        if fs::create_dir_all(path.parent().unwrap()).is_err() {
            return;
        }
        checkpoints::keep_file(&self.workspace(), session, &path).unwrap_or_else(|error| self.fail(&*error));
        let _ = fs::write(&path, format!("by {session} {}\n", self.dice.roll(1000)));
    }

    fn two_at_once(&mut self) {
        let disk = self.disk();
        let taken = std::thread::scope(|scope| {
            let take = |session: &'static str| {
                let (home, project) = (self.home.clone(), self.project.clone());
                scope.spawn(move || {
                    let taken = checkpoints::take(
                        &workspace(&home, &project),
                        session,
                        CheckpointReason::FirstChange,
                    );
                    taken.map(|taken| taken.id).map_err(|error| error.to_string())
                })
            };
            [take("one"), take("other")].map(|thread| thread.join().unwrap())
        });
        for id in taken {
            let id = id.unwrap_or_else(|error| panic!("{error}\n{}", self.log.join("\n")));
            self.say(format!("at once {id}"));
            self.assert_complete(&id, &disk);
            self.taken.entry(id).or_insert_with(|| disk.clone());
        }
    }

    fn user_does_something_to_git(&mut self) {
        let has_git = self.project.join(".git").exists();
        match self.dice.roll(4) {
            0 if has_git => {
                self.say("gc");
                run(&self.project, &["gc", "--prune=now", "-q"]);
            }
            1 if has_git => {
                self.say("no git any more");
                let dot_git = self.project.join(".git");
                let _ = fs::remove_dir_all(&dot_git);
                let _ = fs::remove_file(&dot_git);
            }
            2 if has_git => {
                self.say("commit");
                let _ = git_command(&self.project).args(["add", "-A"]).output();
                let _ =
                    git_command(&self.project).args(["commit", "-q", "-m", "x", "--allow-empty"]).output();
            }
            _ => {
                self.say("prune");
                checkpoints::prune(&self.workspace()).unwrap_or_else(|error| self.fail(&*error));
            }
        }
    }
}

fn repository(path: &Utf8Path) {
    run(path, &["init", "-q", "-b", "main"]);
    fs::write(path.join("a"), "first\n").unwrap();
    fs::create_dir_all(path.join("dir")).unwrap();
    fs::write(path.join("dir/c"), "c\r\n").unwrap();
    run(path, &["add", "-A"]);
    run(path, &["commit", "-q", "-m", "first"]);
}

fn git_command(path: &Utf8Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(path).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.invalid"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.invalid"),
    ] {
        command.env(name, value);
    }
    command
}

fn run(path: &Utf8Path, arguments: &[&str]) {
    let output = git_command(path).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}
