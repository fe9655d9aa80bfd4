//! Python projects: tox and nox sessions first, otherwise tools in the project's environment.

use super::python_tools;
use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

const FILES: [&str; 4] = ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"];

/// The input of the tools.
pub(super) struct Python<'a> {
    pub(super) folder: &'a ProjectFolder<'a>,
    pub(super) project: toml::Table,
    prefix: Prefix,
}

enum Prefix {
    Runner(&'static str),
    Folder(&'static str),
    None,
}

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.first_of(&FILES).is_some()
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let project = match folder.toml("pyproject.toml") {
        Some(Ok(project)) => project,
        Some(Err(error)) => return CheckPlan::unknown("pyproject.toml", error),
        None => toml::Table::new(),
    };
    let prefix = prefix(folder, &project);
    let python = Python { folder, project, prefix };
    python.session(kind).unwrap_or_else(|| python_tools::plan(kind, &python))
}

fn prefix(folder: &ProjectFolder<'_>, project: &toml::Table) -> Prefix {
    let tool = |name: &str| project.get("tool").and_then(|tools| tools.get(name));
    if folder.has("uv.lock") {
        Prefix::Runner("uv run --locked")
    } else if folder.has("poetry.lock") || tool("poetry").is_some() {
        Prefix::Runner("poetry run")
    } else if folder.has("pdm.lock") {
        Prefix::Runner("pdm run")
    } else if tool("hatch").and_then(|hatch| hatch.get("envs")).is_some() {
        Prefix::Runner("hatch run")
    } else if folder.has_local(".venv/bin/python") {
        Prefix::Folder(".venv/bin/")
    } else if folder.has_local("venv/bin/python") {
        Prefix::Folder("venv/bin/")
    } else {
        Prefix::None
    }
}

impl Python<'_> {
    /// A tool in the project's own environment.
    pub(super) fn tool(&self, line: &str, why: &str) -> CheckPlan {
        CheckPlan::tool(self.line(line), why)
    }

    fn line(&self, line: &str) -> String {
        match self.prefix {
            Prefix::Runner(runner) => format!("{runner} {line}"),
            Prefix::Folder(folder) => format!("{folder}{line}"),
            Prefix::None => line.into(),
        }
    }

    pub(super) fn section(&self, name: &str) -> Option<&toml::Value> {
        self.project.get("tool")?.get(name)
    }

    /// Whether any list of requirements names the package.
    pub(super) fn depends_on(&self, package: &str) -> bool {
        let listed = ["requirements.txt", "requirements-dev.txt", "setup.cfg"].into_iter().any(|file| {
            let lines = self.folder.text(file).and_then(Result::ok).unwrap_or_default().lines();
            lines.map(str::trim).any(|line| requires(line, package))
        });
        let sections = ["project", "dependency-groups", "build-system", "tool"];
        listed
            || sections.iter().filter_map(|name| self.project.get(*name)).any(|value| names(value, package))
    }

    fn session(&self, kind: CheckKind) -> Option<CheckPlan> {
        let wanted: &[&str] = match kind {
            CheckKind::Lint => &["lint", "flake8", "ruff"],
            CheckKind::Typecheck => &["typecheck", "type", "typing", "types", "mypy", "pyright"],
            CheckKind::Format => &["format-check", "fmt-check", "format_check"],
            CheckKind::Build => &[],
            CheckKind::Test => &["tests", "test"],
            CheckKind::Integration => &["integration", "test-integration"],
            CheckKind::E2e => &["e2e", "test-e2e"],
        };
        let has_tox = |name: &&&str| self.folder.says("tox.ini", &format!("[testenv:{name}]"));
        let has_nox = |name: &&&str| self.folder.says("noxfile.py", &format!("def {name}(session"));
        if let Some(name) = wanted.iter().find(has_tox) {
            return Some(CheckPlan::script(
                self.line(&format!("tox -q -e {name}")),
                format!("[testenv:{name}] in tox.ini"),
            ));
        }
        if kind == CheckKind::Test && self.folder.says("tox.ini", "[testenv]") {
            return Some(CheckPlan::script(self.line("tox -q"), "[testenv] in tox.ini"));
        }
        let name = wanted.iter().find(has_nox)?;
        Some(CheckPlan::script(
            self.line(&format!("nox -s {name}")),
            format!("session `{name}` in noxfile.py"),
        ))
    }
}

/// `ruff`, `ruff>=0.5`, `ruff[extra] ; marker`, but not `ruff-lsp`.
fn requires(line: &str, package: &str) -> bool {
    let rest = line.get(..package.len()).filter(|start| start.eq_ignore_ascii_case(package));
    let after = line.get(package.len()..).and_then(|rest| rest.chars().next());
    rest.is_some() && after.is_none_or(|next| !next.is_ascii_alphanumeric() && !"-_.".contains(next))
}

/// In a list of requirements, or as a key in poetry's tables.
fn names(value: &toml::Value, package: &str) -> bool {
    match value {
        toml::Value::Array(items) => items.iter().any(|item| match item {
            toml::Value::String(line) => requires(line, package),
            other => names(other, package),
        }),
        toml::Value::Table(table) => table.iter().any(|(key, value)| {
            (key.contains("dependencies") && value.get(package).is_some()) || names(value, package)
        }),
        _ => false,
    }
}
