//! Rust projects: cargo's own commands over the whole workspace.

use crate::project::folder::Folder;
use crate::project::{CheckKind, Plan};

const WHY: &str = "Cargo.toml";
const NEXTEST: &str = ".config/nextest.toml";

pub(super) fn present(folder: &Folder<'_>) -> bool {
    folder.has(WHY)
}

pub(super) fn plan(kind: CheckKind, folder: &Folder<'_>) -> Plan {
    // Without a lock file `--locked` refuses to work at all.
    let locked = if folder.has("Cargo.lock") { " --locked" } else { "" };
    match kind {
        CheckKind::Lint => {
            Plan::tool(format!("cargo clippy --workspace --all-targets{locked} -- -D warnings"), WHY)
        }
        CheckKind::Typecheck => Plan::missing("clippy checks the types as it lints"),
        CheckKind::Format => Plan::tool("cargo fmt --all --check", WHY),
        CheckKind::Build => Plan::tool(format!("cargo build --workspace{locked}"), WHY),
        CheckKind::Test if folder.has(NEXTEST) => {
            Plan::tool(format!("cargo nextest run --workspace{locked}"), NEXTEST)
        }
        CheckKind::Test => Plan::tool(format!("cargo test --workspace{locked}"), WHY),
        CheckKind::Integration | CheckKind::E2e => targets(kind.word(), folder, locked),
    }
}

/// Test targets of the package at hand that bear the word in front: `tests/integration_api.rs`, `tests/e2e/main.rs`.
fn targets(word: &str, folder: &Folder<'_>, locked: &str) -> Plan {
    let target = folder.below("tests").find(|path| {
        path.starts_with(word) && (path.ends_with("/main.rs") || !path.contains('/') && path.ends_with(".rs"))
    });
    match target {
        Some(target) => {
            Plan::tool(format!("cargo test --workspace{locked} --test {word}*"), format!("tests/{target}"))
        }
        None => Plan::missing(format!("no tests/{word}*.rs")),
    }
}
