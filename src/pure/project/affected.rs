//! Only the tests that a change affects, where the test tool knows how to tell. In doubt all of them run.

use super::CheckKind;
use super::checks::Checks;
use super::plan::{CheckCommand, CheckPlan, CommandOrigin};
use std::collections::BTreeSet;

/// The change that decides which tests are affected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AffectedBy<'a> {
    /// The commit that the change builds upon.
    pub base: &'a str,
    /// Paths that differ from it.
    pub changed: &'a [String],
    /// All paths of the content.
    pub files: &'a BTreeSet<String>,
}

const ONLY: &str = "only tests that the change affects";

impl Checks {
    /// The same with narrower tests. Commands of the settings and scripts of the project stay as they are.
    pub fn narrowed(self, change: &AffectedBy<'_>) -> Self {
        let mut plans = self.into_plans();
        for planned in plans.iter_mut().filter(|planned| planned.kind == CheckKind::Test) {
            if let CheckPlan::Run(command) = &mut planned.plan
                && command.origin == CommandOrigin::Tool
            {
                narrow(command, &planned.directory, change);
            }
        }
        Self::from_plans(plans)
    }
}

fn narrow(command: &mut CheckCommand, directory: &str, change: &AffectedBy<'_>) {
    let more = match tool(&command.argv) {
        Some("jest") => Some(vec![format!("--changedSince={}", change.base)]),
        Some("vitest") => Some(vec!["--changed".into(), change.base.into(), "--passWithNoTests".into()]),
        Some("cargo") if command.argv.iter().any(|word| word == "--workspace") => {
            let manifest = only_package(directory, change);
            if manifest.is_some() {
                command.argv.retain(|word| word != "--workspace");
            }
            manifest.map(|manifest| vec!["--manifest-path".into(), manifest])
        }
        Some("pytest") => test_folders(directory, change),
        Some(_) | None => None,
    };
    if let Some(more) = more {
        command.argv.extend(more);
        command.why = format!("{}, {ONLY}", command.why);
    }
}

fn tool(argv: &[String]) -> Option<&str> {
    const KNOWN: [&str; 4] = ["jest", "vitest", "cargo", "pytest"];
    let names = argv.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
    names.into_iter().find(|name| KNOWN.contains(name))
}

/// Changed paths relative to the folder; `None` where one lies elsewhere.
fn within<'a>(directory: &str, change: &AffectedBy<'a>) -> Option<Vec<&'a str>> {
    let below = |path: &'a String| match directory {
        "" => Some(path.as_str()),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    };
    change.changed.iter().map(below).collect()
}

/// The manifest of the one package that holds every changed file; what depends on it is not known, so only a package that no
/// other manifest can mean counts: one below the root.
fn only_package(directory: &str, change: &AffectedBy<'_>) -> Option<String> {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let package = |path: &str| {
        path.rmatch_indices('/')
            .map(|(at, _)| format!("{}/Cargo.toml", path.get(..at).unwrap_or_default()))
            .find(|manifest| change.files.contains(&format!("{prefix}{manifest}")))
    };
    let packages: Option<BTreeSet<String>> = within(directory, change)?.into_iter().map(package).collect();
    let mut packages = packages?.into_iter();
    packages.next().filter(|_| packages.next().is_none())
}

/// The folders of tests that belong to the changed packages, by name.
fn test_folders(directory: &str, change: &AffectedBy<'_>) -> Option<Vec<String>> {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let exists = |folder: &str| {
        let start = format!("{prefix}{folder}/");
        change.files.range(start.clone()..).next().is_some_and(|path| path.starts_with(&start))
    };
    let mut folders = BTreeSet::new();
    for path in within(directory, change)? {
        let (folder, name) = path.rsplit_once('/')?;
        if !name.ends_with(".py") || name == "conftest.py" {
            return None;
        }
        let is_test = name.starts_with("test_") || name.ends_with("_test.py");
        let package = folder.strip_prefix("src/").unwrap_or(folder).split('/').next()?;
        let own = [format!("tests/{package}"), format!("{folder}/tests")];
        let found = if is_test { Some(path.to_owned()) } else { own.into_iter().find(|own| exists(own)) };
        folders.insert(found?);
    }
    (!folders.is_empty()).then(|| folders.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(line: &str, changed: &[&str], files: &[&str]) -> String {
        let CheckPlan::Run(mut command) = CheckPlan::tool(line, "a manifest") else { unreachable!() };
        let changed: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let files = files.iter().map(ToString::to_string).collect();
        narrow(&mut command, "", &AffectedBy { base: "abc", changed: &changed, files: &files });
        assert_eq!(command.why.contains(ONLY), command.argv.join(" ") != line, "{line}");
        command.argv.join(" ")
    }

    #[test]
    fn each_tool_is_told_in_its_own_way() {
        let crates = ["Cargo.toml", "crates/a/Cargo.toml", "crates/a/src/lib.rs", "crates/b/Cargo.toml"];
        let python = ["app/a.py", "tests/app/test_a.py", "lib/b.py"];
        for (line, changed, files, expected) in [
            (
                "node_modules/.bin/jest --ci",
                &["a.js"][..],
                &[][..],
                "node_modules/.bin/jest --ci --changedSince=abc",
            ),
            (
                "node_modules/.bin/vitest run",
                &["a.ts"],
                &[],
                "node_modules/.bin/vitest run --changed abc --passWithNoTests",
            ),
            (
                "cargo test --workspace --locked",
                &["crates/a/src/lib.rs"],
                &crates,
                "cargo test --locked --manifest-path crates/a/Cargo.toml",
            ),
            (
                "cargo test --workspace",
                &["crates/a/src/lib.rs", "crates/b/x.rs"],
                &crates,
                "cargo test --workspace",
            ),
            ("cargo test --workspace", &["Cargo.toml"], &crates, "cargo test --workspace"),
            ("python -m pytest -q", &["app/a.py"], &python, "python -m pytest -q tests/app"),
            ("pytest -q", &["tests/app/test_a.py"], &python, "pytest -q tests/app/test_a.py"),
            ("pytest -q", &["lib/b.py"], &python, "pytest -q"),
            ("pytest -q", &["app/conftest.py"], &python, "pytest -q"),
            ("pytest -q", &["pyproject.toml"], &python, "pytest -q"),
            ("go test ./...", &["a.go"], &[], "go test ./..."),
        ] {
            assert_eq!(narrowed(line, changed, files), expected, "{line}: {changed:?}");
        }
    }
}
