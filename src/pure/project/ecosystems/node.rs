//! JavaScript projects: the project's scripts with its package manager, otherwise its tools.

use super::{node_tools, workspaces};
use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::script::{Chosen, choose, names};
use crate::pure::project::{CheckKind, CheckPlan};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Lock file and the manager that writes it.
const LOCK_FILES: [(&str, Manager); 6] = [
    ("pnpm-lock.yaml", Manager::Pnpm),
    ("yarn.lock", Manager::Yarn),
    ("bun.lock", Manager::Bun),
    ("bun.lockb", Manager::Bun),
    ("package-lock.json", Manager::Npm),
    ("npm-shrinkwrap.json", Manager::Npm),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Manager {
    const ALL: [Self; 4] = [Self::Npm, Self::Pnpm, Self::Yarn, Self::Bun];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Package {
    package_manager: Option<String>,
    #[serde(default)]
    pub(super) scripts: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) workspaces: Value,
    #[serde(default)]
    dependencies: BTreeMap<String, Value>,
    #[serde(default)]
    dev_dependencies: BTreeMap<String, Value>,
    /// Settings of tools that may stand in here.
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl Package {
    pub(super) fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains_key(name) || self.dev_dependencies.contains_key(name)
    }

    pub(super) fn sets_up(&self, tool: &str) -> bool {
        self.rest.contains_key(tool)
    }

    pub(super) fn modern_yarn(&self) -> bool {
        let version = self.package_manager.as_deref().and_then(|text| text.strip_prefix("yarn@"));
        version.is_some_and(|version| !version.starts_with("1.") && !version.starts_with("0."))
    }
}

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has("package.json")
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    match folder.json::<Package>("package.json") {
        Some(Ok(package)) => of_package(kind, &package, folder),
        Some(Err(error)) => CheckPlan::unknown("package.json", error),
        None => CheckPlan::unknown("package.json", "could not be read"),
    }
}

fn of_package(kind: CheckKind, package: &Package, folder: &ProjectFolder<'_>) -> CheckPlan {
    let manager = manager(package, folder);
    let chosen = choose(kind, &package.scripts);
    if let Chosen::Fit(name) = chosen {
        let why = format!("script `{name}` in package.json");
        return CheckPlan::script(format!("{} run {name}", manager.word()), why);
    }
    let other =
        workspaces::plan(kind, package, manager, folder).or_else(|| node_tools::plan(kind, package, folder));
    other.unwrap_or_else(|| {
        CheckPlan::missing(match chosen {
            Chosen::Unfit(name, why) => format!("script `{name}` in package.json {why}"),
            Chosen::Fit(_) | Chosen::None => {
                let plain = names(kind).iter().take(4).copied().collect::<Vec<_>>();
                format!("no script `{}` in package.json", plain.join("`, `"))
            }
        })
    })
}

fn manager(package: &Package, folder: &ProjectFolder<'_>) -> Manager {
    let declared = package.package_manager.as_deref().and_then(|text| text.split('@').next());
    let known = Manager::ALL.into_iter().find(|manager| Some(manager.word()) == declared);
    let by_lock = || LOCK_FILES.into_iter().find(|(file, _)| folder.has(file)).map(|(_, manager)| manager);
    known.or_else(by_lock).unwrap_or(Manager::Npm)
}
