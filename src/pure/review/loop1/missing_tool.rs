//! Failures of a runner that only lacks its tool.

use crate::pure::project::CheckKind;

/// The reason, if a check failed only because its tool is not installed. Trusts only the first line of the output, and a
/// runner only in static checks: otherwise the code under review could print the same line.
pub(super) fn missing_tool(kind: CheckKind, argv: &[String], output: &str) -> Option<String> {
    let first = output.lines().next()?;
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["cargo", component, ..] => {
            let absent = first.starts_with(&format!("error: no such command: `{component}`"))
                || first.starts_with(&format!("error: 'cargo-{component}' is not installed"));
            let package = if *component == "fmt" { "rustfmt" } else { component };
            absent.then(|| match *component {
                "nextest" => "cargo nextest is not installed".into(),
                _ => format!("cargo {component} is not installed; `rustup component add {package}` adds it"),
            })
        }
        [runner @ ("bundle" | "poetry" | "pdm" | "uv"), _, rest @ ..] if kind.is_static() => {
            let tool = rest.iter().find(|word| !word.starts_with('-'))?;
            let expected = match *runner {
                "bundle" => format!("bundler: command not found: {tool}"),
                "poetry" => format!("Command not found: {tool}"),
                "pdm" => "[ExecutableNotFoundError]".into(),
                _ => format!("error: Failed to spawn: `{tool}`"),
            };
            first
                .starts_with(&expected)
                .then(|| format!("{runner} has no {tool} here; install the dependencies"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(kind: CheckKind, line: &str, output: &str) -> Option<String> {
        let argv: Vec<String> = line.split(' ').map(String::from).collect();
        missing_tool(kind, &argv, output)
    }

    #[test]
    fn a_missing_cargo_component_is_a_missing_tool_only_in_cargos_first_words() {
        let reason = Some("cargo clippy is not installed; `rustup component add clippy` adds it".to_string());
        for output in
            ["error: no such command: `clippy`\n", "error: 'cargo-clippy' is not installed for the toolchain"]
        {
            assert_eq!(missing(CheckKind::Lint, "cargo clippy", output), reason);
        }
        let spoofed = "   Compiling x\nerror: no such command: `clippy`\n";
        assert_eq!(missing(CheckKind::Lint, "cargo clippy", spoofed), None);
        assert_eq!(missing(CheckKind::Test, "npm run test", "error: no such command: `run`"), None);
    }

    #[test]
    fn a_runner_is_believed_only_where_no_code_of_the_project_runs() {
        for (line, output) in [
            ("uv run --locked ruff check .", "error: Failed to spawn: `ruff`\n  Caused by: no such file"),
            ("poetry run ruff check .", "Command not found: ruff"),
            ("bundle exec rubocop", "bundler: command not found: rubocop"),
        ] {
            assert!(missing(CheckKind::Lint, line, output).is_some(), "{line}");
            assert_eq!(missing(CheckKind::Test, line, output), None, "{line}");
            assert_eq!(missing(CheckKind::Lint, line, &format!("x\n{output}")), None, "{line}");
        }
    }
}
