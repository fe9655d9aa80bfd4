//! Rust projects: cargo's own commands over the whole workspace.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

const WHY: &str = "Cargo.toml";
const NEXTEST: &str = ".config/nextest.toml";

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has(WHY)
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    // `--locked` fails without a lock file.
    let locked = if folder.has("Cargo.lock") { " --locked" } else { "" };
    match kind {
        CheckKind::Lint => {
            CheckPlan::tool(format!("cargo clippy --workspace --all-targets{locked} -- -D warnings"), WHY)
        }
        CheckKind::Typecheck => CheckPlan::missing("clippy checks the types as it lints"),
        CheckKind::Format => CheckPlan::tool("cargo fmt --all --check", WHY),
        CheckKind::Build => CheckPlan::tool(format!("cargo build --workspace{locked}"), WHY),
        CheckKind::Test if folder.has(NEXTEST) => {
            CheckPlan::tool(format!("cargo nextest run --workspace{locked}"), NEXTEST)
        }
        CheckKind::Test => CheckPlan::tool(format!("cargo test --workspace{locked}"), WHY),
        CheckKind::Integration | CheckKind::E2e => targets(kind.word(), folder, locked),
    }
}

/// Test targets whose name begins with the word: `tests/integration_api.rs`, `tests/e2e/main.rs`.
fn targets(word: &str, folder: &ProjectFolder<'_>, locked: &str) -> CheckPlan {
    let target = folder.below("tests").find(|path| {
        path.starts_with(word) && (path.ends_with("/main.rs") || !path.contains('/') && path.ends_with(".rs"))
    });
    match target {
        Some(target) => CheckPlan::tool(
            format!("cargo test --workspace{locked} --test {word}*"),
            format!("tests/{target}"),
        ),
        None => CheckPlan::missing(format!("no tests/{word}*.rs")),
    }
}
