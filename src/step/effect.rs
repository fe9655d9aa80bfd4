//! What an action would do to the world.

use super::known::Leaving;
use camino::{Utf8Path, Utf8PathBuf};
use std::ops::Range;

/// An effect, and where in the action it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub effect: Effect,
    /// In the text that the agent typed; for an effect of a script or an alias, the command that runs it.
    pub span: Range<usize>,
    /// With another user's rights.
    pub privileged: bool,
    /// Typed by the agent itself: not out of a script, an alias or a recipe.
    pub typed: bool,
    /// What it comes out of, if it was not typed: `install.sh line 3`.
    pub inside: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Delete {
        target: Target,
        recursive: bool,
    },
    /// Creates, overwrites, moves onto, or changes mode or owner.
    Write {
        target: Target,
        recursive: bool,
    },
    /// Takes away the bytes of a file that stays or is made anew: overwritten, cut off, edited in place, moved onto.
    Replace {
        target: Target,
    },
    /// Puts files of one folder over those of the same name in another.
    Merge {
        from: Utf8PathBuf,
        into: Utf8PathBuf,
        /// With everything below.
        deep: bool,
    },
    Read {
        target: Target,
    },
    /// Makes a file system, wipes, partitions, or destroys a volume or a pool.
    Format {
        device: String,
    },
    ForkBomb,
    /// git throws away what no commit holds, or the means to get it back.
    Discard {
        losing: Losing,
        /// As a person would say it: `git reset --hard`.
        how: String,
        /// The same without the loss, where git has an option for that.
        gentler: Option<Rewrite>,
    },
    /// Replaces or removes what others may have on the remote.
    RewriteRemote {
        how: String,
        /// The branch as it is called there, if the command says.
        branch: Option<String>,
        repository: Addressed,
        /// The same with a look at what the remote has; without a branch, it is the current one that is pushed.
        gentler: Option<Rewrite>,
    },
    /// Runs a text that was not there before: downloaded or decoded.
    RunFetched {
        source: Source,
    },
    /// Gives a shell to another machine.
    NetworkShell {
        how: String,
    },
    /// A secret leaves this machine.
    Send {
        what: String,
        to: String,
    },
    /// A request to another machine.
    Network {
        host: String,
    },
    /// Data goes that no file of this machine holds: a database, a cluster, a cloud, a forge, a container's volume.
    Destroy {
        what: String,
    },
    /// Processes, services, the network or the machine itself stop working as they did.
    Disrupt {
        what: String,
    },
    /// Opens up or takes over what others rely on: world-writable trees, setuid, accounts, sudoers.
    Expose {
        what: String,
    },
    /// A package, an image or a release becomes public.
    Publish {
        what: String,
    },
    /// Writes to a forge without a local tree that a review could be bound to.
    ForgeWrite {
        what: String,
    },
    /// Content that goes into a file holds a secret.
    SecretContent {
        kind: String,
        target: Utf8PathBuf,
    },
    /// What a script would do that is only written now.
    Later {
        effect: Box<Effect>,
        runs: Runs,
    },
    /// Content leaves this machine. `alone`: the command does nothing else, so what leaves is known now.
    Leave {
        what: Leaving,
        alone: bool,
    },
    /// Would get content past the git hook, or fake what the gate compares with.
    Bypass {
        how: String,
    },
    /// Pretends to be the client, the person or the terminal towards Plimsoll itself.
    Impersonate {
        how: String,
    },
    /// Could not be understood.
    Opaque {
        why: String,
    },
}

/// Where a script would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    Here,
    /// On a machine that is made for the run and thrown away.
    Elsewhere,
}

/// What an effect hits.
#[derive(Debug, Clone, Eq)]
pub enum Target {
    /// Absolute and without `.` or `..`; links are not followed.
    Path(Utf8PathBuf),
    /// Everything in a directory.
    Inside(Utf8PathBuf),
    /// What a pattern with an absolute path matches.
    Matching(String),
    /// Some path that begins with this directory; the rest is known only to the shell.
    Below(Utf8PathBuf),
    /// Depends on something that only the shell will know.
    Unknown,
}

/// By their text, which is one for every path.
impl PartialEq for Target {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Path(one), Self::Path(other))
            | (Self::Inside(one), Self::Inside(other))
            | (Self::Below(one), Self::Below(other)) => one.as_str() == other.as_str(),
            (Self::Matching(one), Self::Matching(other)) => one == other,
            (Self::Unknown, Self::Unknown) => true,
            (Self::Path(_) | Self::Inside(_) | Self::Matching(_) | Self::Below(_) | Self::Unknown, _) => {
                false
            }
        }
    }
}

impl Target {
    /// The path, or the directory whose content is hit.
    pub fn path(&self) -> Option<&Utf8Path> {
        match self {
            Self::Path(path) | Self::Inside(path) => Some(path),
            Self::Matching(_) | Self::Below(_) | Self::Unknown => None,
        }
    }
}

impl Target {
    /// The same below another directory, if it lies at or below `from`.
    pub fn moved(&self, from: &Utf8Path, to: &Utf8Path) -> Option<Self> {
        let below = |path: &Utf8Path| match path.strip_prefix(from).ok()?.as_str() {
            "" => Some(to.to_owned()),
            rest => Some(to.join(rest)),
        };
        match self {
            Self::Path(path) => below(path).map(Self::Path),
            Self::Inside(path) => below(path).map(Self::Inside),
            Self::Below(path) => below(path).map(Self::Below),
            Self::Matching(pattern) => {
                let [from, to] = [from, to].map(|path| globset::escape(path.as_str()));
                let rest = pattern.strip_prefix(&from).filter(|rest| rest.starts_with('/'))?;
                Some(Self::Matching(format!("{to}{rest}")))
            }
            Self::Unknown => None,
        }
    }
}

/// Something that would go, and that only git and the file system can value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Losing {
    /// A file, or a directory with everything in it.
    Path {
        path: Utf8PathBuf,
        recursive: bool,
    },
    /// The bytes of a file that is overwritten.
    Content(Utf8PathBuf),
    /// The bytes of every file that a pattern with an absolute path matches.
    Contents(String),
    /// The bytes of files in `into` that files of the same name in `from` overwrite.
    Merged {
        from: Utf8PathBuf,
        into: Utf8PathBuf,
        deep: bool,
    },
    /// Everything in a directory, but not the directory itself.
    Inside(Utf8PathBuf),
    /// What a pattern with an absolute path matches.
    Matching {
        pattern: String,
        recursive: bool,
    },
    /// Uncommitted changes of tracked files: everywhere, or at and below these paths.
    Changes {
        repository: Addressed,
        paths: Vec<Utf8PathBuf>,
    },
    /// Uncommitted changes at a path, if the word is one and not the name of a branch: `git checkout src`.
    Named {
        repository: Addressed,
        word: String,
        path: Utf8PathBuf,
    },
    /// Files that git does not track: everywhere, or at and below these paths.
    Untracked {
        repository: Addressed,
        paths: Vec<Utf8PathBuf>,
        ignored: Ignored,
        /// Patterns as in an ignore file: what is spared.
        except: Vec<String>,
    },
    /// Commits that only this branch holds; with `refs/` in front, any reference. Empty if only the shell will know.
    Branch {
        repository: Addressed,
        name: String,
    },
    Stash {
        repository: Addressed,
    },
    /// What the reflog and unreachable objects still hold, or the history itself.
    History {
        repository: Addressed,
    },
    /// A linked worktree with what is in it.
    Worktree {
        repository: Addressed,
        path: Utf8PathBuf,
    },
}

impl Losing {
    /// What an effect overwrites, where it is known which files that are.
    pub fn by_overwriting(effect: &Effect) -> Option<Self> {
        match effect {
            Effect::Replace { target: Target::Path(path) } => Some(Self::Content(path.clone())),
            Effect::Replace { target: Target::Matching(pattern) } => Some(Self::Contents(pattern.clone())),
            Effect::Replace { target: Target::Inside(folder) } => Some(Self::Contents(each_in(folder))),
            Effect::Merge { from, into, deep } => {
                Some(Self::Merged { from: from.clone(), into: into.clone(), deep: *deep })
            }
            _ => None,
        }
    }
}

/// A pattern for everything that lies directly in a folder.
pub fn each_in(folder: &Utf8Path) -> String {
    format!("{}/*", globset::escape(folder.as_str()).trim_end_matches('/'))
}

/// Which untracked files `git clean` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ignored {
    /// Only those that no ignore rule covers.
    Spared,
    Too,
    /// Only those that an ignore rule covers.
    Only,
}

/// What git and the file system said about something that would go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It is not there, it is in a commit, or it can be made again.
    Nothing,
    /// Nothing but copies of these files would hold it, and copies can be taken first.
    Copies(Vec<Utf8PathBuf>),
    /// No checkpoint and no copy holds it, and the user's settings or the folder say that none is taken.
    Unkept,
    /// Too large, or too much, for a copy; in words: `thesis.pdf (12 MiB)`.
    TooLarge(String),
    /// What would be gone for good, in words: `3 files with uncommitted changes, .env`.
    Matters(String),
    /// Could not be found out.
    Unknown(String),
}

/// Where a text comes from that is about to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// By its address as far as known.
    Downloaded(String),
    /// By the program that unpacks it: `base64 -d`.
    Decoded(String),
}

/// Another spelling of the same program and subcommand: these words of the typed text, replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The option as typed, and what stands there instead. An empty original adds the option behind the subcommand.
    pub replace: Vec<(String, String)>,
}

/// The repository that a git command means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Addressed {
    Directory(Utf8PathBuf),
    /// Through a variable, `--git-dir` or a directory that is not known before the shell runs.
    Unknown,
}
