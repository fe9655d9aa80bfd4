use super::*;

const WEB: (&str, &str) = ("web/package.json", r#"{"scripts": {"lint": "eslint .", "test": "vitest run"}}"#);
const BACKEND: (&str, &str) = ("backend/pyproject.toml", "[tool.ruff]\n");

#[test]
fn an_empty_directory_has_no_checks_and_that_is_no_error() {
    let found = detected(&[("README.md", "")]);
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|line| line.ends_with(": - no manifest of a known language was found")));
}

#[test]
fn a_project_in_two_languages_is_checked_in_both() {
    let found = detected(&[("Cargo.toml", ""), ("package.json", r#"{"scripts": {"build": "vite"}}"#)]);
    assert_eq!(found.len(), 10);
    assert_eq!(found[0], "lint (node): - no script `lint`, `lint:check`, `lint-check` in package.json");
    assert_eq!(found[6], "build (node): npm run build");
    assert_eq!(found[7], "build (cargo): cargo build --workspace");
}

#[test]
fn projects_in_folders_are_checked_where_they_lie() {
    assert_eq!(
        commands(&[WEB, BACKEND]),
        [
            "lint (web): npm run lint @web",
            "lint (backend): ruff check . @backend",
            "test (web): npm run test @web"
        ]
    );
    let tauri = [("package.json", r#"{"scripts": {"lint": "x"}}"#), ("src-tauri/Cargo.toml", "")];
    let found = commands(&tauri);
    assert_eq!(found[0], "lint (node): npm run lint");
    assert!(found[1].starts_with("lint (src-tauri): cargo clippy") && found[1].ends_with(" @src-tauri"));
}

#[test]
fn a_folder_with_two_languages_is_told_apart_by_both() {
    let both = [("app/Cargo.toml", ""), ("app/go.mod", ""), ("app/main.go", "")];
    let found = commands(&both);
    assert!(found[0].starts_with("lint (app, cargo): "));
    assert_eq!(found[1], "lint (app, go): go vet ./... @app");
}

#[test]
fn a_language_at_the_top_is_taken_care_of_from_there() {
    let workspace =
        [("Cargo.toml", "[workspace]"), ("crates/a/Cargo.toml", ""), ("go.mod", ""), ("tools/go.mod", "")];
    assert!(detected(&workspace).iter().all(|line| !line.contains('@')));
    let nested = [("services/package.json", "{}"), ("services/a/package.json", "{}")];
    assert!(detected(&nested).iter().all(|line| line.ends_with("@services")));
}

#[test]
fn material_and_what_lies_too_deep_is_no_project() {
    for path in ["tests/fixtures/a", "examples/a", "node_modules/x", ".hidden/a", "a/b/c/d", "vendor/x"] {
        let manifest = format!("{path}/package.json");
        let found = detected(&[(manifest.as_str(), r#"{"scripts": {"lint": "x"}}"#)]);
        assert_eq!(found[0], "lint: - no manifest of a known language was found", "{path}");
    }
}

#[test]
fn too_many_projects_are_said_not_passed_over() {
    let names: Vec<String> = (0..30).map(|number| format!("p{number:02}/package.json")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), r#"{"scripts": {"lint": "x"}}"#)).collect();
    let found = lines(&project(&files), &Settings::default(), &[CheckKind::Lint]);
    assert_eq!(found.len(), 25);
    assert_eq!(
        found[24],
        "lint (further folders): - 6 further folders with a manifest are too many to look at"
    );
}

#[test]
fn a_target_at_the_top_replaces_guesses_below_but_not_scripts_it_does_not_call() {
    let makefile = ("Makefile", "lint:\n\tcd backend && ruff check\n");
    assert_eq!(
        commands(&[WEB, BACKEND, makefile])[..2],
        ["lint (tasks): make lint", "lint (web): npm run lint @web"]
    );
    let both = ("Makefile", "lint:\n\tcd backend && ruff check\n\t$(MAKE) -C web lint\n");
    assert_eq!(commands(&[WEB, BACKEND, both])[0], "lint: make lint");
}

#[test]
fn a_target_in_a_folder_stands_for_that_folder() {
    let found = commands(&[WEB, BACKEND, ("backend/Makefile", "test:\n\tpytest\nlint:\n\truff check\n")]);
    assert_eq!(
        found,
        [
            "lint (backend): make lint @backend",
            "lint (web): npm run lint @web",
            "test (backend): make test @backend",
            "test (web): npm run test @web"
        ]
    );
}

#[test]
fn a_command_in_the_settings_replaces_what_was_detected() {
    let mut settings = Settings::default();
    let argv = |word: &str| vec!["make".to_string(), word.to_string()];
    let checks = &mut settings.loop1.checks;
    (checks.lint, checks.typecheck, checks.format) = (argv("a"), argv("b"), argv("c"));
    (checks.build, checks.test) = (argv("d"), argv("e"));
    (settings.loop4.integration, settings.loop4.e2e) = (argv("f"), argv("g"));
    assert_eq!(
        lines(&project(&[("Cargo.toml", ""), ("package.json", "{"), WEB]), &settings, &CheckKind::ALL),
        [
            "lint: make a", "typecheck: make b", "format: make c", "build: make d", "test: make e",
            "integration: make f", "e2e: make g"
        ]
    );
}

#[test]
fn folders_with_projects_of_their_own_are_named() {
    let checks = Checks::detect(&project(&[WEB, BACKEND, ("go.mod", "")]), &Settings::default());
    assert_eq!(checks.subprojects(), ["backend", "web"]);
}
