//! One git command: hardened, with a deadline and a limit, turned into bytes or an error.

use super::child::{self, ChildError, ChildLimits, ChildReach, Output};
use super::conversation::Conversation;
use super::error::{Error, Result};
use super::program;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A safety net only: no decision depends on how fast the machine is. Less than the client gives a hook.
const DEADLINE: Duration = Duration::from_secs(40);
const STDOUT: usize = 64 * 1024 * 1024;

const ENVIRONMENT: [(&str, &str); 6] = [
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("LC_ALL", "C"),
];

/// Nothing of the user's runs, nothing else is written, and no cache that could be forged is believed.
const SETTINGS: [(&str, &str); 15] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.commitGraph", "false"),
    ("core.quotePath", "false"),
    ("core.splitIndex", "false"),
    ("core.safecrlf", "false"),
    ("core.ignoreStat", "false"),
    ("core.checkStat", "default"),
    ("core.trustctime", "true"),
    ("sparse.expectFilesOutsideOfPatterns", "false"),
    ("submodule.recurse", "false"),
    ("advice.addEmbeddedRepo", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];
/// The user's configuration counts in a repository: filters, ignore rules and URLs make the tree that ships.
const IN_REPOSITORY: [(&str, &str); 1] = [
    // Loose objects go to a private directory that lasts as long as the call.
    ("core.looseCompression", "0"),
];
/// In the store no configuration counts but this one.
const IN_STORE: [(&str, &str); 6] = [
    // The store keeps bytes and names as they are. A repository keeps git's own checks.
    ("core.autocrlf", "false"),
    ("core.protectNTFS", "false"),
    ("core.protectHFS", "false"),
    ("core.compression", "1"),
    // Similar content in large files takes too long to find. In a repository it would change what a diff shows.
    ("core.bigFileThreshold", "1m"),
    // Objects of one checkpoint stay one pack.
    ("fastimport.unpackLimit", "1"),
];
const WITHOUT_CONFIGURATION: [(&str, &str); 3] =
    [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_ATTR_NOSYSTEM", "1")];

/// A call of git that has not started yet.
pub(crate) struct GitCommand {
    process: Command,
    directory: String,
    /// The subcommand, for messages.
    name: String,
    /// Why it must not start.
    refusal: Option<Error>,
    settings: usize,
    input: Option<Vec<u8>>,
    limits: ChildLimits,
}

impl GitCommand {
    /// On a repository of the user. `environment` is what git inherits, without variables named `GIT_*`: each of them can
    /// point git at another repository, index, object store or configuration.
    pub fn in_repository<N: AsRef<OsStr>, V: AsRef<OsStr>, A: AsRef<OsStr>>(
        git_dir: &Path,
        worktree: &Path,
        environment: impl IntoIterator<Item = (N, V)>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut command = Self::new(worktree, worktree, environment);
        command.process.arg("--git-dir").arg(git_dir).arg("--work-tree").arg(worktree);
        IN_REPOSITORY
            .iter()
            .fold(command, |command, (key, value)| command.setting(key, value))
            .arguments(arguments)
    }

    /// On the store of checkpoints.
    pub fn in_store<A: AsRef<OsStr>>(store: &Path, arguments: impl IntoIterator<Item = A>) -> Self {
        let project = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
        let project = project.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let mut command = Self::new(store, &project, std::env::vars_os());
        command.process.envs(WITHOUT_CONFIGURATION).arg("--git-dir").arg(store);
        IN_STORE
            .iter()
            .fold(command, |command, (key, value)| command.setting(key, value))
            .arguments(arguments)
    }

    fn new<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        directory: &Path,
        project: &Path,
        environment: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let kept = environment.into_iter().filter(|(name, _)| !name.as_ref().as_bytes().starts_with(b"GIT_"));
        let kept: Vec<(N, V)> = kept.collect();
        let path = kept.iter().find(|(name, _)| name.as_ref() == "PATH").map(|(_, path)| path.as_ref());
        let found = program::locate(
            &path.unwrap_or_default().to_string_lossy(),
            Utf8Path::new(&project.to_string_lossy()),
        );
        let directory_name = directory.display().to_string();
        let (file, refusal) = match found {
            Ok(file) => (file, None),
            Err(source) => {
                (Utf8PathBuf::new(), Some(Error::Start { directory: directory_name.clone(), source }))
            }
        };
        let mut process = Command::new(file);
        process.current_dir(directory).env_clear().envs(kept).envs(ENVIRONMENT);
        let limits = ChildLimits { stdout: STDOUT, deadline: DEADLINE, reach: ChildReach::Local };
        let command = Self {
            process,
            directory: directory_name,
            name: String::new(),
            refusal,
            settings: 0,
            input: None,
            limits,
        };
        SETTINGS.iter().fold(command, |command, (key, value)| command.setting(key, value))
    }

    /// Further arguments; the first one of all is the subcommand.
    pub fn arguments<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        for argument in arguments {
            if self.name.is_empty() {
                self.name = argument.as_ref().to_string_lossy().into_owned();
            }
            self.process.arg(argument);
        }
        self
    }

    pub fn variable(mut self, name: &str, value: &OsStr) -> Self {
        self.process.env(name, value);
        self
    }

    /// Not `-c`: a key with an equals sign in it would be cut in two.
    pub fn setting(mut self, key: impl AsRef<OsStr>, value: &str) -> Self {
        self.process.env(format!("GIT_CONFIG_KEY_{}", self.settings), key);
        self.process.env(format!("GIT_CONFIG_VALUE_{}", self.settings), value);
        self.settings += 1;
        self.process.env("GIT_CONFIG_COUNT", self.settings.to_string());
        self
    }

    pub fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    pub fn limit(mut self, bytes: usize) -> Self {
        self.limits.stdout = bytes;
        self
    }

    pub fn deadline(mut self, time: Duration) -> Self {
        self.limits.deadline = time;
        self
    }

    pub fn over_the_network(mut self) -> Self {
        self.limits.reach = ChildReach::Network;
        self
    }

    /// Refuses to start if git would wait at this pipe for somebody to write.
    pub fn unless_pipe(mut self, pipe: Option<Utf8PathBuf>) -> Self {
        if let (Some(path), None) = (pipe, &self.refusal) {
            self.refusal = Some(Error::WouldWait { command: self.name.clone(), path });
        }
        self
    }

    /// All that git printed; any failure is an error.
    pub fn bytes(self) -> Result<Vec<u8>> {
        let name = self.name.clone();
        let output = self.output()?;
        if output.status.success() { Ok(output.stdout) } else { Err(failure(name, output)) }
    }

    /// Both streams as text, without credentials.
    #[cfg(feature = "cli")]
    pub fn said(self) -> Result<String> {
        let name = self.name.clone();
        let output = self.output()?;
        if !output.status.success() {
            return Err(failure(name, output));
        }
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(without_credentials(format!("{}\n{}", output.stderr, printed).trim()))
    }

    /// The names that git printed, each ended by a zero byte.
    pub fn names(self) -> Result<Vec<Vec<u8>>> {
        let printed = self.bytes()?;
        Ok(printed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
    }

    /// The output of git, cut at the limit.
    pub fn beginning(mut self) -> Result<Vec<u8>> {
        match self.run()? {
            Ok(output) if output.status.success() => Ok(output.stdout),
            Ok(output) => Err(failure(self.name, output)),
            Err(ChildError::TooMuch(bytes)) => Ok(bytes),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// The output of git, or nothing where git answers "no" with exit status 1.
    pub fn answer(self) -> Result<Option<Vec<u8>>> {
        let name = self.name.clone();
        let output = self.output()?;
        match output.status.code() {
            Some(0) => Ok(Some(output.stdout)),
            Some(1) => Ok(None),
            Some(_) | None => Err(failure(name, output)),
        }
    }

    /// The output as text without its last line end, for commands that print names.
    pub fn line(self) -> Result<String> {
        let command = self.name.clone();
        match String::from_utf8(self.bytes()?) {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(_) => Err(Error::Unexpected { command }),
        }
    }

    /// A git that stays alive; each answer has the whole deadline.
    pub fn converse(mut self) -> Result<Conversation> {
        if let Some(refusal) = self.refusal.take() {
            return Err(refusal);
        }
        let Self { process, name, directory, limits, .. } = self;
        Conversation::start(process, name, limits.deadline)
            .map_err(|source| Error::Start { directory, source })
    }

    fn output(mut self) -> Result<Output> {
        self.run()?.map_err(|failure| self.error(failure))
    }

    fn run(&mut self) -> Result<std::result::Result<Output, ChildError>> {
        match self.refusal.take() {
            Some(refusal) => Err(refusal),
            None => Ok(child::run(&mut self.process, self.input.take(), self.limits)),
        }
    }

    fn error(self, failure: ChildError) -> Error {
        let Self { name: command, directory, limits, .. } = self;
        match failure {
            ChildError::Start(source) => Error::Start { directory, source },
            ChildError::Pipe(source) => Error::Pipe { command, source },
            ChildError::TooMuch(_) => Error::TooMuch { command, limit: limits.stdout },
            ChildError::Deadline => Error::Deadline { command, seconds: limits.deadline.as_secs() },
        }
    }
}

fn failure(command: String, output: Output) -> Error {
    Error::Failed { command, status: output.status.to_string(), stderr: without_credentials(&output.stderr) }
}

/// Git repeats URLs in its messages, with the password that may stand in them.
fn without_credentials(text: &str) -> String {
    let mut pieces = text.split("://");
    let mut clean = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let authority = piece.split(|c: char| c == '/' || c.is_whitespace() || "'\"".contains(c)).next();
        let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
        clean.push_str("://");
        clean.push_str(user.and_then(|user| piece.strip_prefix(user)).map_or(piece, |rest| rest));
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_repository(arguments: &[&str]) -> GitCommand {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        GitCommand::in_repository(&here.join(".git"), here, std::env::vars_os(), arguments)
    }

    #[test]
    fn a_failure_names_the_command_and_what_git_said() {
        let text = in_repository(&["var", "nonsense"]).bytes().unwrap_err().to_string();
        assert!(text.contains("git var") && text.contains("usage"), "{text}");
    }

    #[test]
    fn too_much_output_is_an_error_or_is_cut_where_the_caller_says_so() {
        let version = || in_repository(&["version"]).limit(3);
        assert!(matches!(version().bytes(), Err(Error::TooMuch { limit: 3, .. })));
        assert_eq!(version().beginning().unwrap(), b"git");
    }

    #[test]
    fn a_variable_of_git_in_the_environment_does_not_reach_it() {
        let hostile = [("GIT_TRACE", "1"), ("PATH", &std::env::var("PATH").unwrap())];
        let here = Path::new("/");
        let command = GitCommand::in_repository(here, here, hostile, ["version"]);
        assert!(command.process.get_envs().all(|(name, _)| name != "GIT_TRACE"));
        assert!(command.process.get_envs().any(|(name, _)| name == "GIT_NO_REPLACE_OBJECTS"));
        assert!(Path::new(command.process.get_program()).is_absolute());
    }

    #[test]
    fn a_password_in_a_url_is_not_repeated() {
        let said = "fatal: unable to access 'https://me:hunter2@host/x.git/': no; see http://host/a@b";
        let clean = without_credentials(said);
        assert_eq!(clean, "fatal: unable to access 'https://@host/x.git/': no; see http://host/a@b");
    }
}
