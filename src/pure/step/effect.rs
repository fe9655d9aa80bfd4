//! The effects of a tool call.

use super::known::Leaving;
use camino::{Utf8Path, Utf8PathBuf};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// An effect and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEffect {
    pub effect: Effect,
    /// In the text that the agent typed; for an effect of a script or an alias, the command that runs it.
    pub span: Range<usize>,
    /// Runs as another user, through `sudo` or `su`.
    pub privileged: bool,
    /// Typed by the agent, not found in a script, an alias or a recipe.
    pub typed: bool,
    /// The source, if it was not typed: `install.sh line 3`.
    pub inside: Option<String>,
}

impl FoundEffect {
    /// In a text of the agent's own, also where a shell got it from another program: not in a file.
    pub(crate) fn is_typed_text(&self) -> bool {
        self.typed || self.inside.as_deref() == Some(INNER_COMMAND)
    }
}

/// The source of a text that the agent typed for another program to run.
pub(crate) const INNER_COMMAND: &str = "inner command";

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
    /// Replaces the content of a file: overwritten, truncated, edited in place, moved onto.
    Replace {
        target: Target,
    },
    /// Copies files of one folder over those of the same name in another; `deep`: recursively.
    Merge {
        from: Utf8PathBuf,
        into: Utf8PathBuf,
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
    /// git discards uncommitted work or commits, or the means to restore them. `how` names the command, such as
    /// `git reset --hard`; `gentler` is the same command without the loss, where git has an option for that.
    Discard {
        losing: Losing,
        how: String,
        gentler: Option<Rewrite>,
    },
    /// Replaces or removes commits on the remote. `branch` is the remote's name for it, if the command names one; otherwise
    /// the current branch is pushed. `gentler` is the same command with a check of the remote's state.
    RewriteRemote {
        how: String,
        branch: Option<String>,
        repository: Addressed,
        gentler: Option<Rewrite>,
    },
    /// Runs downloaded or decoded code.
    RunFetched {
        source: TextSource,
    },
    /// Gives another machine a shell on this one.
    NetworkShell {
        how: String,
    },
    /// A secret leaves this machine, or a whole tree that may hold one.
    Send {
        what: String,
        to: String,
        secret: bool,
    },
    /// A request to another machine.
    Network {
        host: String,
    },
    /// Destroys data that is not in files: a database, a cluster, a cloud, a forge, a container's volume.
    Destroy {
        what: String,
    },
    /// Stops or disturbs processes, services, the network or the machine.
    Disrupt {
        what: String,
    },
    /// Weakens protection that others rely on: world-writable trees, setuid, accounts, sudoers.
    Expose {
        what: String,
    },
    /// Prints a stored secret into the conversation: the command or tool that does.
    /// With a file, only if that is encrypted.
    Reveal {
        what: String,
        file: Option<Target>,
    },
    /// Publishes a package, an image or a release.
    Publish {
        what: String,
    },
    /// Writes to a forge without a local commit that could be reviewed.
    ForgeWrite {
        what: String,
    },
    /// Writes a secret into a file.
    SecretContent {
        kind: String,
        target: Utf8PathBuf,
    },
    /// An effect of a script that is only written now.
    Later {
        effect: Box<Effect>,
        runs: Runs,
    },
    /// Content leaves this machine. `alone`: the command does nothing else, so the content is known now.
    Leave {
        what: Leaving,
        alone: bool,
    },
    /// Bypasses the git hook, or forges the state that the gate compares with.
    Bypass {
        how: String,
    },
    /// May do the same; only the run will know.
    PossibleBypass {
        how: String,
    },
    /// Acts as the client, the person or the terminal towards Plimsoll.
    Impersonate {
        how: String,
    },
    /// Could not be parsed.
    Opaque {
        why: String,
    },
}

/// Where a script would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    Here,
    /// On a machine that exists only for the run.
    Elsewhere,
}

/// The target of an effect.
#[derive(Debug, Clone, Eq)]
pub enum Target {
    /// Absolute and without `.` or `..`; links are not followed.
    Path(Utf8PathBuf),
    /// Everything in a directory that is not hidden, as `*` stands for.
    Inside(Utf8PathBuf),
    /// The matches of a pattern with an absolute path.
    Matching(String),
    /// A path below this directory; only the shell knows the rest.
    Below(Utf8PathBuf),
    /// Only the shell will know.
    Unknown,
}

/// Compares the text, which is unique for a normal path and cheaper than components.
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

/// Something that would be lost; only git and the file system know whether it matters.
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
    /// The matches of a pattern with an absolute path.
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
    /// Files that git does not track: everywhere, or at and below these paths. `except` holds patterns as in an ignore file.
    Untracked {
        repository: Addressed,
        paths: Vec<Utf8PathBuf>,
        ignored: IgnoredFiles,
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
    /// Reflog and unreachable objects, or the history itself.
    History {
        repository: Addressed,
    },
    /// A linked worktree with its content.
    Worktree {
        repository: Addressed,
        path: Utf8PathBuf,
    },
}

impl Hash for Losing {
    /// By the text of its path, which would be hashed part by part otherwise. Paths here are normal.
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Path { path, .. }
            | Self::Content(path)
            | Self::Inside(path)
            | Self::Named { path, .. }
            | Self::Worktree { path, .. } => path.as_str().hash(state),
            Self::Merged { from, into, .. } => (from.as_str(), into.as_str()).hash(state),
            Self::Contents(pattern) | Self::Matching { pattern, .. } => pattern.hash(state),
            Self::Branch { name, .. } => name.hash(state),
            Self::Changes { .. } | Self::Untracked { .. } | Self::Stash { .. } | Self::History { .. } => {}
        }
    }
}

impl Losing {
    /// The content that an effect overwrites, where the files are known.
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
pub(crate) fn each_in(folder: &Utf8Path) -> String {
    format!("{}/*", globset::escape(folder.as_str()).trim_end_matches('/'))
}

/// Which untracked files `git clean` deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IgnoredFiles {
    /// Only those that no ignore rule covers.
    Spared,
    Too,
    /// Only those that an ignore rule covers.
    Only,
}

/// The answer of git and the file system about a loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// Missing, committed or generated.
    Nothing,
    /// Only copies of these files would preserve it, and they can be taken first.
    Copies(Vec<Utf8PathBuf>),
    /// Neither a checkpoint nor a copy holds it, and the settings or the folder exclude both.
    Unkept,
    /// Too large, or too much, for a copy; in words: `thesis.pdf (12 MiB)`.
    TooLarge(String),
    /// A permanent loss, in words: `3 files with uncommitted changes, .env`.
    Matters(String),
    /// Unknown, with the reason.
    Unknown(String),
}

/// The source of code that is about to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextSource {
    /// The address, as far as known.
    Downloaded(String),
    /// The decoding program: `base64 -d`.
    Decoded(String),
}

/// A safer form of the same program and subcommand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The typed option and its replacement. An empty original adds the option after the subcommand.
    pub replace: Vec<(String, String)>,
}

/// The repository that a git command means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addressed {
    Directory(Utf8PathBuf),
    /// Named by a variable, `--git-dir` or a directory that only the shell will know.
    Unknown,
}
