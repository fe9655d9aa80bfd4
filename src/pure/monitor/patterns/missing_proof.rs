//! The proof that a claim lacks, and the command that would provide it.

use super::check::Shows;

/// Why a claim is unproven, and the command that would prove it.
#[derive(Debug)]
pub(super) struct MissingProof {
    pub(super) command: String,
    pub(super) why: MissingEvidence,
    pub(super) events: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum MissingEvidence {
    #[error("no run in this session shows it")]
    NoRun,
    #[error("the code changed after the last run that showed it")]
    ChangedSince,
    #[error("the last run did not show it")]
    Failed,
    #[error("the runs showed {0} tests")]
    Fewer(u32),
    #[error("nothing was run or read after the last change")]
    NothingSince,
}

/// The usual command in this language; where there is none, the check by its name.
pub(super) fn usual_command(shows: Shows, language: &str) -> &'static str {
    let [tests, lint, types, build] = match language {
        "rs" => ["cargo test", "cargo clippy --all-targets", "cargo check", "cargo check"],
        "go" => ["go test ./...", "go vet ./...", "go build ./...", "go build ./..."],
        "py" => ["pytest", "ruff check .", "mypy .", ""],
        "ts" | "tsx" => ["npm test", "npm run lint", "npx tsc --noEmit", "npm run build"],
        "js" | "jsx" | "mjs" | "vue" | "svelte" => ["npm test", "npm run lint", "", "npm run build"],
        "rb" => ["bundle exec rspec", "", "", ""],
        "ex" | "exs" => ["mix test", "", "", ""],
        "java" | "kt" => ["mvn test", "", "", ""],
        "cs" | "fs" => ["dotnet test", "", "", ""],
        "php" => ["vendor/bin/phpunit", "", "", ""],
        _ => [""; 4],
    };
    let (command, name) = match shows {
        Shows::Tests => (tests, "the project's tests"),
        Shows::All => (tests, "the project's checks"),
        Shows::Lint => (lint, "the project's linter"),
        Shows::Types => (types, "the project's type check"),
        Shows::Build => (build, "the project's build"),
    };
    if command.is_empty() { name } else { command }
}
