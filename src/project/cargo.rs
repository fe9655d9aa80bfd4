//! Rust projects: cargo's own commands over the whole workspace.

use super::{CheckKind, Manifests, Plan};

pub(super) fn plan(kind: CheckKind, manifests: &Manifests) -> Option<Plan> {
    if !manifests.has("Cargo.toml") {
        return None;
    }
    let (command, rest): (&str, &[&str]) = match kind {
        CheckKind::Lint => ("clippy", &["--", "-D", "warnings"]),
        CheckKind::Typecheck => {
            return Some(Plan::Missing { reason: "clippy checks the types as it lints".into() });
        }
        CheckKind::Format => return Some(run(&["cargo", "fmt", "--all", "--check"])),
        CheckKind::Build => ("build", &[]),
        CheckKind::Test => ("test", &[]),
    };
    let targets: &[&str] = if kind == CheckKind::Lint { &["--all-targets"] } else { &[] };
    // Without a lock file `--locked` refuses to work at all.
    let locked: &[&str] = if manifests.has("Cargo.lock") { &["--locked"] } else { &[] };
    Some(run(&[&["cargo", command, "--workspace"], targets, locked, rest].concat()))
}

fn run(argv: &[&str]) -> Plan {
    Plan::Run { argv: argv.iter().map(ToString::to_string).collect(), why: "Cargo.toml".into() }
}
