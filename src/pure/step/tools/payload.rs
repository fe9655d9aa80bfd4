//! Commands, code and SQL in the input of a tool.

use super::name::{Doing, Name};
use super::{nature, scripts};
use crate::pure::client::{Argument, OtherCall};
use crate::pure::shell::{Code, Language};
use crate::pure::step::assessment::Nature;
use crate::pure::step::effect::Effect;
use crate::pure::step::sql;
use crate::pure::step::survey::Surveyor;
use crate::pure::text;

/// Programs that tools are named after; the input of such a tool holds the program's arguments.
const PROGRAMS: [(&str, &str); 16] = [
    ("terraform", "terraform"),
    ("tofu", "tofu"),
    ("kubectl", "kubectl"),
    ("kubernetes", "kubectl"),
    ("k8s", "kubectl"),
    ("helm", "helm"),
    ("docker", "docker"),
    ("aws", "aws"),
    ("gcloud", "gcloud"),
    ("az", "az"),
    ("npm", "npm"),
    ("git", "git"),
    ("gh", "gh"),
    ("psql", "psql"),
    ("redis", "redis-cli"),
    ("valkey", "redis-cli"),
];

/// Programs whose servers take the arguments of the program as a command.
const RUN_THEIR_PROGRAM: [&str; 7] = ["redis-cli", "kubectl", "terraform", "tofu", "helm", "git", "gh"];

/// Names of arguments that hold a program.
const CODE: [&str; 9] =
    ["code", "script", "source_code", "source", "js_code", "python_code", "new_source", "snippet", "program"];

pub(crate) fn survey(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) {
    let looks = name.doing() == Doing::Looks;
    let runs = name.has(&["execute", "exec", "run", "shell", "bash", "terminal", "ssh", "powershell"]);
    if runs || !looks {
        commands(call, name, runs, surveyor);
    }
    for text in call.values(&CODE) {
        surveyor.add_code(text);
        let cell = scripts::cell_commands(text);
        if !cell.is_empty() {
            surveyor.add_possible_command(&cell);
        }
        if Name::new(&call.server).has(&["applescript", "osascript", "macos"]) {
            surveyor.add_command(&format!("osascript -e {}", text::quoted(text)));
        }
        if let Some(language) = language(call, name).or_else(|| guessed(text)) {
            let code = Code { language, text: text.to_owned() };
            surveyor.add_program(&code, &surveyor.place.cwd.clone());
        }
    }
    if !looks || name.has(&["query", "sql"]) {
        statements(call, name, surveyor);
    }
}

/// The language of the code in a call, by what the call or its names say.
fn language(call: &OtherCall, name: &Name) -> Option<Language> {
    let (server, said) = (Name::new(&call.server), call.values(&["language", "lang"]).next().map(Name::new));
    let says =
        |words: &[&str]| name.has(words) || server.has(words) || said.iter().any(|said| said.has(words));
    [
        (Language::Python, ["python", "python3", "jupyter", "ide", "blender"].as_slice()),
        (Language::JavaScript, ["javascript", "js", "node", "typescript"].as_slice()),
        (Language::Ruby, ["ruby"].as_slice()),
        (Language::Php, ["php"].as_slice()),
        (Language::Perl, ["perl"].as_slice()),
        (Language::Lua, ["lua"].as_slice()),
    ]
    .into_iter()
    .find_map(|(language, words)| says(words).then_some(language))
}

/// The language of a text, guessed from its words.
fn guessed(text: &str) -> Option<Language> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["require(", "=>", "const ", "await ", "document.", "process.env"]) {
        Some(Language::JavaScript)
    } else if has(&["import os", "import shutil", "import subprocess", "__import__(", "def "]) {
        Some(Language::Python)
    } else {
        None
    }
}

/// An opaque command counts only if the tool runs commands.
fn commands(call: &OtherCall, name: &Name, runs: bool, surveyor: &mut Surveyor<'_>) {
    const SHELLS: [&str; 6] = ["shell", "bash", "terminal", "ssh", "process", "tmux"];
    let shell = name.has(&SHELLS) || Name::new(&call.server).has(&SHELLS);
    let several = call.values(&["commands"]).map(str::to_owned);
    let script = call.values(&["script"]).filter(|_| shell).map(str::to_owned);
    for command in one_command(call, name).into_iter().chain(several).chain(script) {
        nature(surveyor, Nature::System);
        match runs {
            true => surveyor.add_command(&command),
            false => surveyor.add_possible_command(&command),
        }
    }
    // Input for a running process is a command if the process is a shell.
    for typed in call.values(&["input", "keys"]).filter(|_| shell) {
        surveyor.add_possible_command(typed);
    }
}

/// The command with its arguments, after the program that the tool is named after.
fn one_command(call: &OtherCall, name: &Name) -> Option<String> {
    let is_command = |argument: &&Argument| {
        let name = argument.name.to_ascii_lowercase();
        name.ends_with("command") || name.ends_with("cmd")
    };
    let commands: Vec<&str> =
        call.arguments.iter().filter(is_command).map(|argument| argument.value.as_str()).collect();
    let mut words = match commands.as_slice() {
        // A list of words, not one line.
        [_, _, ..] => commands.iter().copied().map(text::quoted).collect(),
        _ => commands.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(),
    };
    words.extend(call.values(&["args", "arguments", "argv"]).map(|word| match commands.is_empty() {
        true => text::quoted(word),
        false => word.to_owned(),
    }));
    let server = Name::new(&call.server);
    let first = words.first()?.trim_start().to_owned();
    let named = |name: &Name| {
        PROGRAMS.iter().find(|(called, program)| name.has(&[called]) && !first.starts_with(program))
    };
    const CONTAINERS: [&str; 9] = [
        "container", "container_id", "containerId", "container_name", "containerName", "pod", "podName",
        "pod_name", "name",
    ];
    let of_cluster = server.has(&["kubernetes", "kubectl", "k8s"]);
    let inside = name.has(&["exec", "run", "execute"])
        && (of_cluster || name.has(&["exec"]) || server.has(&["docker"]));
    // What a new container is called says nothing about where a command runs.
    let named_by = |argument: &str| argument != "name" || name.has(&["exec"]);
    let container = call
        .arguments
        .iter()
        .find(|argument| CONTAINERS.contains(&argument.name.as_str()) && named_by(&argument.name));
    let container = container.map(|argument| argument.value.as_str());
    let front = match container.filter(|_| inside) {
        Some(container) if of_cluster => format!("kubectl exec {} -- ", text::quoted(container)),
        Some(container) => format!("docker exec {} ", text::quoted(container)),
        // What a server runs besides its program, it runs as a command of its own.
        None => named(name)
            .or_else(|| named(&server).filter(|(_, program)| RUN_THEIR_PROGRAM.contains(program)))
            .map(|(_, program)| format!("{program} "))
            .unwrap_or_default(),
    };
    let kind =
        call.values(&["resourceType", "resource_type"]).next().filter(|_| front.starts_with("kubectl "));
    words.extend(kind.into_iter().chain(call.values(&["name"]).filter(|_| kind.is_some())).map(text::quoted));
    Some(front + &words.join(" "))
}

/// Parts of the names of servers that run statements.
const DATABASES: [&str; 22] = [
    "sql", "postgres", "database", "maria", "oracle", "duckdb", "bigquery", "snowflake", "redshift",
    "athena", "clickhouse", "neo4j", "memgraph", "supabase", "neon", "turso", "d1", "databricks",
    "cassandra", "cockroach", "planetscale", "trino",
];

fn statements(call: &OtherCall, name: &Name, surveyor: &mut Surveyor<'_>) {
    // Search terms are not statements.
    if name.has(&["search", "find", "lookup", "docs"]) {
        return;
    }
    const NAMED: [&str; 7] = ["sql", "query", "statement", "queries", "statements", "stmt", "script"];
    // A server of a database has no other use for a text that is a statement, whatever the argument's name.
    let server = call.server.to_ascii_lowercase();
    let of_data = DATABASES.iter().any(|one| server.contains(one)) || name.has(&["sql", "query", "cypher"]);
    let texts = call.arguments.iter().filter(|argument| of_data || NAMED.contains(&argument.name.as_str()));
    for text in texts.map(|argument| argument.value.as_str()) {
        // `COPY … TO PROGRAM 'command'`
        if let Some((_, rest)) = text.split_once("PROGRAM '").filter(|_| sql::is_sql(text)) {
            surveyor.add_possible_command(rest.split('\'').next().unwrap_or_default());
        }
        for lost in sql::losses(text).into_iter().filter(|_| sql::is_sql(text)) {
            nature(surveyor, Nature::Deletion);
            surveyor.effect(Effect::Destroy { what: format!("SQL that would {lost}") });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pure::step::sample::called;
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
            ("mcp__x__explain_command", json!({"command": "rm -rf ~"})),
            ("mcp__x__run_script", json!({"script": "print((1, 2)"})),
            ("mcp__x__process_text", json!({"input": "a (b"})),
        ] {
            assert_eq!(called(tool, &input), [""; 0], "{tool}");
        }
    }

    #[test]
    fn code_is_read_in_its_language() {
        let code = "import shutil\nshutil.rmtree('/home/user')";
        for (tool, input) in [
            ("mcp__ide__executeCode", json!({"code": code})),
            ("mcp__sandbox__run_code", json!({"code": code, "language": "python"})),
            ("mcp__x__run_python", json!({"code": "import os\nos.system('rm -rf ~')"})),
        ] {
            assert_eq!(called(tool, &input), ["system_or_home"], "{tool}");
        }
        assert_eq!(called("mcp__ide__executeCode", &json!({"code": "print('rm -rf ~')"})), [""; 0]);
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
            ("mcp__docs__ask", json!({"query": "delete users endpoint"})),
            ("mcp__linear__list_issues", json!({"query": "delete from users"})),
        ] {
            assert_eq!(called(tool, &input), [""; 0], "{tool}");
        }
    }
}
