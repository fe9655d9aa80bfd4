use super::*;

fn assert_commands(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(commands(files), expected, "{files:?}");
}

#[test]
fn a_rust_project_is_checked_by_cargo_and_locked_only_where_there_is_a_lock() {
    assert_eq!(
        detected(&[("Cargo.toml", ""), ("Cargo.lock", "")]),
        [
            "lint: cargo clippy --workspace --all-targets --locked -- -D warnings",
            "typecheck: - clippy checks the types as it lints",
            "format: cargo fmt --all --check",
            "build: cargo build --workspace --locked",
            "test: cargo test --workspace --locked"
        ]
    );
    assert_eq!(detected(&[("Cargo.toml", "")])[4], "test: cargo test --workspace");
    let nextest = [("Cargo.toml", ""), (".config/nextest.toml", "")];
    assert_eq!(detected(&nextest)[4], "test: cargo nextest run --workspace");
    let tests = [("Cargo.toml", ""), ("tests/integration_api.rs", ""), ("tests/e2e/main.rs", "")];
    assert_eq!(
        beyond(&tests),
        [
            "integration: cargo test --workspace --test integration*",
            "e2e: cargo test --workspace --test e2e*"
        ]
    );
    assert_eq!(
        beyond(&[("Cargo.toml", ""), ("tests/integration/data.txt", "")])[0],
        "integration: - no tests/integration*.rs"
    );
}

#[test]
fn a_go_project_is_checked_by_go_and_a_workspace_module_by_module() {
    assert_commands(
        &[("go.mod", ""), ("main.go", "")],
        &[
            "lint: go vet ./...",
            "format: gofmt -l .",
            "build: go build -o /dev/null ./...",
            "test: go test ./...",
        ],
    );
    let workspace = "go 1.24\n\nuse (\n\t./api // the server\n\t./lib/\n)\nuse ./tools\n";
    assert_commands(
        &[
            ("go.work", workspace),
            (".golangci.yml", ""),
            ("vendor/x/a.go", ""),
            ("api/a.go", ""),
            ("main.go", ""),
        ],
        &[
            "lint: golangci-lint run ./api/... ./lib/... ./tools/...",
            "format: gofmt -l api main.go",
            "build: go build -o /dev/null ./api/... ./lib/... ./tools/...",
            "test: go test ./api/... ./lib/... ./tools/...",
        ],
    );
    assert!(detected(&[("go.work", "go 1.24\n")])[0].starts_with("lint: ? go.work: "));
    let tests = [("go.mod", ""), ("test/e2e/a_test.go", "")];
    assert_eq!(beyond(&tests)[1], "e2e: go test -tags=e2e ./test/e2e/...");
}

#[test]
fn gofmt_says_what_is_wrong_by_naming_it() {
    let checks = Checks::detect(&project(&[("go.mod", "")]), &Settings::default());
    let silent = |kind| match &checks.of(&[kind])[0].plan {
        CheckPlan::Run(command) => command.success == crate::pure::project::Success::Silence,
        other => panic!("{other:?}"),
    };
    assert!(silent(CheckKind::Format) && !silent(CheckKind::Lint));
}

#[test]
fn python_tools_run_where_they_are_set_up() {
    let pyproject = "[tool.ruff.format]\nquote-style = 'double'\n[tool.mypy]\nfiles = ['src']\n";
    assert_commands(
        &[("pyproject.toml", pyproject), ("tests/test_a.py", "")],
        &["lint: ruff check .", "typecheck: mypy", "format: ruff format --check .", "test: pytest -q"],
    );
    for (file, text, expected) in [
        ("ruff.toml", "", &["lint: ruff check ."][..]),
        (".flake8", "", &["lint: flake8"]),
        ("tox.ini", "[flake8]\n", &["lint: flake8"]),
        (".pylintrc", "", &["lint: pylint --recursive=y ."]),
        ("mypy.ini", "", &["typecheck: mypy ."]),
        ("pyrightconfig.json", "{}", &["typecheck: pyright"]),
        ("ty.toml", "", &["typecheck: ty check"]),
        ("requirements-dev.txt", "Black==24.1\n", &["format: black --check ."]),
        ("requirements-dev.txt", "black-box==1\nruff-lsp\n", &[]),
        (".pre-commit-config.yaml", "- id: ruff-format\n", &["format: ruff format --check ."]),
        ("manage.py", "", &["test: python3 manage.py test"]),
    ] {
        assert_commands(&[("requirements.txt", ""), (file, text)], expected);
    }
    let poetry = "[tool.poetry.group.dev.dependencies]\nblack = '*'\nruff = '*'\n";
    assert_commands(
        &[("pyproject.toml", poetry)],
        &["lint: poetry run ruff check .", "format: poetry run black --check ."],
    );
    let group = "[dependency-groups]\ndev = ['ruff>=0.5', {include-group = 'x'}]\n";
    assert_commands(&[("pyproject.toml", group)], &["lint: ruff check ."]);
}

#[test]
fn python_tools_are_called_in_the_projects_own_environment() {
    for (mark, expected) in [
        ("uv.lock", "lint: uv run --locked ruff check ."),
        ("poetry.lock", "lint: poetry run ruff check ."),
        ("pdm.lock", "lint: pdm run ruff check ."),
        (">.venv/bin/python", "lint: .venv/bin/ruff check ."),
        (">venv/bin/python", "lint: venv/bin/ruff check ."),
        ("README.md", "lint: ruff check ."),
    ] {
        assert_eq!(detected(&[("setup.py", ""), ("ruff.toml", ""), (mark, "")])[0], expected);
    }
    let hatch = "[tool.hatch.envs.default]\n[tool.ruff]\n";
    assert_eq!(detected(&[("pyproject.toml", hatch)])[0], "lint: hatch run ruff check .");
}

#[test]
fn tox_and_nox_sessions_come_before_the_tools() {
    let tox = "[testenv]\ncommands = pytest\n[testenv:lint]\n";
    assert_commands(
        &[("pyproject.toml", "[tool.ruff]\n[tool.mypy]\n"), ("tox.ini", tox), ("test_a.py", "")],
        &["lint: tox -q -e lint", "typecheck: mypy .", "test: tox -q"],
    );
    let nox = "def tests(session):\n    pass\ndef e2e(session: nox.Session):\n    pass\n";
    assert_commands(&[("setup.py", ""), ("noxfile.py", nox)], &["test: nox -s tests"]);
    assert_eq!(beyond(&[("setup.py", ""), ("noxfile.py", nox)])[1], "e2e: nox -s e2e");
}

#[test]
fn python_integration_tests_are_known_by_folder_or_marker() {
    assert_eq!(
        beyond(&[("setup.py", ""), ("tests/integration/test_a.py", "")])[0],
        "integration: pytest -q tests/integration"
    );
    let marked = "[tool.pytest.ini_options]\nmarkers = ['e2e: whole system', 'slow']\n";
    assert_eq!(beyond(&[("pyproject.toml", marked)])[1], "e2e: pytest -q -m e2e");
}

#[test]
fn a_broken_pyproject_leaves_every_check_unknown() {
    let found = detected(&[("pyproject.toml", "[tool.ruff\n")]);
    assert!(found.iter().all(|line| line.contains(": ? pyproject.toml: ")), "{found:?}");
}

#[test]
fn java_projects_use_their_wrapper_and_the_plugins_they_declare() {
    assert_commands(
        &[("pom.xml", "<project/>")],
        &[
            "typecheck: mvn -q -B test-compile",
            "build: mvn -q -B -DskipTests package",
            "test: mvn -q -B test",
        ],
    );
    let pom = "maven-checkstyle-plugin spotless-maven-plugin maven-failsafe-plugin";
    let found = detected(&[("pom.xml", pom), ("mvnw", "")]);
    assert_eq!(found[0], "lint: ./mvnw -q -B checkstyle:check");
    assert_eq!(found[2], "format: ./mvnw -q -B spotless:check");
    assert_eq!(beyond(&[("pom.xml", pom)])[0], "integration: mvn -q -B verify");
    let gradle = "plugins { id(\"io.gitlab.arturbosch.detekt\"); id(\"com.diffplug.spotless\") }";
    assert_commands(
        &[("build.gradle.kts", gradle), ("gradlew", "")],
        &[
            "lint: ./gradlew -q --console=plain detekt",
            "typecheck: ./gradlew -q --console=plain testClasses",
            "format: ./gradlew -q --console=plain spotlessCheck",
            "build: ./gradlew -q --console=plain assemble",
            "test: ./gradlew -q --console=plain test",
        ],
    );
}

#[test]
fn ruby_php_dotnet_elixir_and_deno_are_known() {
    assert_commands(
        &[("Gemfile", ""), (".rubocop.yml", ""), ("Steepfile", ""), ("spec/a_spec.rb", "")],
        &["lint: bundle exec rubocop", "typecheck: bundle exec steep check", "test: bundle exec rspec"],
    );
    assert_commands(
        &[("Gemfile", "gem \"standard\"\n"), ("bin/rails", ""), ("test/a_test.rb", "")],
        &["lint: bundle exec standardrb", "test: bundle exec rails test"],
    );
    assert_commands(
        &[
            ("composer.json", r#"{"scripts": {"lint": ["phpcs"], "stan": "phpstan"}}"#),
            ("pint.json", ""),
            ("phpunit.xml.dist", ""),
        ],
        &[
            "lint: composer run lint",
            "typecheck: composer run stan",
            "format: vendor/bin/pint --test",
            "test: vendor/bin/phpunit",
        ],
    );
    assert_commands(
        &[("composer.json", "{}"), ("phpstan.neon", ""), ("tests/Pest.php", "")],
        &["typecheck: vendor/bin/phpstan analyse --no-progress", "test: vendor/bin/pest"],
    );
    assert_commands(
        &[("App.sln", ""), (".editorconfig", "")],
        &[
            "lint: dotnet format analyzers --verify-no-changes",
            "format: dotnet format whitespace --verify-no-changes",
            "build: dotnet build --nologo",
            "test: dotnet test --nologo",
        ],
    );
    let mix = "defp deps, do: [{:credo, \"~> 1\"}]\ndefp aliases do\n  [\n    lint: [\"credo --strict\"],\n  ]\nend\n";
    assert_commands(
        &[("mix.exs", mix), (".formatter.exs", "")],
        &[
            "lint: mix lint",
            "format: mix format --check-formatted",
            "build: mix compile --warnings-as-errors",
            "test: mix test",
        ],
    );
    let deno = "{ // tasks\n \"tasks\": {\"test\": \"deno test -A\", \"build\": {\"command\": \"x\"}},}";
    assert_commands(
        &[("deno.jsonc", deno)],
        &[
            "lint: deno lint",
            "typecheck: deno check .",
            "format: deno fmt --check",
            "build: deno task build",
            "test: deno task test",
        ],
    );
    assert!(detected(&[("deno.json", "{")])[0].starts_with("lint: ? deno.json: "));
    assert!(detected(&[("composer.json", "[")])[0].starts_with("lint: ? composer.json: "));
}
