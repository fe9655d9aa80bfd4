//! PHP projects: composer's scripts, otherwise its tools.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::script::{Chosen, choose, unfit};
use crate::pure::project::{CheckKind, CheckPlan};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const PHPCS: [&str; 4] = ["phpcs.xml", "phpcs.xml.dist", ".phpcs.xml", ".phpcs.xml.dist"];
const PHPSTAN: [&str; 3] = ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"];
const PSALM: [&str; 2] = ["psalm.xml", "psalm.xml.dist"];
const CS_FIXER: [&str; 2] = [".php-cs-fixer.php", ".php-cs-fixer.dist.php"];
const PHPUNIT: [&str; 2] = ["phpunit.xml", "phpunit.xml.dist"];

#[derive(Deserialize)]
struct Composer {
    #[serde(default)]
    scripts: BTreeMap<String, Value>,
}

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has("composer.json")
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let composer: Composer = match folder.json("composer.json") {
        Some(Ok(composer)) => composer,
        Some(Err(error)) => return CheckPlan::unknown("composer.json", error),
        None => return CheckPlan::unknown("composer.json", "could not be read"),
    };
    let scripts: BTreeMap<String, String> =
        composer.scripts.iter().map(|(name, command)| (name.clone(), command.to_string())).collect();
    let other = |name: &&&str| scripts.get(**name).is_some_and(|command| unfit(command).is_none());
    let chosen = match choose(kind, &scripts) {
        Chosen::Fit(name) => Some(name),
        Chosen::Unfit(..) | Chosen::None => others(kind).iter().find(other).copied(),
    };
    match chosen {
        Some(name) => {
            CheckPlan::script(format!("composer run {name}"), format!("script `{name}` in composer.json"))
        }
        None => tool(kind, folder),
    }
}

/// Names that only PHP projects use.
fn others(kind: CheckKind) -> &'static [&'static str] {
    match kind {
        CheckKind::Lint => &["phpcs", "cs:check", "cs-check"],
        CheckKind::Typecheck => &["phpstan", "psalm", "analyse", "analyze", "stan"],
        CheckKind::Format => &["style:check", "pint:test"],
        CheckKind::Test => &["phpunit", "pest"],
        CheckKind::Build | CheckKind::Integration | CheckKind::E2e => &[],
    }
}

fn tool(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let set_up = |names: &[&'static str], line: &str| {
        folder.first_of(names).map(|why| CheckPlan::tool(format!("vendor/bin/{line}"), why))
    };
    let found = match kind {
        CheckKind::Lint => set_up(&PHPCS, "phpcs"),
        CheckKind::Typecheck => set_up(&PHPSTAN, "phpstan analyse --no-progress")
            .or_else(|| set_up(&PSALM, "psalm --no-progress")),
        CheckKind::Format => {
            set_up(&["pint.json"], "pint --test").or_else(|| set_up(&CS_FIXER, "php-cs-fixer check"))
        }
        CheckKind::Test => set_up(&["tests/Pest.php"], "pest").or_else(|| set_up(&PHPUNIT, "phpunit")),
        CheckKind::Build | CheckKind::Integration | CheckKind::E2e => None,
    };
    found.unwrap_or_else(|| {
        CheckPlan::missing(format!("no script and no tool for {kind} beside composer.json"))
    })
}
