//! Which checks a project has, all languages and the settings taken together.

use super::{CheckKind, Manifests, Plan, Planned, cargo, node};
use crate::policy::CheckCommands;

/// Every plan, in the order of the kinds; at least one for each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checks(Vec<Planned>);

impl Checks {
    /// Nothing found is not an error: every kind is then missing.
    pub fn detect(manifests: &Manifests, commands: &CheckCommands) -> Self {
        let kinds = CheckKind::TIER1.into_iter().chain(CheckKind::TIER2);
        Self(kinds.flat_map(|kind| planned(kind, manifests, commands)).collect())
    }

    pub fn of(&self, kinds: &[CheckKind]) -> Vec<Planned> {
        self.0.iter().filter(|planned| kinds.contains(&planned.kind)).cloned().collect()
    }
}

fn planned(kind: CheckKind, manifests: &Manifests, commands: &CheckCommands) -> Vec<Planned> {
    let one = |plan| vec![Planned { kind, name: kind.to_string(), plan }];
    if let [_, ..] = command(kind, commands) {
        let (argv, why) = (command(kind, commands).to_vec(), format!("loop1.checks.{kind} in the settings"));
        return one(Plan::Run { argv, why });
    }
    match (node::plan(kind, manifests), cargo::plan(kind, manifests)) {
        (None, None) => one(Plan::Missing { reason: "no package.json or Cargo.toml was found".into() }),
        (Some(plan), None) | (None, Some(plan)) => one(plan),
        (Some(node), Some(cargo)) => [("node", node), ("cargo", cargo)]
            .map(|(language, plan)| Planned { kind, name: format!("{kind} ({language})"), plan })
            .to_vec(),
    }
}

fn command(kind: CheckKind, commands: &CheckCommands) -> &[String] {
    match kind {
        CheckKind::Lint => &commands.lint,
        CheckKind::Typecheck => &commands.typecheck,
        CheckKind::Format => &commands.format,
        CheckKind::Build => &commands.build,
        CheckKind::Test => &commands.test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Manifest;

    fn project(names: &[&str], package_json: &str) -> Manifests {
        Manifests {
            names: names.iter().map(ToString::to_string).collect(),
            package_json: match package_json {
                "" => Manifest::Absent,
                text => Manifest::Text(text.into()),
            },
        }
    }

    /// One line per plan: `name: command line`, `name: - reason` or `name: ? reason`.
    fn lines(manifests: &Manifests, commands: &CheckCommands) -> Vec<String> {
        let line = |planned: Planned| match planned.plan {
            Plan::Run { argv, .. } => format!("{}: {}", planned.name, argv.join(" ")),
            Plan::Missing { reason } => format!("{}: - {reason}", planned.name),
            Plan::Unknown { reason } => format!("{}: ? {reason}", planned.name),
        };
        Checks::detect(manifests, commands).0.into_iter().map(line).collect()
    }

    fn detected(names: &[&str], package_json: &str) -> Vec<String> {
        lines(&project(names, package_json), &CheckCommands::default())
    }

    #[test]
    fn an_empty_directory_has_no_checks_and_that_is_no_error() {
        let found = detected(&["README.md"], "");
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|line| line.ends_with(": - no package.json or Cargo.toml was found")));
    }

    #[test]
    fn a_javascript_project_is_checked_by_its_own_scripts() {
        let package = r#"{"scripts": {"lint": "eslint .", "type-check": "tsc", "format-check": "prettier -c .",
            "build": "vite build", "test": "vitest"}}"#;
        assert_eq!(
            detected(&["package.json", "pnpm-lock.yaml"], package),
            [
                "lint: pnpm run lint",
                "typecheck: pnpm run type-check",
                "format: pnpm run format-check",
                "build: pnpm run build",
                "test: pnpm run test"
            ]
        );
    }

    #[test]
    fn the_package_manager_is_the_declared_one_then_the_one_that_wrote_the_lock_file() {
        for (file, field, manager) in [
            ("pnpm-lock.yaml", "", "pnpm"),
            ("yarn.lock", "", "yarn"),
            ("bun.lock", "", "bun"),
            ("bun.lockb", "", "bun"),
            ("package-lock.json", "", "npm"),
            ("README.md", "", "npm"),
            ("yarn.lock", "pnpm@9.1.0+sha512.abc", "pnpm"),
            ("yarn.lock", "rm -rf /", "yarn"),
        ] {
            let package = format!(r#"{{"packageManager": "{field}", "scripts": {{"lint": "x"}}}}"#);
            assert_eq!(detected(&[file], &package)[0], format!("lint: {manager} run lint"), "{file} {field}");
        }
    }

    #[test]
    fn a_script_that_checks_nothing_is_missing() {
        let package = r#"{"scripts": {"lint": " ", "test": "echo \"Error: no test specified\" && exit 1"}}"#;
        let found = detected(&["package.json"], package);
        assert_eq!(found[0], "lint: - no script `lint` in package.json");
        assert_eq!(
            found[1],
            "typecheck: - no script `typecheck`, `type-check`, `check-types`, `tsc` in package.json"
        );
        assert_eq!(found[4], "test: - no script `test` in package.json");
    }

    #[test]
    fn a_broken_package_json_leaves_every_check_unknown_rather_than_missing() {
        for broken in ["{", "[]", r#"{"scripts": []}"#, r#"{"scripts": {"lint": 1}}"#] {
            let found = detected(&["package.json"], broken);
            assert!(found.iter().all(|line| line.contains(": ? package.json: ")), "{broken}: {found:?}");
        }
        let manifests =
            Manifests { package_json: Manifest::Unreadable("too large".into()), ..Manifests::default() };
        assert_eq!(lines(&manifests, &CheckCommands::default())[0], "lint: ? package.json: too large");
        assert_eq!(
            detected(&["package.json"], "\u{feff}{}")[3],
            "build: - no script `build` in package.json"
        );
    }

    #[test]
    fn a_rust_project_is_checked_by_cargo_and_locked_only_where_there_is_a_lock() {
        assert_eq!(
            detected(&["Cargo.toml", "Cargo.lock"], ""),
            [
                "lint: cargo clippy --workspace --all-targets --locked -- -D warnings",
                "typecheck: - clippy checks the types as it lints",
                "format: cargo fmt --all --check",
                "build: cargo build --workspace --locked",
                "test: cargo test --workspace --locked"
            ]
        );
        assert_eq!(detected(&["Cargo.toml"], "")[4], "test: cargo test --workspace");
    }

    #[test]
    fn a_project_in_two_languages_is_checked_in_both() {
        let found = detected(&["Cargo.toml", "package.json"], r#"{"scripts": {"build": "vite"}}"#);
        assert_eq!(found.len(), 10);
        assert_eq!(found[0], "lint (node): - no script `lint` in package.json");
        assert_eq!(found[6], "build (node): npm run build");
        assert_eq!(found[7], "build (cargo): cargo build --workspace");
    }

    #[test]
    fn a_command_in_the_settings_replaces_what_was_detected() {
        let argv = |word: &str| vec!["make".to_string(), word.to_string()];
        let commands = CheckCommands {
            lint: argv("a"),
            typecheck: argv("b"),
            format: argv("c"),
            build: argv("d"),
            test: argv("e"),
        };
        assert_eq!(
            lines(&project(&["Cargo.toml", "package.json"], "{"), &commands),
            ["lint: make a", "typecheck: make b", "format: make c", "build: make d", "test: make e"]
        );
    }
}
