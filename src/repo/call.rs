//! One git command: hardened, bounded, and turned into bytes or an error.

use super::child::{self, Failure, Limits, Output, Reach};
use super::error::{Error, Result};
use super::git::Git;
use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::time::Duration;

/// A safety net only: nothing that is judged depends on how fast the machine is. Less than the client gives a hook.
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

/// Nothing of the user's runs, nothing is written beside, and no cache that could be forged is believed.
const SETTINGS: [(&str, &str); 15] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.commitGraph", "false"),
    ("core.quotePath", "false"),
    ("core.splitIndex", "false"),
    ("core.safecrlf", "false"),
    ("core.looseCompression", "0"),
    ("core.ignoreStat", "false"),
    ("core.checkStat", "default"),
    ("core.trustctime", "true"),
    ("sparse.expectFilesOutsideOfPatterns", "false"),
    ("submodule.recurse", "false"),
    ("advice.addEmbeddedRepo", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

pub(super) struct Call<'git> {
    git: &'git Git,
    arguments: Vec<OsString>,
    settings: Vec<(OsString, OsString)>,
    input: Option<Vec<u8>>,
    limits: Limits,
}

impl<'git> Call<'git> {
    pub(super) fn new(git: &'git Git, arguments: Vec<OsString>) -> Self {
        let limits = Limits { stdout: STDOUT, deadline: DEADLINE, reach: Reach::Local };
        Self { git, arguments, settings: Vec::new(), input: None, limits }
    }

    pub(super) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    pub(super) fn setting(mut self, key: impl Into<OsString>, value: &str) -> Self {
        self.settings.push((key.into(), value.into()));
        self
    }

    pub(super) fn limit(mut self, bytes: usize) -> Self {
        self.limits.stdout = bytes;
        self
    }

    pub(super) fn over_the_network(mut self) -> Self {
        self.limits.reach = Reach::Network;
        self
    }

    /// What git printed; any failure is an error.
    pub(super) fn bytes(self) -> Result<Vec<u8>> {
        let name = self.name();
        let output = self.output()?;
        if output.status.success() { Ok(output.stdout) } else { Err(failed(name, output)) }
    }

    /// What git printed, or nothing where it answers "no" with exit status 1.
    pub(super) fn answer(self) -> Result<Option<Vec<u8>>> {
        let name = self.name();
        let output = self.output()?;
        match output.status.code() {
            Some(0) => Ok(Some(output.stdout)),
            Some(1) => Ok(None),
            Some(_) | None => Err(failed(name, output)),
        }
    }

    /// The first line, for commands that print one name.
    pub(super) fn line(self) -> Result<String> {
        let command = self.name();
        let bytes = self.bytes()?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(_) => Err(Error::Unexpected { command }),
        }
    }

    pub(super) fn name(&self) -> String {
        self.arguments.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn output(self) -> Result<Output> {
        let command = self.name();
        let Limits { stdout: limit, deadline, .. } = self.limits;
        if let Some(path) = self.git.repo().pipe_in_the_way() {
            return Err(Error::WouldWait { command, path });
        }
        let mut process = self.process();
        child::run(&mut process, self.input, self.limits).map_err(|failure| match failure {
            Failure::Start(source) => Error::Start { path: self.git.repo().worktree.clone(), source },
            Failure::Pipe(source) => Error::Pipe { command, source },
            Failure::TooMuch => Error::TooMuch { command, limit },
            Failure::Deadline => Error::Deadline { command, seconds: deadline.as_secs() },
        })
    }

    fn process(&self) -> Command {
        let repo = self.git.repo();
        let mut process = Command::new("git");
        process.current_dir(&repo.worktree).env_clear().envs(self.git.environment()).envs(ENVIRONMENT);
        let fixed = SETTINGS.iter().map(|(key, value)| (OsStr::new(key), OsStr::new(value)));
        let own = self.settings.iter().map(|(key, value)| (key.as_os_str(), value.as_os_str()));
        let mut count = 0;
        // Not `-c`: there a key with an equals sign in it would be cut in two.
        for (key, value) in fixed.chain(own) {
            process.env(format!("GIT_CONFIG_KEY_{count}"), key);
            process.env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        process.env("GIT_CONFIG_COUNT", count.to_string());
        process.arg("--git-dir").arg(&repo.git_dir).arg("--work-tree").arg(&repo.worktree);
        process.args(&self.arguments);
        process
    }
}

fn failed(command: String, output: Output) -> Error {
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
    use super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_what_git_said() {
        let fixture = Fixture::with_commit();
        let error = fixture.open().call(["cat-file", "-t", "nonsense"]).bytes().unwrap_err();
        let text = error.to_string();
        assert!(text.contains("git cat-file") && text.contains("nonsense"), "{text}");
    }

    #[test]
    fn too_much_output_is_an_error() {
        let fixture = Fixture::with_commit();
        let error = fixture.open().call(["rev-parse", "HEAD"]).limit(10).bytes().unwrap_err();
        assert!(matches!(error, Error::TooMuch { limit: 10, .. }));
    }

    #[test]
    fn a_password_in_a_url_is_not_repeated() {
        let said = "fatal: unable to access 'https://me:hunter2@host/x.git/': no; see http://host/a@b";
        let clean = without_credentials(said);
        assert_eq!(clean, "fatal: unable to access 'https://@host/x.git/': no; see http://host/a@b");
    }
}
