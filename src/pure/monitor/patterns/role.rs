//! The role of a call in the work: it reads, changes, checks or waits.

use super::call::CallMarks;
use super::check::{self, Shows};
use super::line::{ShellLine, Simple};
use super::tools;
use crate::pure::step::Nature;
use serde::{Deserialize, Serialize};

/// The role of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Role {
    /// Changes nothing.
    Look,
    /// Changes something, if it succeeds.
    Change,
    /// Shows something about the code, and changes nothing that counts.
    Check,
    /// Checks the status of something that takes time.
    Wait,
    Sleep,
}

pub(super) fn role(
    tool: &str,
    nature: Nature,
    line: Option<&ShellLine>,
    shows: &[Shows],
    path: Option<&str>,
) -> Role {
    let Some(line) = line else { return tool_role(tool, nature, path) };
    let quiet = |name: &str| matches!(name, "cd" | "echo" | "printf" | "true" | "date" | "wait" | "export");
    let mut busy = line.commands.iter().filter(|command| !quiet(&command.program)).peekable();
    let sleeps = line.commands.iter().any(|command| command.program == "sleep");
    if sleeps && busy.all(|command| command.program == "sleep") {
        return Role::Sleep;
    }
    let looks = nature == Nature::Read || (nature == Nature::Network && line.commands.iter().all(only_asks));
    match () {
        () if looks && (sleeps || line.commands.iter().any(waits)) => Role::Wait,
        () if looks => Role::Look,
        () if line.commands.iter().any(waits)
            && line.commands.iter().all(|one| waits(one) || filters(one)) =>
        {
            Role::Wait
        }
        () if !shows.is_empty()
            && line
                .commands
                .iter()
                .all(|one| check::check_kind(one).is_some() || filters(one) || check::is_formatter(one)) =>
        {
            Role::Check
        }
        () => Role::Change,
    }
}

fn tool_role(tool: &str, nature: Nature, path: Option<&str>) -> Role {
    let looks = match nature {
        Nature::Read => true,
        Nature::Network | Nature::System => {
            matches!(tool, "WebFetch" | "WebSearch") || tools::named_nature(tool) == Some(Nature::Read)
        }
        Nature::Creation | Nature::Modification | Nature::Deletion => false,
    };
    match () {
        () if tools::sleeps(tool) => Role::Sleep,
        () if tools::waits(tool) || (looks && path.is_some_and(is_growing)) => Role::Wait,
        () if tools::starts_agent(tool) => Role::Change,
        () if looks => Role::Look,
        () => Role::Change,
    }
}

/// A file that something else writes to meanwhile.
fn is_growing(path: &str) -> bool {
    path.ends_with(".log") || path.ends_with(".output")
}

/// Whether a call reads what a run left behind: a log, a report, the output of a task.
pub(super) fn reads_results(call: &CallMarks) -> bool {
    let left = |path: &str| {
        is_growing(path) || [".txt", ".out", ".xml", ".tap"].iter().any(|ending| path.ends_with(ending))
    };
    match &call.line {
        Some(line) => line.commands.iter().flat_map(|command| &command.words).any(|word| left(word)),
        None => call.role == Role::Wait || call.path.as_deref().is_some_and(left) && call.role == Role::Look,
    }
}

/// Passes on, shortens or shows what others print.
pub(super) fn filters(command: &Simple) -> bool {
    const FILTERS: [&str; 24] = [
        "cd", "tail", "head", "grep", "rg", "egrep", "sed", "awk", "sort", "uniq", "wc", "cat", "echo",
        "printf", "tee", "true", "cut", "jq", "tr", "export", "set", "less", "column", "date",
    ];
    command.writes.is_empty() && FILTERS.contains(&command.program.as_str())
}

/// Asks how something stands that takes its time.
fn waits(command: &Simple) -> bool {
    let mut verbs = command.verbs();
    let (first, second) = (verbs.next().unwrap_or_default(), verbs.next().unwrap_or_default());
    match command.program.as_str() {
        "watch" | "pg_isready" | "wait-for-it.sh" | "wait-on" | "pgrep" | "jobs" => true,
        "gh" => matches!(
            (first, second),
            ("run", "view" | "watch" | "list") | ("pr", "checks" | "status" | "view")
        ),
        "kubectl" | "oc" => matches!(first, "get" | "describe" | "rollout" | "logs" | "wait" | "top"),
        "docker" | "podman" | "docker-compose" | "nerdctl" => {
            matches!(first, "ps" | "logs" | "inspect" | "stats")
                || (first == "compose" && matches!(second, "ps" | "logs"))
        }
        "systemctl" | "service" | "launchctl" => {
            command.has("status") || command.has("is-active") || first == "list"
        }
        "aws" | "gcloud" | "az" => {
            [first, second].iter().any(|verb| verb.starts_with("describe") || *verb == "wait")
        }
        "curl" | "wget" | "http" => only_asks(command) && command.words.iter().any(|word| is_health(word)),
        "nc" => command.has("-z"),
        "ps" | "lsof" | "ss" | "netstat" => true,
        "tail" | "cat" => command.words.iter().any(|word| is_growing(word)),
        "squeue" | "qstat" | "sacct" => true,
        _ => false,
    }
}

fn is_health(address: &str) -> bool {
    const SIGNS: [&str; 8] =
        ["localhost", "127.0.0.1", "health", "status", "ready", "ping", "alive", "metrics"];
    SIGNS.iter().any(|sign| address.contains(sign))
}

/// Talks to another machine and only asks it something.
fn only_asks(command: &Simple) -> bool {
    let sends = |options: &[&str]| {
        command.words.iter().any(|word| {
            options.iter().any(|option| word == option || word.starts_with(&format!("{option}=")))
        })
    };
    let mut verbs = command.verbs();
    let (first, second) = (verbs.next().unwrap_or_default(), verbs.next().unwrap_or_default());
    match command.program.as_str() {
        "curl" | "http" | "xh" => {
            let gets = command
                .words
                .iter()
                .all(|word| !matches!(word.as_str(), "POST" | "PUT" | "PATCH" | "DELETE"));
            gets && command.writes.is_empty()
                && !sends(&["-d", "--data", "--data-raw", "-F", "--form", "-T", "--json", "-o", "-O"])
        }
        "gh" | "glab" => {
            matches!(second, "view" | "list" | "status" | "checks" | "diff" | "watch")
                || first == "search"
                || (first == "api"
                    && !sends(&["-X", "--method", "-f", "-F", "--field", "--raw-field", "--input"]))
        }
        "git" => matches!(first, "fetch" | "ls-remote"),
        "kubectl" | "oc" | "helm" => {
            matches!(first, "get" | "describe" | "logs" | "top" | "list" | "status" | "explain")
        }
        "aws" | "gcloud" | "az" => [first, second].iter().any(|verb| {
            ["describe", "list", "get", "wait", "show"].iter().any(|word| verb.starts_with(word))
        }),
        "sleep" => true,
        _ => {
            filters(command)
                || matches!(command.program.as_str(), "ls" | "find" | "base64" | "xargs" | "test" | "[")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::monitor::patterns::call::CallMarks;

    fn of(command: &str, nature: Nature) -> Role {
        CallMarks::read("Bash", &serde_json::json!({ "command": command }).to_string(), nature).role
    }

    #[test]
    fn a_command_plays_its_part() {
        for (command, nature, role) in [
            ("git status", Nature::Read, Role::Look),
            ("cargo test 2>&1 | tail -5", Nature::Modification, Role::Check),
            ("cd a && mise run fmt && mise run lint", Nature::Modification, Role::Check),
            ("cargo test > out.txt", Nature::Modification, Role::Check),
            ("cargo test && git commit -am x", Nature::Modification, Role::Change),
            ("npm install", Nature::Network, Role::Change),
            ("sed -i s/a/b/ x", Nature::Modification, Role::Change),
            ("sleep 60", Nature::Read, Role::Sleep),
            ("sleep 30 && gh run view 5", Nature::Network, Role::Wait),
            ("gh run view 123 --json status", Nature::Network, Role::Wait),
            ("kubectl get pods", Nature::Network, Role::Wait),
            ("docker ps", Nature::Read, Role::Wait),
            ("curl -s localhost:8080/health", Nature::Network, Role::Wait),
            ("curl -s https://example.com/page", Nature::Network, Role::Look),
            ("curl -X POST localhost:8080/reset", Nature::Network, Role::Change),
            ("gh pr create --fill", Nature::Network, Role::Change),
            ("./deploy.sh", Nature::System, Role::Change),
        ] {
            assert_eq!(of(command, nature), role, "{command}");
        }
    }

    #[test]
    fn a_tool_plays_its_part() {
        let of = |tool: &str, input: &str, nature| CallMarks::read(tool, input, nature).role;
        assert_eq!(of("Edit", r#"{"file_path":"a"}"#, Nature::Modification), Role::Change);
        assert_eq!(of("TaskOutput", r#"{"task_id":"a"}"#, Nature::Read), Role::Wait);
        assert_eq!(of("WebFetch", r#"{"url":"a"}"#, Nature::Network), Role::Look);
        assert_eq!(of("mcp__forge__get_issue", "{}", Nature::Network), Role::Look);
        assert_eq!(of("mcp__forge__create_issue", "{}", Nature::Network), Role::Change);
        assert_eq!(of("Read", r#"{"file_path":"/t/x.output"}"#, Nature::Read), Role::Wait);
        assert_eq!(of("Read", "not json", Nature::Read), Role::Look);
    }
}
