//! The files whose content a call takes away, and the sessions that lose lines in them.

use super::claim::Claims;
use crate::pure::step::effect::{Addressed, Effect, IgnoredFiles, Losing, Loss, Target, each_in};
use crate::pure::step::known::Known;
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::survey::Survey;
use camino::{Utf8Path, Utf8PathBuf};
use std::ops::Range;

/// A git command that takes every change along, whoever made it: into a stash, into the index, into a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    pub repository: Addressed,
    /// At and below these paths; everywhere if there are none.
    pub paths: Vec<Utf8PathBuf>,
    /// Files that git does not track too.
    pub untracked: bool,
    /// The files leave the worktree. Otherwise they stay, and a file that is named itself is meant.
    pub removes: bool,
    /// Begins a sentence: `git stash would put away`.
    pub how: &'static str,
    pub span: Range<usize>,
}

/// Whether git knows a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tracking {
    Tracked,
    Untracked,
    Ignored,
}

/// A file with changes that no commit holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileState {
    pub tracking: Tracking,
    /// `None` if it could not be read.
    pub now: Option<Vec<u8>>,
    /// Its content in the last commit.
    pub held: Vec<u8>,
}

/// Files that lose what is in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Taking<'a> {
    File(&'a Utf8Path),
    /// A folder with everything in it.
    Tree(&'a Utf8Path),
    Matching(String),
    Merged {
        from: &'a Utf8Path,
        into: &'a Utf8Path,
    },
    Tracked {
        repository: &'a Addressed,
        paths: &'a [Utf8PathBuf],
    },
    Untracked {
        repository: &'a Addressed,
        paths: &'a [Utf8PathBuf],
        ignored: IgnoredFiles,
    },
    Swept(&'a Sweep),
}

impl<'a> Taking<'a> {
    /// `None` if the effect takes no bytes of files, or of files that only the run will know.
    pub fn of(effect: &'a Effect, known: &Known) -> Option<Self> {
        match effect {
            Effect::Delete { target, recursive } => Self::of_target(target, *recursive),
            Effect::Replace { target } => Self::of_target(target, false),
            Effect::Merge { from, into, .. } => Some(Self::Merged { from, into }),
            // A word that names a branch is no path.
            Effect::Discard { losing: losing @ Losing::Named { .. }, .. }
                if known.losses.get(losing) == Some(&Loss::Nothing) =>
            {
                None
            }
            Effect::Discard { losing, .. } => Self::of_losing(losing),
            _ => None,
        }
    }

    fn of_target(target: &'a Target, recursive: bool) -> Option<Self> {
        match target {
            Target::Path(path) if recursive => Some(Self::Tree(path)),
            Target::Path(path) => Some(Self::File(path)),
            Target::Inside(path) if recursive => Some(Self::Tree(path)),
            Target::Inside(path) => Some(Self::Matching(each_in(path))),
            Target::Matching(pattern) => Some(Self::Matching(pattern.clone())),
            Target::Below(_) | Target::Unknown => None,
        }
    }

    fn of_losing(losing: &'a Losing) -> Option<Self> {
        match losing {
            Losing::Path { path, recursive: false } | Losing::Content(path) => Some(Self::File(path)),
            Losing::Path { path, .. } | Losing::Inside(path) | Losing::Worktree { path, .. } => {
                Some(Self::Tree(path))
            }
            Losing::Contents(pattern) | Losing::Matching { pattern, .. } => {
                Some(Self::Matching(pattern.clone()))
            }
            Losing::Merged { from, into, .. } => Some(Self::Merged { from, into }),
            Losing::Changes { repository, paths } => Some(Self::Tracked { repository, paths }),
            Losing::Named { repository, path, .. } => {
                Some(Self::Tracked { repository, paths: std::slice::from_ref(path) })
            }
            Losing::Untracked { repository, paths, ignored, .. } => {
                Some(Self::Untracked { repository, paths, ignored: *ignored })
            }
            Losing::Branch { .. } | Losing::Stash { .. } | Losing::History { .. } => None,
        }
    }

    /// The repository in whose worktree it takes place.
    pub fn repository(&self) -> Option<&'a Addressed> {
        match self {
            Self::Tracked { repository, .. } | Self::Untracked { repository, .. } => Some(repository),
            Self::Swept(sweep) => Some(&sweep.repository),
            Self::File(_) | Self::Tree(_) | Self::Matching(_) | Self::Merged { .. } => None,
        }
    }

    /// Whether it may take the file at `path`. `exists` answers for the files of a folder that is copied.
    fn reaches(&self, path: &Utf8Path, exists: &dyn Fn(&Utf8Path) -> bool) -> bool {
        match self {
            Self::File(file) => path == *file,
            Self::Tree(folder) => path.starts_with(folder),
            Self::Matching(pattern) => {
                let pattern = PathPattern::new(pattern);
                path.ancestors().any(|path| pattern.matches(path))
            }
            Self::Merged { from, into } => {
                path.strip_prefix(into).is_ok_and(|rest| rest != "" && exists(&from.join(rest)))
            }
            Self::Tracked { paths, .. } | Self::Untracked { paths, .. } => is_among(path, paths),
            Self::Swept(sweep) => {
                let named = !sweep.removes && sweep.paths.iter().any(|named| named == path);
                !named && is_among(path, &sweep.paths)
            }
        }
    }

    fn takes(&self, tracking: Tracking) -> bool {
        match (self, tracking) {
            (Self::File(_) | Self::Tree(_) | Self::Matching(_) | Self::Merged { .. }, _)
            | (Self::Tracked { .. } | Self::Swept(_), Tracking::Tracked) => true,
            (Self::Swept(sweep), Tracking::Untracked) => sweep.untracked,
            (Self::Untracked { ignored, .. }, Tracking::Untracked) => *ignored != IgnoredFiles::Only,
            (Self::Untracked { ignored, .. }, Tracking::Ignored) => *ignored != IgnoredFiles::Spared,
            (Self::Tracked { .. } | Self::Swept(_), _) | (Self::Untracked { .. }, Tracking::Tracked) => false,
        }
    }
}

fn is_among(path: &Utf8Path, paths: &[Utf8PathBuf]) -> bool {
    let meant = |named: &Utf8PathBuf| match named.as_str().contains(['*', '?', '[']) {
        true => PathPattern::new(named.as_str()).matches(path) || path.starts_with(named),
        false => path.starts_with(named),
    };
    paths.is_empty() || paths.iter().any(meant)
}

/// The effects and sweeps of a survey that take something, each with its index there.
pub(crate) struct Takings<'a> {
    pub effects: Vec<(usize, Taking<'a>)>,
    pub sweeps: Vec<(usize, Taking<'a>)>,
}

pub(crate) fn takings<'a>(survey: &'a Survey, known: &Known) -> Takings<'a> {
    let effects = survey.found.iter().enumerate();
    let sweeps = survey.sweeps.iter().enumerate();
    Takings {
        effects: effects.filter_map(|(at, found)| Some((at, Taking::of(&found.effect, known)?))).collect(),
        sweeps: sweeps.map(|(at, sweep)| (at, Taking::Swept(sweep))).collect(),
    }
}

/// Where the facts about files come from.
pub(crate) trait Files {
    /// The top of the worktree that a git command means.
    fn worktree(&mut self, repository: &Addressed) -> Option<Utf8PathBuf>;
    /// Announces the files whose state is asked for next, so that one look covers all of them.
    fn look_at(&mut self, _paths: &[Utf8PathBuf]) {}
    /// The file, if it has anything that no commit holds.
    fn state(&mut self, path: &Utf8Path) -> Option<FileState>;
    fn exists(&self, path: &Utf8Path) -> bool;
    /// The files at and below a path that hold changes.
    fn below(&mut self, folder: &Utf8Path) -> Vec<Utf8PathBuf>;
    fn real(&mut self, path: &Utf8Path) -> Utf8PathBuf;
}

/// The files in which a call would take lines of another session away. `after`: the content of the file that the call writes.
pub(crate) fn at_risk(
    taking: &Taking<'_>,
    theirs: &Claims,
    ours: &Claims,
    files: &mut dyn Files,
    after: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
) -> Vec<Utf8PathBuf> {
    let worktree = match taking.repository() {
        None => None,
        Some(repository) => match files.worktree(repository) {
            None => return Vec::new(),
            worktree => worktree,
        },
    };
    let inside = |path: &Utf8Path| worktree.as_ref().is_none_or(|top| path.starts_with(top));
    let real = match taking {
        Taking::File(path) => Some(files.real(path)),
        _ => None,
    };
    let mut paths: Vec<Utf8PathBuf> = theirs.files().map(ToOwned::to_owned).collect();
    for folder in theirs.folders() {
        paths.extend(files.below(folder));
    }
    paths.sort();
    paths.dedup();
    let exists = |path: &Utf8Path| files.exists(path);
    paths.retain(|path| {
        inside(path) && (taking.reaches(path, &exists) || real.as_ref().is_some_and(|real| real == path))
    });
    files.look_at(&paths);
    paths.retain(|path| {
        let Some(state) = files.state(path).filter(|state| taking.takes(state.tracking)) else {
            return false;
        };
        let after = match taking {
            Taking::File(_) => state.now.as_deref().and_then(after),
            _ => None,
        };
        theirs.lose(path, &state, ours, after.as_deref())
    });
    paths
}
