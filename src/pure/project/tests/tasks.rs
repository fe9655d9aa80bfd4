use super::*;

const TOOLS: [(&str, &str); 2] = [("Cargo.toml", ""), ("x", "")];

fn beside_cargo(file: &str, text: &str) -> Vec<String> {
    commands(&[TOOLS[0], (file, text)])
}

#[test]
fn a_target_stands_for_the_whole_folder() {
    for (file, text, expected) in [
        ("justfile", "test:\n    cargo test\n", "test: just test"),
        (".justfile", "tests:\n    cargo test\n", "test: just tests"),
        ("Makefile", "test: build\n\tcargo test\n", "test: make test"),
        ("Makefile", "check:\n\tcargo test\n", "test: make check"),
        ("Taskfile.yml", "version: '3'\ntasks:\n  test:\n    cmds: [cargo test]\n", "test: task test"),
        ("mise.toml", "[tasks.test]\nrun = 'cargo test'\n", "test: mise run test"),
        (".mise.toml", "[tasks]\ntest = 'cargo test'\n", "test: mise run test"),
    ] {
        let found = beside_cargo(file, text);
        assert_eq!(found.last().unwrap(), expected, "{file}");
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[1], "format: cargo fmt --all --check");
    }
    assert_eq!(beside_cargo("justfile", "check:\n    cargo clippy\n")[0], "lint: just check");
}

#[test]
fn a_target_that_rewrites_needs_arguments_or_is_internal_is_none() {
    for (file, text) in [
        ("Makefile", "lint:\n\teslint --fix .\n"),
        ("justfile", "lint file:\n    clippy {{file}}\n"),
        ("Taskfile.yml", "tasks:\n  lint:\n    internal: true\n    cmds: [x]\n"),
        ("Makefile", ".PHONY: lint\n"),
    ] {
        assert!(beside_cargo(file, text)[0].starts_with("lint: cargo clippy"), "{file}");
    }
}

#[test]
fn a_script_of_the_project_runs_too_unless_the_target_calls_it() {
    let package = ("package.json", r#"{"scripts": {"test": "vitest run"}}"#);
    let calls = [package, ("Makefile", "test:\n\tcargo test && npm test\n")];
    assert_eq!(commands(&calls), ["test: make test"]);
    let silent = [package, ("Makefile", "test:\n\tcargo test\n")];
    assert_eq!(commands(&silent), ["test (tasks): make test", "test (node): npm run test"]);
}

#[test]
fn a_task_file_that_cannot_be_read_leaves_the_checks_unknown() {
    for (file, text) in [("Taskfile.yml", "tasks: ["), ("mise.toml", "[tasks")] {
        let found = detected(&[TOOLS[0], (file, text)]);
        assert!(found.iter().all(|line| line.contains(&format!(": ? {file}: "))), "{found:?}");
    }
}

#[test]
fn targets_for_loop_4_are_found() {
    let makefile = ("Makefile", "test-integration:\n\tx\ne2e:\n\ty\n");
    assert_eq!(beyond(&[makefile]), ["integration: make test-integration", "e2e: make e2e"]);
}
