//! Commands that show something about the code: tests, linters, type checks, builds.

use super::line::{Line, Simple};
use serde::{Deserialize, Serialize};

/// What a run shows, and what a claim needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Shows {
    Tests,
    Lint,
    Types,
    Build,
    /// Everything that the project checks, in one command.
    All,
}

impl Shows {
    /// Whether a run of this kind is evidence for a claim of that kind.
    pub(super) fn supports(self, claim: Self) -> bool {
        use Shows::{All, Build, Lint, Tests, Types};
        self == claim
            || matches!((self, claim), (All, _) | (_, All))
            || matches!((self, claim), (Tests | Types | Lint, Build) | (Build, Types))
    }
}

/// What a line shows; empty where it checks nothing.
pub(super) fn shown_by(line: &Line) -> Vec<Shows> {
    let mut shown: Vec<Shows> = line.commands.iter().filter_map(shown).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// Whether a command only brings files into form, which changes nothing that a test could see.
pub(super) fn is_formatter(command: &Simple) -> bool {
    let name = command.program.as_str();
    let verb = command.verbs().find(|word| *word != "run").unwrap_or_default();
    matches!(
        name,
        "gofmt" | "gofumpt" | "goimports" | "gci" | "rustfmt" | "black" | "isort" | "prettier" | "shfmt"
    ) || (matches!(
        name,
        "cargo"
            | "go"
            | "mise"
            | "make"
            | "just"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "mix"
            | "deno"
            | "task"
            | "dotnet"
            | "ruff"
    ) && words_of(verb).iter().any(|word| matches!(word.as_str(), "fmt" | "format")))
}

pub(super) fn shown(command: &Simple) -> Option<Shows> {
    let words: Vec<&str> = command.verbs().collect();
    shown_by_words(&command.program, &words, command, 0)
}

fn shown_by_words(program: &str, words: &[&str], command: &Simple, depth: u8) -> Option<Shows> {
    let first = words.first().copied().unwrap_or_default();
    let rest = words.get(1..).unwrap_or_default();
    let run_as = |words: &[&str]| {
        let (program, rest) = words.split_first()?;
        if depth < 4 { shown_by_words(file_name(program), rest, command, depth + 1) } else { None }
    };
    if command.has("--version") || command.has("--help") {
        return None;
    }
    match program {
        "cargo" => match first {
            "test" | "t" | "nextest" | "llvm-cov" | "tarpaulin" | "insta" => Some(Shows::Tests),
            "clippy" => Some(Shows::Lint),
            "check" | "c" => Some(Shows::Types),
            "build" | "b" | "doc" => Some(Shows::Build),
            "fmt" if command.has("--check") => Some(Shows::Lint),
            "xtask" | "make" => rest.first().and_then(|name| by_name(name)),
            _ => None,
        },
        "go" => match first {
            "test" => Some(Shows::Tests),
            "vet" => Some(Shows::Lint),
            "build" | "install" => Some(Shows::Build),
            "tool" | "run" => run_as(rest),
            _ => None,
        },
        "npm" | "pnpm" | "yarn" | "bun" | "deno" | "npx" | "bunx" | "pnpx" | "lerna" | "nx" | "turbo"
        | "composer" | "hatch" | "pdm" | "poetry" | "uv" | "pipenv" | "rye" => match first {
            "run" | "run-script" | "exec" | "dlx" | "x" | "workspace" | "run-many" | "tool" => {
                rest.first().and_then(|name| by_name(name)).or_else(|| run_as(rest))
            }
            "t" => Some(Shows::Tests),
            "install" | "i" | "ci" | "add" | "remove" | "update" | "init" | "publish" | "audit" | "sync" => {
                None
            }
            name => by_name(name).or_else(|| run_as(words)),
        },
        "make" | "gmake" | "just" | "task" | "mise" | "rake" | "ninja" | "invoke" | "inv" | "doit"
        | "earthly" | "dagger" | "bazel" | "bazelisk" | "buck2" | "rails" | "artisan" | "grunt" | "gulp"
        | "mage" | "moon" => {
            let named = words.iter().find_map(|name| by_name(name));
            let plain_build = matches!(program, "make" | "gmake" | "ninja") && words.is_empty();
            named.or_else(|| plain_build.then_some(Shows::Build))
        }
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "lein" | "ant" => {
            words.iter().find_map(|name| match *name {
                "package" | "compile" | "assemble" | "install" | "classes" | "jar" => Some(Shows::Build),
                "verify" | "check" => Some(Shows::All),
                name => by_name(name),
            })
        }
        "dotnet" | "swift" | "flutter" | "dart" | "mix" | "stack" | "cabal" | "zig" | "dune"
        | "xcodebuild" | "forge" => words.iter().take(2).find_map(|name| match *name {
            "credo" | "analyze" => Some(Shows::Lint),
            "dialyzer" => Some(Shows::Types),
            "run" => None,
            name => by_name(name),
        }),
        "python" | "python3" | "py" => {
            if command.has("-m") {
                run_as(words)
            } else {
                script(first)
            }
        }
        "node" | "ruby" | "php" | "bash" | "sh" | "zsh" | "perl" | "tsx" | "ts-node" => {
            let php = program == "php" && first == "artisan";
            if php { rest.first().and_then(|name| by_name(name)) } else { script(first) }
        }
        "bundle" => run_as(rest),
        "docker" | "podman" => (first == "build" || words.contains(&"build")).then_some(Shows::Build),
        "gh" => match (first, rest.first().copied().unwrap_or_default()) {
            ("pr", "checks" | "status") | ("run", "view" | "watch" | "list") => Some(Shows::All),
            _ => None,
        },
        "pytest" | "py.test" | "tox" | "nox" | "unittest" | "nose2" | "jest" | "vitest" | "mocha" | "ava"
        | "karma" | "cypress" | "playwright" | "rspec" | "minitest" | "phpunit" | "pest" | "ctest"
        | "gotestsum" | "bats" | "busted" | "prove" | "behave" | "cucumber" | "nextest" | "trybuild"
        | "wdio" | "tap" | "uvu" => Some(Shows::Tests),
        "eslint" | "oxlint" | "ruff" | "flake8" | "pylint" | "rubocop" | "standardrb" | "stylelint"
        | "shellcheck" | "hadolint" | "clang-tidy" | "ktlint" | "detekt" | "swiftlint" | "golangci-lint"
        | "staticcheck" | "revive" | "markdownlint" | "credo" | "phpcs" | "bandit" | "actionlint"
        | "yamllint" | "luacheck" | "xo" | "standard" => (first != "format").then_some(Shows::Lint),
        "biome" => (first != "format").then_some(Shows::Lint),
        "prettier" | "black" | "isort" | "rustfmt" | "shfmt" | "gofmt" => {
            let only_looks = ["--check", "-c", "-l", "-d", "--diff"].iter().any(|option| command.has(option));
            only_looks.then_some(Shows::Lint)
        }
        "mypy" | "pyright" | "basedpyright" | "tsc" | "vue-tsc" | "pyre" | "flow" | "phpstan" | "psalm"
        | "srb" | "ty" => Some(Shows::Types),
        "gcc" | "g++" | "clang" | "clang++" | "cc" | "c++" | "rustc" | "javac" | "kotlinc" | "webpack"
        | "rollup" | "esbuild" | "tsup" | "swc" => Some(Shows::Build),
        "vite" | "next" | "nuxt" | "astro" | "ng" | "parcel" | "svelte-kit" | "expo" => {
            words.iter().take(2).find_map(|name| by_name(name))
        }
        "cmake" | "meson" => {
            (command.has("--build") || first == "compile").then_some(Shows::Build).or_else(|| by_name(first))
        }
        "pre-commit" | "prek" | "lefthook" => Some(Shows::All),
        "plimsoll" => matches!(first, "review" | "verify").then_some(Shows::All),
        _ => script(program),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A script by the name of its file.
fn script(path: &str) -> Option<Shows> {
    let name = file_name(path);
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let runs =
        matches!(ending, "sh" | "py" | "js" | "ts" | "mjs" | "rb" | "pl" | "test.js" | "test.ts" | "php");
    if runs { by_name(stem) } else { None }
}

/// A task by its name: `test:ci`, `lint-fix`, `check_types`.
fn by_name(name: &str) -> Option<Shows> {
    let words = words_of(file_name(name));
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["install", "update", "watch", "dev", "serve", "clean", "fix"]) && !has(&["test", "tests"]) {
        None
    } else if has(&[
        "test", "tests", "spec", "specs", "e2e", "unit", "jest", "pytest", "vitest", "tested", "coverage",
        "smoke",
    ]) {
        Some(Shows::Tests)
    } else if has(&["lint", "linter", "linters", "eslint", "clippy", "biome", "ruff", "vet"]) {
        Some(Shows::Lint)
    } else if has(&["typecheck", "types", "tsc", "mypy", "type"]) {
        Some(Shows::Types)
    } else if has(&["build", "compile", "bundle", "dist"]) {
        Some(Shows::Build)
    } else if has(&["check", "checks", "ci", "verify", "validate", "qa", "precommit", "all", "prepush"]) {
        Some(Shows::All)
    } else {
        None
    }
}

fn words_of(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_known_in_many_languages_and_wrappings() {
        for (text, expected) in [
            ("cargo test", &[Shows::Tests][..]),
            ("cd app && cargo nextest run 2>&1 | tail -5", &[Shows::Tests]),
            ("npm test -- --runInBand", &[Shows::Tests]),
            ("pnpm run lint", &[Shows::Lint]),
            ("npx tsc --noEmit", &[Shows::Types]),
            ("yarn build", &[Shows::Build]),
            ("python -m pytest -q", &[Shows::Tests]),
            ("uv run pytest tests/a.py", &[Shows::Tests]),
            ("go test ./... && go vet ./...", &[Shows::Tests, Shows::Lint]),
            ("mise run fmt && mise run lint && mise run test:ci", &[Shows::Tests, Shows::Lint]),
            ("make", &[Shows::Build]),
            ("make check", &[Shows::All]),
            ("./gradlew :app:test", &[Shows::Tests]),
            ("mvn -q verify", &[Shows::All]),
            ("bundle exec rspec spec/a_spec.rb", &[Shows::Tests]),
            ("php artisan test", &[Shows::Tests]),
            ("bash scripts/run-tests.sh", &[Shows::Tests]),
            ("./scripts/lint.sh", &[Shows::Lint]),
            ("gh pr checks 12", &[Shows::All]),
            ("timeout 60 dotnet test --no-build", &[Shows::Tests]),
            ("cargo clippy --all-targets -- -D warnings", &[Shows::Lint]),
            ("mix credo", &[Shows::Lint]),
            ("pre-commit run -a", &[Shows::All]),
        ] {
            assert_eq!(shown_by(&Line::read(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_checks_nothing_is_no_check() {
        for text in [
            "npm install vitest",
            "cat tests/a.rs",
            "git commit -m 'test: add'",
            "cargo fmt",
            "echo cargo test",
            "grep -rn test src",
            "npm run dev",
            "cargo --version",
            "ls build",
            "python manage.py migrate",
        ] {
            assert_eq!(shown_by(&Line::read(text)), [], "{text}");
        }
    }
}
