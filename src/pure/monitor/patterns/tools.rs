//! The nature of a tool by its name, for tools that the survey does not know: those of other agents, and of servers.

use crate::pure::step::Nature;
use crate::pure::text::name_words;

/// The nature that the name states; none where it states nothing.
pub(crate) fn named_nature(tool: &str) -> Option<Nature> {
    let words = words(tool);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["delete", "remove", "rm", "drop", "destroy", "purge"]) {
        Some(Nature::Deletion)
    } else if has(&[
        "write", "edit", "patch", "update", "replace", "insert", "move", "rename", "apply", "modify",
        "append", "save", "set", "put", "commit", "multiedit", "notebookedit",
    ]) {
        Some(Nature::Modification)
    } else if has(&["create", "add", "new", "mkdir", "touch", "upload"]) {
        Some(Nature::Creation)
    } else if has(&[
        "read", "get", "list", "ls", "search", "grep", "glob", "find", "view", "lookup", "fetch", "show",
        "cat", "query", "status", "diagnostics", "describe", "check", "inspect", "count", "open", "browse",
        "look", "zoom", "tree", "stat", "diff", "log", "logs",
    ]) {
        Some(Nature::Read)
    } else {
        None
    }
}

/// Whether it takes a command line.
pub(crate) fn is_shell(tool: &str) -> bool {
    let known = |word: &str| {
        matches!(word, "bash" | "shell" | "terminal" | "execute" | "exec" | "run" | "command" | "cmd" | "sh")
    };
    tool == "Bash" || !words(tool).is_empty() && words(tool).iter().all(|word| known(word))
}

/// Whether it waits for something, or asks how it stands.
pub(super) fn waits(tool: &str) -> bool {
    matches!(tool, "TaskOutput" | "BashOutput" | "Monitor" | "WaitForMcpServers" | "AgentOutputTool")
        || words(tool)
            .iter()
            .any(|word| matches!(word.as_str(), "wait" | "poll" | "await" | "status" | "progress"))
}

pub(super) fn sleeps(tool: &str) -> bool {
    matches!(tool, "Sleep" | "ScheduleWakeup") || words(tool).iter().any(|word| word == "sleep")
}

/// Whether it starts another agent.
pub(super) fn starts_agent(tool: &str) -> bool {
    matches!(tool, "Agent" | "Task" | "task" | "agent" | "delegate" | "dispatch_agent" | "spawn_agent")
}

/// Whether it could have run a check; `named` is the kind of agent or the skill that it starts.
pub(super) fn may_check(tool: &str, named: &str) -> bool {
    const CHECKS: [&str; 18] = [
        "test", "tests", "lint", "build", "check", "checks", "verify", "validate", "run", "exec", "execute",
        "compile", "diagnostics", "eval", "ci", "qa", "review", "ship",
    ];
    const BUILT_IN: [&str; 30] = [
        "Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS",
        "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskStop", "WebFetch",
        "WebSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ToolSearch",
        "KillShell", "KillBash", "SendMessage", "ListMcpResourcesTool", "ReadMcpResourceTool", "LSP",
        "Sleep",
    ];
    const READERS: [&str; 4] = ["Explore", "Plan", "claude-code-guide", "statusline-setup"];
    let names_check = |name: &str| words(name).iter().any(|word| CHECKS.contains(&word.as_str()));
    match tool {
        _ if BUILT_IN.contains(&tool) => false,
        "Skill" | "SlashCommand" => names_check(named),
        _ if starts_agent(tool) => !READERS.contains(&named),
        _ => names_check(tool) || named_nature(tool).is_none() || waits(tool),
    }
}

/// Whether it keeps the agent's own plan.
pub(super) fn plans(tool: &str) -> bool {
    matches!(tool, "TodoWrite" | "TaskCreate" | "TaskUpdate" | "update_plan" | "todo_write")
}

fn words(tool: &str) -> Vec<String> {
    name_words(super::text::start(tool, 128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_told_by_its_name() {
        for (tool, nature) in [
            ("read_file", Some(Nature::Read)),
            ("readManyFiles", Some(Nature::Read)),
            ("lookup", Some(Nature::Read)),
            ("mcp_extension_tool_get_diagnostics", Some(Nature::Read)),
            ("edit", Some(Nature::Modification)),
            ("write_file", Some(Nature::Modification)),
            ("apply-patch", Some(Nature::Modification)),
            ("delete_branch", Some(Nature::Deletion)),
            ("create_issue", Some(Nature::Creation)),
            ("testTool", None),
            ("", None),
        ] {
            assert_eq!(named_nature(tool), nature, "{tool}");
        }
        for tool in ["Bash", "bash", "terminal", "execute_bash", "run_shell_command", "execute_command"] {
            assert!(is_shell(tool), "{tool}");
        }
        for tool in ["Read", "run_tests", "BashOutput", "command_palette_open"] {
            assert!(!is_shell(tool), "{tool}");
        }
    }
}
