//! One repository in the project, or the project without one: what it ignores, and what it tracks all the same.

use super::excluded::{ARGUMENTS, Excluded};
use super::folder::joined;
use super::git::{in_worktree, printed};
use super::place::{common_dir, git_dir};
use super::stat::Stat;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const MOST_NAMES: u64 = 256 * 1024 * 1024;

/// What was known about a repository at the last look.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct SeenRoot {
    pub(super) path: Vec<u8>,
    /// Files beside the ignore files of the worktree that decide what is ignored.
    rules: Vec<Option<Stat>>,
    index: Option<Stat>,
    /// Ignored by a rule, but tracked; relative to the project.
    tracked: Vec<Vec<u8>>,
}

pub(super) struct Root {
    pub(super) seen: SeenRoot,
    worktree: PathBuf,
    git_dir: Option<PathBuf>,
    store: PathBuf,
    process: Option<Excluded>,
    /// Something that decides what is ignored has changed: nothing that was known about that counts.
    pub(super) rules_changed: bool,
    tracked: HashSet<Vec<u8>>,
    tracked_folders: HashSet<Vec<u8>>,
}

impl Root {
    pub(super) fn open(project: &Path, path: &[u8], store: &Path, known: Option<&SeenRoot>) -> Self {
        let worktree = project.join(OsStr::from_bytes(path));
        let git_dir = git_dir(&worktree);
        let (mut rules, mut index) = (Vec::new(), None);
        if let Some(git_dir) = &git_dir {
            let common = common_dir(git_dir);
            rules = vec![stat(&common.join("info/exclude")), stat(&common.join("config"))];
            rules.extend(personal_rules().map(|path| stat(&path)));
            index = stat(&git_dir.join("index"));
        }
        let mut root = Self {
            seen: SeenRoot { path: path.to_vec(), rules, index, tracked: Vec::new() },
            worktree,
            git_dir,
            store: store.to_owned(),
            process: None,
            rules_changed: false,
            tracked: HashSet::new(),
            tracked_folders: HashSet::new(),
        };
        root.rules_changed = known.is_none_or(|known| known.rules != root.seen.rules);
        match known.filter(|known| !root.rules_changed && known.index == root.seen.index) {
            Some(known) => root.set_tracked(known.tracked.clone()),
            None => root.look_up_tracked(),
        }
        root
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
    pub(super) fn look_up_tracked(&mut self) {
        let Some(git_dir) = &self.git_dir else { return };
        let arguments = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
        let listed = printed(in_worktree(git_dir, &self.worktree, &arguments), "ls-files", MOST_NAMES);
        let listed = listed.unwrap_or_default();
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        self.set_tracked(names.map(|name| joined(&self.seen.path, name)).collect());
    }

    fn set_tracked(&mut self, tracked: Vec<Vec<u8>>) {
        self.tracked_folders = folders_above(tracked.iter().map(Vec::as_slice));
        self.tracked = tracked.iter().cloned().collect();
        self.seen.tracked = tracked;
    }

    /// For each path, relative to the project, whether a rule ignores it.
    pub(super) fn ignored(&mut self, paths: &[Vec<u8>]) -> std::io::Result<Vec<bool>> {
        let cut = if self.seen.path.is_empty() { 0 } else { self.seen.path.len() + 1 };
        let inside: Vec<Vec<u8>> =
            paths.iter().map(|path| path.get(cut..).unwrap_or_default().to_vec()).collect();
        if let Some(process) = &mut self.process {
            return process.ask(&inside);
        }
        // A repository that git cannot read still has its ignore files.
        let choices = self.git_dir.iter().chain([&self.store]).cloned().collect::<Vec<_>>();
        let mut failure = std::io::ErrorKind::NotFound.into();
        for git_dir in choices {
            let started = Excluded::start(in_worktree(&git_dir, &self.worktree, &ARGUMENTS));
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
