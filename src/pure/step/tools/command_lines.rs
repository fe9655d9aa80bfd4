//! The command lines in files of other programs: images, pipelines, units, tables of tasks.

use super::workflow::steps;
use crate::pure::text;
use camino::Utf8Path;
use serde_json::Value;

/// The commands of a file whose format says which of its texts are commands, and whether they run on another machine.
pub(super) enum CommandLines {
    Here(Vec<String>),
    Elsewhere(Vec<String>),
}

/// `None` for a file of no such format.
pub(super) fn command_lines(path: &Utf8Path, text: &str) -> Option<CommandLines> {
    use CommandLines::{Elsewhere, Here};
    let name = path.file_name().unwrap_or_default();
    let ending = path.extension().unwrap_or_default();
    Some(match name {
        _ if is_image(name, ending) => Elsewhere(vec![build_steps(text)]),
        _ if name.starts_with("Jenkinsfile") || ending == "jenkinsfile" => Elsewhere(shell_steps(text)),
        ".pre-commit-config.yaml"
        | "lefthook.yml"
        | "lefthook.yaml"
        | ".lefthook.yml"
        | "action.yml"
        | "action.yaml" => Here(steps(text)),
        _ if is_compose(name) => Elsewhere(steps(text)),
        _ => match ending {
            "toml" => Here(tasks(text)),
            "service" | "desktop" => Here(started_lines(text)),
            "tf" => Here(local_commands(text)),
            "ps1" | "psm1" => Here(vec![format!("{POWERSHELL}{}", text::quoted(text))]),
            "bat" | "cmd" => Here(batch_lines(text)),
            _ => return None,
        },
    })
}

fn is_image(name: &str, ending: &str) -> bool {
    let bare = name.split('.').next().unwrap_or_default();
    matches!(bare, "Dockerfile" | "Containerfile") || matches!(ending, "dockerfile" | "containerfile")
}

pub(super) fn is_compose(name: &str) -> bool {
    let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    yaml && (name.starts_with("compose") || name.starts_with("docker-compose"))
}

/// What an image runs while it is built; lines that end in `\` go on.
fn build_steps(text: &str) -> String {
    let whole = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let steps = whole.lines().filter_map(|line| {
        let (word, step) = line.trim_start().split_once(char::is_whitespace)?;
        let mut step = step.trim_start();
        // `RUN --mount=type=cache,target=/x apt-get …`
        while let Some(rest) = step.strip_prefix("--") {
            step = rest.split_once(char::is_whitespace)?.1.trim_start();
        }
        word.eq_ignore_ascii_case("RUN").then(|| words_of_list(step).unwrap_or_else(|| step.to_owned()))
    });
    steps.collect::<Vec<_>>().join("\n")
}

/// `["sh", "-c", "x"]` as one line.
pub(super) fn words_of_list(text: &str) -> Option<String> {
    let words: Vec<String> = text.starts_with('[').then(|| serde_json::from_str(text).ok())??;
    Some(words.iter().map(text::quoted).collect::<Vec<_>>().join(" "))
}

/// `sh '…'`, `sh(script: "…")`, `bat """…"""`: the quoted text behind the step.
fn shell_steps(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, step) in ["sh", "bat", "powershell", "pwsh"].iter().flat_map(|step| text.match_indices(step)) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + step.len()..).unwrap_or_default();
        let argument = behind.trim_start_matches([' ', '(']);
        let argument = argument.split_once("script:").map_or(argument, |(front, rest)| {
            if front.contains(['\'', '"', '\n']) { argument } else { rest.trim_start() }
        });
        if before.is_some_and(|c| c.is_alphanumeric() || "_-./".contains(c)) || argument.len() == behind.len()
        {
            continue;
        }
        let quote = ["'''", "\"\"\"", "'", "\""].iter().find(|quote| argument.starts_with(**quote));
        let inside = quote.and_then(|quote| {
            let inside = argument.get(quote.len()..)?;
            Some(inside.split_once(quote).map_or(inside, |(inside, _)| inside))
        });
        found.extend(inside.map(|command| command.replace("\\\"", "\"").replace("\\$", "$")));
    }
    found
}

/// Entries of sections that list tasks or scripts, and of keys that name a command anywhere.
fn tasks(text: &str) -> Vec<String> {
    const KEYS: [&str; 6] = ["cmd", "shell", "run", "runner", "script", "command"];
    let mut listed = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[').filter(|_| line.ends_with(']')) {
            let mut parts = section.trim_end_matches(']').split('.').map(|part| part.trim_matches('"'));
            listed = parts.next_back().is_some_and(|last| matches!(last, "tasks" | "scripts" | "alias"));
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim(), value.trim());
        if listed || KEYS.contains(&key) {
            found.extend(words_of_list(value).or_else(|| quoted_text(value)));
        }
        // `x = { cmd = "…" }`
        let inner = value.strip_prefix('{').unwrap_or_default().split(',');
        let inner = inner.filter_map(|pair| pair.split_once('='));
        found.extend(
            inner
                .filter(|(key, _)| KEYS.contains(&key.trim()))
                .filter_map(|(_, value)| quoted_text(value.trim())),
        );
    }
    found
}

/// The first quoted text of a line.
fn quoted_text(value: &str) -> Option<String> {
    match value.chars().next()? {
        '\'' => Some(value.trim_start_matches('\'').split('\'').next()?.to_owned()),
        '"' => {
            let mut texts = serde_json::Deserializer::from_str(value).into_iter::<Value>();
            texts.next()?.ok()?.as_str().map(str::to_owned)
        }
        _ => None,
    }
}

/// `ExecStart=` of a unit, `Exec=` of a desktop entry.
fn started_lines(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim_start().split_once('='));
    let started = lines.filter(|(key, _)| key.starts_with("Exec"));
    started
        .map(|(_, command)| command.trim_start_matches(['-', '@', '+', '!', ':', ' ']).to_owned())
        .collect()
}

/// What a plan runs on the machine that applies it.
fn local_commands(text: &str) -> Vec<String> {
    if !text.contains("local-exec") && !text.contains("\"external\"") {
        return Vec::new();
    }
    let values = text.lines().filter_map(|line| line.trim().strip_prefix("command"));
    values.filter_map(|rest| quoted_text(rest.trim_start().strip_prefix('=')?.trim_start())).collect()
}

fn batch_lines(text: &str) -> Vec<String> {
    let is_command = |line: &&str| {
        !line.is_empty() && !line.starts_with(':') && !line.to_ascii_lowercase().starts_with("rem ")
    };
    let lines = text.lines().map(|line| line.trim().trim_start_matches('@')).filter(is_command);
    lines.map(|line| format!("{BATCH}{}", text::quoted(line))).collect()
}

const POWERSHELL: &str = "pwsh -Command ";
const BATCH: &str = "cmd /c ";

/// Whether a line hands all of its text to a shell of Windows.
pub(super) fn carries_a_text(line: &str) -> bool {
    line.starts_with(POWERSHELL) || line.starts_with(BATCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<String> {
        match command_lines(Utf8Path::new(path), text) {
            Some(CommandLines::Here(lines) | CommandLines::Elsewhere(lines)) => lines,
            None => Vec::new(),
        }
    }

    #[test]
    fn commands_are_found_in_every_format() {
        for (path, text, expected) in [
            ("/p/Dockerfile", "FROM x\nRUN one \\\n  two\nCMD three\n", &["one    two"][..]),
            ("/p/api.dockerfile", "RUN --mount=type=cache,target=/c [\"a\", \"b c\"]", &["'a' 'b c'"]),
            (
                "/p/Jenkinsfile",
                "stage('x') { sh 'one'\n sh(script: \"two\", returnStdout: true)\n bash = 'three' }",
                &["one", "two"],
            ),
            ("/p/pyproject.toml", "[tool.poe.tasks]\na = \"one\"\nb = { cmd = \"two\" }\n", &["one", "two"]),
            (
                "/p/.cargo/config.toml",
                "[target.x]\nrunner = [\"sh\", \"-c\", \"one two\"]\n",
                &["'sh' '-c' 'one two'"],
            ),
            ("/p/a.service", "[Service]\nExecStart=-one\nRestart=always\n", &["one"]),
            ("/p/a.tf", "provisioner \"local-exec\" {\n  command = \"one\"\n}\n", &["one"]),
            ("/p/compose.yaml", "services:\n  x:\n    command: one\n", &["one"]),
            ("/p/.pre-commit-config.yaml", "- id: x\n  entry: one\n", &["one"]),
        ] {
            assert_eq!(lines(path, text), expected, "{path}");
        }
        for (path, text) in [
            ("/p/Dockerfile.md", "no"),
            ("/p/Cargo.toml", "[package]\nname = \"run\"\n"),
            ("/p/a.tf", "resource \"x\" {\n  command = \"one\"\n}\n"),
            ("/p/a.yaml", "command: one\n"),
        ] {
            assert!(lines(path, text).iter().all(|line| line.trim().is_empty()), "{path}");
        }
    }
}
