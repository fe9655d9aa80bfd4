//! Programs that speak to the outside and print data: CodeRabbit, a reviewer of one's own, `gh`. Each gets its own token and
//! nobody else's.

use crate::edge::config::Environment;
use crate::edge::run::{ExitKind, Job, News, Patience, StreamResult, listen};
use crate::pure::review::loop1::{End, Transcript};
use crate::pure::secret;
use camino::Utf8PathBuf;
use std::time::Duration;

/// Nobody is there to answer, and nothing is there to show colours.
const QUIET: [(&str, &str); 5] = [
    ("NO_COLOR", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GH_PROMPT_DISABLED", "1"),
    ("GH_NO_UPDATE_NOTIFIER", "1"),
    ("GH_PAGER", "cat"),
];
const SECRET_NAMES: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"];
/// The way to the network; may carry a password, so that no session records it.
const PROXIES: [&str; 8] = [
    "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY",
    "no_proxy",
];
/// How much of what it said beside its data is kept.
const SAID: (usize, usize) = (20, 4_000);

pub(crate) struct OutsideTool {
    directory: Utf8PathBuf,
    environment: Vec<(String, String)>,
}

/// The secrets that a tool gets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ToolSecrets<'a> {
    /// Only the variables of these names.
    Only(&'a [&'a str]),
    /// Whatever is given: nobody knows which one it needs.
    Given,
}

impl OutsideTool {
    /// `given` may be what the session recorded, which holds no secret; tokens and proxies are then taken from this process.
    /// With another token somebody sees less or nothing, never a better answer of the same server.
    pub(crate) fn new(directory: Utf8PathBuf, given: &[(String, String)], secrets: ToolSecrets<'_>) -> Self {
        let own: &[&str] = if let ToolSecrets::Only(names) = secrets { names } else { &[] };
        let allowed =
            |name: &str| matches!(secrets, ToolSecrets::Given) || own.contains(&name) || !names_secret(name);
        let set = |name: &str| QUIET.iter().any(|(quiet, _)| *quiet == name);
        let mut environment: Vec<(String, String)> = given
            .iter()
            .filter(|(name, _)| !name.starts_with("GIT_") && !set(name) && allowed(name))
            .cloned()
            .collect();
        let missing = |name: &str| given.iter().all(|(known, _)| known != name);
        let added = Environment::variables().into_iter().filter(|(name, _)| {
            (own.contains(&name.as_str()) || PROXIES.contains(&name.as_str())) && missing(name)
        });
        environment.extend(added);
        environment.extend(QUIET.map(|(name, value)| (name.to_string(), value.to_string())));
        Self { directory, environment }
    }

    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub(crate) fn listen(&self, argv: &[String], limits: ToolLimits, slow: impl FnMut()) -> StreamResult {
        let job = Job {
            argv: argv.to_vec(),
            directory: self.directory.clone(),
            environment: self.environment.clone(),
            deadline: limits.overall,
            slow_after: limits.silence / 2,
        };
        let mut slow = slow;
        listen(&job, Patience { silence: limits.silence, limit: limits.bytes }, |news| {
            if news == News::Slow {
                slow();
            }
        })
    }

    /// A short question.
    pub(crate) fn ask(&self, argv: &[&str], limits: ToolLimits) -> StreamResult {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_string()).collect();
        self.listen(&argv, limits, || {})
    }

    /// Text of the tool that may be kept: no escape sequences, no secrets of the code or of the tool's own.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        secret_values(&self.environment)
            .fold(secret::redact(text), |text, value| text.replace(value, "[left out]"))
    }

    /// The end of what it said on standard error.
    pub(crate) fn end_of_errors(&self, heard: &StreamResult) -> String {
        let transcript =
            Transcript::read(self.without_secrets(&String::from_utf8_lossy(&heard.said.bytes())).as_bytes());
        transcript.end(SAID.0, SAID.1)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolLimits {
    /// The longest time without output.
    pub silence: Duration,
    pub overall: Duration,
    /// The most output.
    pub bytes: usize,
}

fn names_secret(variable: &str) -> bool {
    SECRET_NAMES.iter().any(|word| variable.to_ascii_uppercase().contains(word))
}

/// The values of the environment that must not be kept.
pub(crate) fn secret_values(environment: &[(String, String)]) -> impl Iterator<Item = &str> {
    let secret = environment.iter().filter(|(name, value)| value.len() >= 8 && names_secret(name));
    secret.map(|(_, value)| value.as_str())
}

pub(crate) fn end(how: &ExitKind) -> End {
    match how {
        ExitKind::Exited(code) => End::Exited(*code),
        ExitKind::Signalled(signal) => End::Signalled(*signal),
        ExitKind::TimedOut => End::TimedOut,
        ExitKind::NotFound => End::NotInstalled,
        ExitKind::CouldNotStart(error) => End::CouldNotStart(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(secrets: ToolSecrets<'_>) -> Vec<String> {
        let given = ["PATH", "GIT_DIR", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "NO_COLOR"];
        let given: Vec<_> = given.map(|name| (name.to_string(), "value".to_string())).to_vec();
        let tool = OutsideTool::new("/".into(), &given, secrets);
        let kept = tool.environment.into_iter().map(|(name, _)| name);
        kept.filter(|name| ["PATH", "GIT_DIR", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY"].contains(&name.as_str()))
            .collect()
    }

    #[test]
    fn a_tool_gets_its_own_token_and_no_other_and_nothing_of_gits() {
        assert_eq!(names(ToolSecrets::Only(&["GH_TOKEN"])), ["PATH", "GH_TOKEN"]);
        assert_eq!(names(ToolSecrets::Only(&[])), ["PATH"]);
        assert_eq!(names(ToolSecrets::Given), ["PATH", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY"]);
    }

    #[test]
    fn its_token_is_left_out_of_what_it_says() {
        let given = [("GH_TOKEN".to_string(), "opensesame-opensesame".to_string())];
        let tool = OutsideTool::new("/".into(), &given, ToolSecrets::Only(&["GH_TOKEN"]));
        assert_eq!(tool.without_secrets("using opensesame-opensesame now"), "using [left out] now");
    }
}
