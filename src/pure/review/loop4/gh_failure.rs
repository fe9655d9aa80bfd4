//! Failures of `gh`, with the cause that a person can fix.

use crate::pure::review::loop1::End;
use crate::pure::review::sanitize;

/// Phrases in the output of `gh`, in lower case, and their meaning.
const MEANINGS: [(&[&str], &str); 6] = [
    (&["no pull requests found"], "there is no pull request for this branch"),
    (
        &["none of the git remotes", "no git remotes found", "not a git repository"],
        "no remote of this repository is on a GitHub that gh knows",
    ),
    (&["rate limit"], "GitHub's rate limit is reached"),
    (
        &["gh auth login", "bad credentials", "http 401", "authentication"],
        "gh is not logged in; `gh auth login` does that",
    ),
    (
        &[
            "error connecting", "dial tcp", "could not resolve", "connection refused", "i/o timeout",
            "no such host",
        ],
        "GitHub could not be reached",
    ),
    (&["not on any branch", "determine current branch"], "HEAD is not on a branch"),
];

/// `None` if `gh` succeeded.
pub(crate) fn gh_failure(end: &End, output: &str) -> Option<String> {
    let code = match end {
        End::Exited(0) => return None,
        End::Exited(code) => code,
        End::NotInstalled => return Some("gh is not installed".into()),
        End::TimedOut => return Some("gh did not answer in time".into()),
        End::Signalled(signal) => return Some(format!("gh was killed by signal {signal}")),
        End::CouldNotStart(error) => return Some(format!("gh could not be started: {error}")),
    };
    let lower = output.to_ascii_lowercase();
    let known = MEANINGS.iter().find(|(words, _)| words.iter().any(|word| lower.contains(word)));
    Some(match known {
        Some((_, meaning)) => (*meaning).into(),
        None => format!("gh failed with exit status {code}: {}", sanitize(output, 200).replace('\n', " ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_words() {
        for (end, said, words) in [
            (End::NotInstalled, "", "not installed"),
            (End::TimedOut, "", "in time"),
            (End::Signalled(9), "", "signal 9"),
            (End::Exited(1), "no pull requests found for branch \"x\"", "no pull request for this branch"),
            (End::Exited(1), "none of the git remotes configured for this repository point to", "no remote"),
            (End::Exited(4), "To get started with GitHub CLI, please run:  gh auth login", "not logged in"),
            (End::Exited(1), "HTTP 401: Bad credentials (https://api.github.com)", "not logged in"),
            (End::Exited(1), "error connecting to api.github.com", "could not be reached"),
            (End::Exited(1), "GraphQL: API rate limit exceeded for user ID 1.", "rate limit"),
            (End::Exited(1), "could not determine current branch: not on any branch", "not on a branch"),
            (End::Exited(7), "boom\u{1b}[2J\nbang", "exit status 7: boom bang"),
        ] {
            let reason = gh_failure(&end, said).unwrap();
            assert!(reason.contains(words), "{said}: {reason}");
        }
        assert_eq!(gh_failure(&End::Exited(0), "a warning about authentication"), None);
    }
}
