//! Commands that show something about the code: tests, linters, type checks, builds.

use super::line::{ShellLine, Simple};
use super::plain_program::is_plain;
use serde::{Deserialize, Serialize};

/// The kind of result that a run shows, and that a claim needs.
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

/// The kinds of results that a line shows; none where it checks nothing.
pub(super) fn check_kinds(line: &ShellLine) -> Vec<Shows> {
    let mut shown: Vec<Shows> = line.commands.iter().filter_map(check_kind).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// Whether a command only brings files into form, which changes nothing that a test could see.
pub(super) fn is_formatter(command: &Simple) -> bool {
    const FORMATTERS: [&str; 9] =
        ["gofmt", "gofumpt", "goimports", "gci", "rustfmt", "black", "isort", "prettier", "shfmt"];
    const RUNNERS: [&str; 14] = [
        "cargo", "go", "mise", "make", "just", "npm", "pnpm", "yarn", "bun", "mix", "deno", "task", "dotnet",
        "ruff",
    ];
    let name = command.program.as_str();
    let verb = command.verbs().find(|word| *word != "run").unwrap_or_default();
    FORMATTERS.contains(&name)
        || (RUNNERS.contains(&name)
            && words_of(verb).iter().any(|word| matches!(word.as_str(), "fmt" | "format")))
}

pub(super) fn check_kind(command: &Simple) -> Option<Shows> {
    let words: Vec<&str> = command.verbs().collect();
    kind_by_words(&command.program, &words, command, 0)
}

fn kind_by_words(program: &str, words: &[&str], command: &Simple, depth: u8) -> Option<Shows> {
    let first = words.first().copied().unwrap_or_default();
    let rest = words.get(1..).unwrap_or_default();
    let run_as = |words: &[&str]| {
        let (program, rest) = words.split_first()?;
        if depth < 4 { kind_by_words(file_name(program), rest, command, depth + 1) } else { None }
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
            name if is_install(name) => None,
            name => by_name(name).or_else(|| run_as(words)).or_else(|| {
                // `pnpm --filter api test`: the value of an option stands before the task.
                let task = words.iter().skip(1).take(2);
                task.clone()
                    .all(|word| !is_install(word))
                    .then(|| task.clone().find_map(|name| by_name(name)))?
            }),
        },
        "make" | "gmake" | "just" | "task" | "mise" | "rake" | "ninja" | "invoke" | "inv" | "doit"
        | "earthly" | "dagger" | "bazel" | "bazelisk" | "buck2" | "rails" | "artisan" | "grunt" | "gulp"
        | "mage" | "moon" => {
            let named = words.iter().find_map(|name| by_name(name));
            let plain_build = matches!(program, "make" | "gmake" | "ninja") && words.is_empty();
            let wrapped = || match program {
                "mise" => words.iter().position(|word| matches!(*word, "x" | "exec")),
                _ => None,
            };
            let wrapped = || run_as(words.get(wrapped()? + 1..)?);
            wrapped().or(named).or_else(|| plain_build.then_some(Shows::All))
        }
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "lein" | "ant" => {
            words.iter().find_map(|name| match *name {
                "compile" | "assemble" | "classes" | "jar" => Some(Shows::Build),
                // Their life cycles run the tests on the way.
                "verify" | "check" | "package" | "install" | "build" => Some(Shows::All),
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
        "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" | "oc" => {
            let inside = words.iter().position(|word| matches!(*word, "run" | "exec"));
            let inside = || (inside? + 1..words.len()).find_map(|at| run_as(words.get(at..)?));
            inside().or_else(|| words.contains(&"build").then_some(Shows::Build))
        }
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
        // The builtin takes arguments; without any, it is the task that a wrapper runs.
        "test" if command.words.is_empty() => Some(Shows::Tests),
        _ => script(program).or_else(|| wrapped(program, words, command, depth)),
    }
}

/// The kinds of results behind an unknown program: it passes a command on (`rtk bun run test`), or names the check (`rtk
/// lint`).
fn wrapped(program: &str, words: &[&str], command: &Simple, depth: u8) -> Option<Shows> {
    if depth > 0 || is_plain(program) {
        return None;
    }
    let inner = |at: usize| {
        let (program, rest) = words.get(at..)?.split_first()?;
        kind_by_words(file_name(program), rest, command, 1)
    };
    (0..words.len().min(MOST_WRAPPER_WORDS))
        .take_while(|at| !words.get(*at).is_some_and(|word| is_plain(file_name(word))))
        .find_map(inner)
        .or_else(|| words.iter().find(|name| **name != "run").and_then(|name| by_name(name)))
}

/// How many words of a wrapper may stand before the command that it runs.
const MOST_WRAPPER_WORDS: usize = 8;

/// The kind of a command line that a runner printed before it ran it; no shell text, words are enough.
pub(super) fn printed_kind(line: &str) -> Option<Shows> {
    let words: Vec<String> = line.split_whitespace().take(24).map(str::to_owned).collect();
    let (program, rest) = words.split_first()?;
    let command =
        Simple { program: file_name(program).to_owned(), words: rest.to_vec(), ..Simple::default() };
    check_kind(&command)
}

/// Whether a check goes through a task whose steps nobody sees: its tests may lint and build as well.
pub(super) fn is_task(command: &Simple) -> bool {
    !matches!(
        command.program.as_str(),
        "cargo" | "go" | "pytest" | "jest" | "vitest" | "rspec" | "phpunit" | "dotnet" | "swift" | "mix"
    )
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
    if has(&["install", "update", "watch", "dev", "serve", "clean"]) && !has(&["test", "tests"]) {
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

fn is_install(word: &str) -> bool {
    matches!(
        word,
        "install"
            | "i"
            | "ci"
            | "add"
            | "remove"
            | "update"
            | "init"
            | "publish"
            | "audit"
            | "sync"
            | "dev"
            | "start"
    )
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
            ("make", &[Shows::All]),
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
            ("rtk bun run test", &[Shows::Tests]),
            ("rtk lint", &[Shows::Lint]),
            ("mise x -- go test ./...", &[Shows::Tests]),
            ("mise exec node@20 -- npm run lint", &[Shows::Lint]),
            ("docker compose run --rm web pytest -q", &[Shows::Tests]),
            ("docker compose exec -T api npm run typecheck", &[Shows::Types]),
            ("nix develop -c cargo test", &[Shows::Tests]),
            ("devbox run test", &[Shows::Tests]),
            ("op run --env-file=.env -- npx jest", &[Shows::Tests]),
            ("xvfb-run -a npx playwright test", &[Shows::Tests]),
            ("pnpm --filter @a/api test -- --run x", &[Shows::Tests]),
            ("pnpm lint:fix", &[Shows::Lint]),
            ("eslint . --fix", &[Shows::Lint]),
            ("mvn -q package", &[Shows::All]),
            ("uv run --with tox tox -e py312", &[Shows::Tests]),
        ] {
            assert_eq!(check_kinds(&ShellLine::read(text)), expected, "{text}");
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
            "rtk git status",
            "rtk grep test src",
            "direnv allow",
            "npm run dev",
        ] {
            assert_eq!(check_kinds(&ShellLine::read(text)), [], "{text}");
        }
    }
}
