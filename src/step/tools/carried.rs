//! Commands, code and SQL in the input of a tool: judged as what they are.

use super::name::Name;
use super::nature;
use crate::hook::OtherCall;
use crate::step::assess::Nature;
use crate::step::effect::Effect;
use crate::step::sql;
use crate::step::survey::Surveyor;

/// Programs that a tool may be called after, its input then being their arguments.
const PROGRAMS: [&str; 12] =
    ["terraform", "tofu", "kubectl", "helm", "docker", "aws", "gcloud", "az", "npm", "git", "gh", "psql"];

pub fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) {
    let shell = name.has(&[
        "execute",
        "exec",
        "run",
        "shell",
        "bash",
        "terminal",
        "command",
        "process",
        "ssh",
        "powershell",
    ]);
    for command in commands(call, name, shell) {
        nature(surveyor, Nature::System);
        surveyor.typed(&command);
    }
    for code in call.values(&["code", "script", "source_code"]) {
        surveyor.code(code);
    }
    if name.doing_search() {
        return;
    }
    for text in call.values(&["sql", "query", "statement", "queries", "statements", "stmt", "script"]) {
        for lost in sql::losses(text).into_iter().filter(|_| sql::is_sql(text)) {
            nature(surveyor, Nature::Deletion);
            surveyor.effect(Effect::Destroy { what: format!("SQL that would {lost}") });
        }
    }
}

fn commands(call: &OtherCall, name: &Name, shell: bool) -> Vec<String> {
    let is_command = |argument: &str| {
        let argument = argument.to_ascii_lowercase();
        argument.ends_with("command") || argument.ends_with("cmd") || (shell && argument == "script")
    };
    let named = |wanted: &dyn Fn(&str) -> bool| -> Vec<&str> {
        let found = call.arguments.iter().filter(|argument| wanted(&argument.name));
        found.map(|argument| argument.value.as_str()).collect()
    };
    let mut words = named(&is_command);
    if !words.is_empty() {
        words.extend(call.values(&["args", "arguments", "argv"]));
    }
    let program = PROGRAMS.iter().find(|program| name.has(&[program]));
    let one = match program {
        _ if words.is_empty() => None,
        Some(program) if words.first().is_some_and(|first| !first.trim_start().starts_with(program)) => {
            Some(format!("{program} {}", words.join(" ")))
        }
        Some(_) | None => Some(words.join(" ")),
    };
    let several = call.values(&["commands"]).map(str::to_owned);
    // What is typed into a process that runs already is a command if that is a shell.
    let typed = call.values(&["input", "keys"]).filter(|_| shell).map(str::to_owned);
    one.into_iter().chain(several).chain(typed).collect()
}

impl Name {
    /// Looks for words, which are no statements.
    fn doing_search(&self) -> bool {
        self.has(&["search", "find", "lookup", "docs"])
    }
}

#[cfg(test)]
mod tests {
    use crate::step::sample::called;
    use serde_json::json;

    #[test]
    fn commands_are_judged_wherever_they_stand() {
        for (tool, input) in [
            ("mcp__desktop-commander__start_process", json!({"command": "rm -rf ~"})),
            ("mcp__shell__run", json!({"cmd": "rm", "args": ["-rf", "/"]})),
            ("mcp__terminal__send_keys_to_terminal", json!({"input": "rm -rf ~"})),
            ("mcp__x__run_commands", json!({"commands": ["ls", "rm -rf ~"]})),
            ("PowerShell", json!({"command": "rm -rf ~"})),
        ] {
            assert_eq!(called(tool, &input), ["system_or_home"], "{tool}");
        }
        for (tool, input) in [
            ("mcp__shell__run", json!({"command": "cargo test"})),
            ("mcp__editor__str_replace_based_edit_tool", json!({"command": "view", "path": "src/a.rs"})),
            ("mcp__x__create_note", json!({"body": "never type rm -rf ~"})),
        ] {
            assert_eq!(called(tool, &input), [""; 0], "{tool}");
        }
    }

    #[test]
    fn sql_is_judged_where_statements_stand() {
        for (tool, input) in [
            ("mcp__postgres__query", json!({"sql": "DROP TABLE users"})),
            ("mcp__supabase__execute_sql", json!({"query": "delete from users"})),
            ("mcp__db__run", json!({"statements": ["select 1", "truncate users"]})),
        ] {
            assert_eq!(called(tool, &input), ["destroy_data"], "{tool}");
        }
        for (tool, input) in [
            ("mcp__postgres__query", json!({"sql": "SELECT * FROM users WHERE note = 'DROP TABLE x'"})),
            ("mcp__docs__search", json!({"query": "drop table users"})),
            ("mcp__docs__ask", json!({"query": "how to drop table users"})),
        ] {
            assert_eq!(called(tool, &input), [""; 0], "{tool}");
        }
    }
}
