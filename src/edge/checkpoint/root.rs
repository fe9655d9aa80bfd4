//! One repository in the project, or the project without one: what it ignores, and what it tracks all the same.

use super::folder::joined;
use super::ignore_check::{ARGUMENTS, IgnoreCheck};
use super::pace::Pace;
use super::place::{common_dir, git_dir};
use super::stat::Stat;
use crate::edge::git::GitCommand;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

const MOST_NAMES: usize = 256 * 1024 * 1024;
/// The time that git needs to list a very large index.
const LISTING: Duration = Duration::from_secs(5);

/// The state of a repository at the last capture.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct SeenRoot {
    pub(super) path: Vec<u8>,
    /// Files beside the ignore files of the worktree that decide what is ignored.
    rules: Vec<Option<Stat>>,
    index: Option<Stat>,
    /// Ignored by a rule, but tracked; relative to the project.
    tracked: Vec<Vec<u8>>,
    /// Folders whose ignore file is one that git would wait at, relative to the project.
    pub(super) stuck: Vec<Vec<u8>>,
}

pub(super) struct Root {
    pub(super) seen: SeenRoot,
    worktree: PathBuf,
    git_dir: Option<PathBuf>,
    store: PathBuf,
    process: Option<IgnoreCheck>,
    /// The rules about ignored files have changed, so earlier answers no longer count.
    pub(super) rules_changed: bool,
    /// A file that git reads for every question is a pipe or a device. git would wait for it, so git is not asked.
    silent: bool,
    tracked: HashSet<Vec<u8>>,
    tracked_folders: HashSet<Vec<u8>>,
}

impl Root {
    pub(super) fn open(
        project: &Path,
        path: &[u8],
        store: &Path,
        known: Option<&SeenRoot>,
        pace: &Pace<'_>,
    ) -> Self {
        let worktree = project.join(OsStr::from_bytes(path));
        let git_dir = git_dir(&worktree);
        let (mut rules, mut index) = (Vec::new(), None);
        let mut silent = personal_rules().any(|path| is_stuck(&path));
        if let Some(git_dir) = &git_dir {
            let common = common_dir(git_dir);
            let own = [common.join("info/exclude"), common.join("config")];
            let more = [git_dir.join("config.worktree"), git_dir.join("index")];
            silent |= own.iter().chain(&more).any(|path| is_stuck(path));
            rules = own.iter().map(|path| stat(path)).collect();
            rules.extend(personal_rules().map(|path| stat(&path)));
            index = stat(&git_dir.join("index"));
        }
        let stuck: Vec<Vec<u8>> =
            known.iter().flat_map(|known| &known.stuck).chain([&path.to_vec()]).cloned().collect();
        let ignore_file = |folder: &[u8]| project.join(OsStr::from_bytes(&joined(folder, b".gitignore")));
        let stuck: Vec<_> = stuck.into_iter().filter(|folder| is_stuck(&ignore_file(folder))).collect();
        let mut root = Self {
            seen: SeenRoot { path: path.to_vec(), rules, index, tracked: Vec::new(), stuck },
            worktree,
            git_dir,
            store: store.to_owned(),
            process: None,
            rules_changed: false,
            silent,
            tracked: HashSet::new(),
            tracked_folders: HashSet::new(),
        };
        root.rules_changed = known.is_none_or(|known| known.rules != root.seen.rules);
        if let Some(known) = known {
            root.set_tracked(known.tracked.clone());
        }
        if root.rules_changed || known.is_none_or(|known| known.index != root.seen.index) {
            root.look_up_tracked(pace);
        }
        root
    }

    /// From here on git is not asked about what needs the rules of this folder.
    pub(super) fn note_stuck(&mut self, folder: &[u8]) {
        if !self.seen.stuck.iter().any(|known| known == folder) {
            self.seen.stuck.push(folder.to_vec());
        }
    }

    pub(super) fn is_silent(&self) -> bool {
        self.silent
    }

    pub(super) fn has_git(&self) -> bool {
        self.git_dir.is_some()
    }

    /// Whether the repository has it although a rule ignores it.
    pub(super) fn tracks(&self, path: &[u8]) -> bool {
        self.tracked.contains(path)
    }

    pub(super) fn tracks_below(&self, folder: &[u8]) -> bool {
        self.tracked_folders.contains(folder) || self.tracked.contains(folder)
    }

    /// An ignore file changed: what is tracked in spite of the rules may be something else now.
    pub(super) fn look_up_tracked(&mut self, pace: &Pace<'_>) {
        let Some(git_dir) = self.git_dir.as_ref().filter(|_| !self.silent && self.seen.stuck.is_empty())
        else {
            return;
        };
        let arguments = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
        let command = self.git(git_dir, arguments, pace);
        let Ok(names) = command.limit(MOST_NAMES).names() else {
            // The known index stays, and the next capture asks again.
            self.seen.index = None;
            return;
        };
        self.set_tracked(names.iter().map(|name| joined(&self.seen.path, name)).collect());
    }

    fn git<const N: usize>(&self, git_dir: &Path, arguments: [&str; N], pace: &Pace<'_>) -> GitCommand {
        let command = GitCommand::in_repository(git_dir, &self.worktree, std::env::vars_os(), arguments);
        command.deadline(pace.patience().min(LISTING))
    }

    fn set_tracked(&mut self, tracked: Vec<Vec<u8>>) {
        self.tracked_folders = folders_above(tracked.iter().map(Vec::as_slice));
        self.tracked = tracked.iter().cloned().collect();
        self.seen.tracked = tracked;
    }

    /// For each path, relative to the project, whether a rule ignores it.
    pub(super) fn ignored(&mut self, paths: &[Vec<u8>], pace: &Pace<'_>) -> std::io::Result<Vec<bool>> {
        let cut = if self.seen.path.is_empty() { 0 } else { self.seen.path.len() + 1 };
        let inside: Vec<Vec<u8>> =
            paths.iter().map(|path| path.get(cut..).unwrap_or_default().to_vec()).collect();
        // One that was not asked for long may be gone.
        if let Some(Ok(answers)) = self.process.as_mut().map(|process| process.ask(&inside)) {
            return Ok(answers);
        }
        self.process = None;
        // A repository that git cannot read still has its ignore files.
        let choices = self.git_dir.iter().chain([&self.store]).cloned().collect::<Vec<_>>();
        let mut failure = std::io::ErrorKind::NotFound.into();
        for git_dir in choices {
            let started = IgnoreCheck::start(self.git(&git_dir, ARGUMENTS, pace));
            match started.and_then(|mut process| Ok((process.ask(&inside)?, process))) {
                Ok((answers, process)) => {
                    self.process = Some(process);
                    return Ok(answers);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

/// Every folder around these paths, without the project itself.
pub(super) fn folders_above<'a>(paths: impl Iterator<Item = &'a [u8]>) -> HashSet<Vec<u8>> {
    let mut folders = HashSet::new();
    for path in paths {
        let mut rest = path;
        while let Some(slash) = rest.iter().rposition(|byte| *byte == b'/') {
            rest = rest.get(..slash).unwrap_or_default();
            if !folders.insert(rest.to_vec()) {
                break;
            }
        }
    }
    folders
}

/// Whether whoever opens it to read may wait for somebody.
pub(super) fn waits(found: &Metadata) -> bool {
    let kind = found.file_type();
    let null = || fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == found.rdev());
    kind.is_fifo() || kind.is_block_device() || (kind.is_char_device() && !null())
}

fn is_stuck(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| waits(&found))
}

fn stat(path: &Path) -> Option<Stat> {
    fs::metadata(path).ok().map(|found| Stat::of(&found))
}

/// Where the user's own rules usually are.
fn personal_rules() -> impl Iterator<Item = PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let own = home.into_iter().map(|home| home.join(".gitconfig"));
    own.chain(config.into_iter().flat_map(|config| [config.join("git/config"), config.join("git/ignore")]))
}
