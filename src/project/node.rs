//! JavaScript projects: the project's own scripts, run by its own package manager.

use super::{CheckKind, Manifest, Manifests, Plan};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Lock file and the manager that writes it.
const LOCK_FILES: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Package {
    package_manager: Option<String>,
    #[serde(default)]
    scripts: BTreeMap<String, String>,
}

pub(super) fn plan(kind: CheckKind, manifests: &Manifests) -> Option<Plan> {
    let text = match &manifests.package_json {
        Manifest::Absent => return None,
        Manifest::Unreadable(reason) => {
            return Some(Plan::Unknown { reason: format!("package.json: {reason}") });
        }
        Manifest::Text(text) => text,
    };
    Some(match serde_json::from_str::<Package>(text.trim_start_matches('\u{feff}')) {
        Ok(package) => script(kind, &package, manifests),
        Err(error) => Plan::Unknown { reason: format!("package.json: {error}") },
    })
}

fn script(kind: CheckKind, package: &Package, manifests: &Manifests) -> Plan {
    let names: &[&str] = match kind {
        CheckKind::Lint => &["lint"],
        CheckKind::Typecheck => &["typecheck", "type-check", "check-types", "tsc"],
        CheckKind::Format => &["format:check", "format-check", "check-format"],
        CheckKind::Build => &["build"],
        CheckKind::Test => &["test"],
    };
    let real = |name: &&&str| package.scripts.get(**name).is_some_and(|command| is_check(command));
    match names.iter().find(real) {
        Some(name) => Plan::Run {
            argv: [manager(package, manifests), "run", name].map(String::from).to_vec(),
            why: format!("script `{name}` in package.json"),
        },
        None => Plan::Missing { reason: format!("no script `{}` in package.json", names.join("`, `")) },
    }
}

/// `npm init` writes a test script that only says that there is none.
fn is_check(command: &str) -> bool {
    !command.trim().is_empty() && !command.contains("no test specified")
}

fn manager(package: &Package, manifests: &Manifests) -> &'static str {
    let declared = package.package_manager.as_deref().and_then(|text| text.split('@').next());
    let known = MANAGERS.into_iter().find(|manager| Some(*manager) == declared);
    let by_lock = || LOCK_FILES.into_iter().find(|(file, _)| manifests.has(file)).map(|(_, manager)| manager);
    known.or_else(by_lock).unwrap_or("npm")
}
