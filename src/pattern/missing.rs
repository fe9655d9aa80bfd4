//! What a claim lacks, and what would show it.

use super::check::Shows;

/// What a claim lacks.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) command: String,
    pub(super) why: Why,
    pub(super) events: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    NoRun,
    /// The code changed since the last run.
    ChangedSince,
    Failed,
    /// The runs showed no more tests than this.
    Fewer(u32),
    /// Nothing was looked at since the last change.
    NothingSince,
}

/// A command for a project of which nothing is known but how its files end.
pub(super) fn general(shows: Shows, language: &str) -> &'static str {
    match (shows, language) {
        (Shows::Tests | Shows::All, "rs") => "cargo test",
        (Shows::Tests | Shows::All, "go") => "go test ./...",
        (Shows::Tests | Shows::All, "py") => "pytest",
        (Shows::Tests | Shows::All, "js" | "jsx" | "ts" | "tsx" | "mjs" | "vue" | "svelte") => "npm test",
        (Shows::Tests | Shows::All, "rb") => "bundle exec rspec",
        (Shows::Tests | Shows::All, "ex" | "exs") => "mix test",
        (Shows::Tests | Shows::All, "java" | "kt") => "mvn test",
        (Shows::Tests | Shows::All, "cs" | "fs") => "dotnet test",
        (Shows::Tests | Shows::All, "php") => "vendor/bin/phpunit",
        (Shows::Lint, "rs") => "cargo clippy --all-targets",
        (Shows::Lint, "go") => "go vet ./...",
        (Shows::Lint, "py") => "ruff check .",
        (Shows::Lint, "js" | "jsx" | "ts" | "tsx" | "mjs" | "vue" | "svelte") => "npm run lint",
        (Shows::Types, "py") => "mypy .",
        (Shows::Types, "ts" | "tsx") => "npx tsc --noEmit",
        (Shows::Build | Shows::Types, "rs") => "cargo check",
        (Shows::Build | Shows::Types, "go") => "go build ./...",
        (Shows::Build, "js" | "jsx" | "ts" | "tsx" | "mjs" | "vue" | "svelte") => "npm run build",
        (Shows::Tests, _) => "the project's tests",
        (Shows::Lint, _) => "the project's linter",
        (Shows::Types, _) => "the project's type check",
        (Shows::Build, _) => "the project's build",
        (Shows::All, _) => "the project's checks",
    }
}
