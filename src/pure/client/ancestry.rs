//! Who started a process: the client, something that the client started, or somebody else. Pure.

use serde::{Deserialize, Serialize};

/// The system's facts about a running process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    pub id: u32,
    pub parent: u32,
    /// Grows with time; the same process has the same value for as long as it runs.
    pub started: u64,
    /// Its program file, with the script of an interpreter.
    pub program: String,
    /// The control group, in which orphans stay.
    pub group: String,
    /// Which numbers of processes are meant.
    pub namespace: String,
    /// Whether it was started with the variables that the client gives to its children.
    #[serde(default)]
    pub marked: bool,
}

/// The kind of agent between a process and a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentTrace {
    Ancestor,
    Orphan,
    Unreadable,
}

const INTERPRETERS: [&str; 3] = ["node", "bun", "deno"];

impl Process {
    pub fn is(&self, other: &Self) -> bool {
        (self.id, self.started, &self.namespace) == (other.id, other.started, &other.namespace)
    }

    /// Whether its program is Claude Code, as far as its name tells.
    pub fn is_named_like_client(&self) -> bool {
        let (program, script) = self.program.split_once(' ').unwrap_or((&self.program, ""));
        program.rsplit('/').next() == Some("claude")
            || program.contains("/claude/versions/")
            || script.contains("claude-code/")
    }

    /// The program with its script, as it is compared.
    pub fn program_of(file: &str, script: Option<&str>) -> String {
        let interprets = file.rsplit('/').next().is_some_and(|name| INTERPRETERS.contains(&name));
        match script.filter(|_| interprets) {
            Some(script) => format!("{file} {script}"),
            None => file.to_owned(),
        }
    }
}

/// The trace of an agent in a chain of processes, from this one up. `clients` are those that run.
pub(crate) fn agent_trace(chain: &[Process], clients: &[Process]) -> Option<AgentTrace> {
    let ancestors = chain.get(1..).unwrap_or_default();
    if ancestors.iter().any(|process| process.marked || process.is_named_like_client()) {
        return Some(AgentTrace::Ancestor);
    }
    client_trace(chain, clients)
}

/// The same by the running clients alone.
pub(crate) fn client_trace(chain: &[Process], clients: &[Process]) -> Option<AgentTrace> {
    let Some(first) = chain.first() else { return Some(AgentTrace::Unreadable) };
    if chain.iter().any(|process| clients.iter().any(|client| client.is(process))) {
        return Some(AgentTrace::Ancestor);
    }
    // A user's own process manager takes in orphans, as the first process of the system does.
    let is_manager = |process: &&Process| process.parent == 1 && process.program.ends_with("/systemd");
    let top = chain.iter().rfind(|process| !is_manager(process)).unwrap_or(first);
    // Something that entered from outside has no parent here, and is nobody's orphan.
    let orphan = |client: &Process| {
        client.namespace != top.namespace
            || (top.parent != 0 && top.started > client.started && top.group == client.group)
    };
    clients.iter().any(orphan).then_some(AgentTrace::Orphan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(id: u32, parent: u32, started: u64, program: &str) -> Process {
        Process {
            id,
            parent,
            started,
            program: program.into(),
            group: "/session".into(),
            namespace: "pid:[1]".into(),
            marked: false,
        }
    }

    #[test]
    fn a_terminal_of_a_person_has_no_trace_of_a_client_that_runs_beside_it() {
        let client = process(50, 40, 500, "/opt/claude/cli");
        let clients = [client.clone()];
        let older =
            [process(90, 80, 900, "plimsoll"), process(80, 30, 800, "zsh"), process(30, 1, 300, "tmux")];
        assert_eq!(agent_trace(&older, &clients), None, "a terminal that was there before the client");
        let mut own_group = process(70, 1, 700, "alacritty");
        own_group.group = "/app/alacritty".into();
        assert_eq!(agent_trace(&[process(90, 70, 900, "plimsoll"), own_group.clone()], &clients), None);
        let manager = process(2, 1, 100, "/usr/lib/systemd/systemd");
        let below = process(70, 2, 700, "alacritty");
        let desktop =
            [process(90, 70, 900, "plimsoll"), Process { group: own_group.group, ..below }, manager];
        assert_eq!(agent_trace(&desktop, &clients), None);
        let entered = [process(90, 80, 900, "plimsoll"), process(80, 0, 800, "bash")];
        assert_eq!(agent_trace(&entered, &clients), None, "docker exec");
        let late = [process(90, 70, 900, "plimsoll"), process(70, 1, 700, "xterm")];
        assert_eq!(agent_trace(&late, &[]), None, "no client runs");
    }

    #[test]
    fn a_child_or_an_orphan_of_a_client_is_no_person() {
        let client = process(50, 40, 500, "/opt/own/name");
        let clients = [client.clone()];
        let child = [process(90, 80, 900, "plimsoll"), process(80, 50, 800, "script"), client];
        assert_eq!(agent_trace(&child, &clients), Some(AgentTrace::Ancestor));
        let orphan = [process(90, 80, 900, "plimsoll"), process(80, 1, 800, "script")];
        assert_eq!(agent_trace(&orphan, &clients), Some(AgentTrace::Orphan));
        let manager = process(2, 1, 100, "/usr/lib/systemd/systemd");
        let adopted = [process(90, 80, 900, "plimsoll"), process(80, 2, 800, "script"), manager];
        assert_eq!(agent_trace(&adopted, &clients), Some(AgentTrace::Orphan));
        let mut elsewhere = process(2, 0, 900, "plimsoll");
        elsewhere.namespace = "pid:[2]".into();
        assert_eq!(agent_trace(&[elsewhere], &clients), Some(AgentTrace::Orphan), "unshare --pid");
        assert_eq!(agent_trace(&[], &clients), Some(AgentTrace::Unreadable));
    }

    #[test]
    fn a_client_that_never_ran_our_hooks_is_known_by_its_name_or_its_variables() {
        let named = |program: &str| [process(90, 80, 900, "plimsoll"), process(80, 1, 800, program)];
        for program in [
            "/usr/bin/claude",
            "/home/a/.local/share/claude/versions/2.1.326",
            "/usr/bin/node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
        ] {
            assert_eq!(agent_trace(&named(program), &[]), Some(AgentTrace::Ancestor), "{program}");
        }
        for program in ["/usr/bin/node server.js", "/home/claude/bin/zsh", "/usr/bin/claude-monitor"] {
            assert_eq!(agent_trace(&named(program), &[]), None, "{program}");
        }
        let [own, mut shell] = named("/bin/bash");
        shell.marked = true;
        assert_eq!(agent_trace(&[own, shell], &[]), Some(AgentTrace::Ancestor));
    }
}
