//! JavaScript tools that are set up without a script.

use super::node::Package;
use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

const BIOME: [&str; 2] = ["biome.json", "biome.jsonc"];
const OXLINT: [&str; 2] = [".oxlintrc.json", "oxlint.config.ts"];
const ESLINT: [&str; 12] = [
    "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts",
    "eslint.config.cts", ".eslintrc", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml",
    ".eslintrc.yaml",
];
const PRETTIER: [&str; 15] = [
    ".prettierrc", ".prettierrc.json", ".prettierrc.json5", ".prettierrc.yml", ".prettierrc.yaml",
    ".prettierrc.toml", ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", ".prettierrc.ts",
    "prettier.config.js", "prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts",
    "prettier.config.mts",
];
const DPRINT: [&str; 3] = ["dprint.json", "dprint.jsonc", ".dprint.json"];
const VITEST: [&str; 4] = ["vitest.config.ts", "vitest.config.mts", "vitest.config.js", "vitest.config.mjs"];
const JEST: [&str; 5] =
    ["jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.json"];
const PLAYWRIGHT: [&str; 4] =
    ["playwright.config.ts", "playwright.config.js", "playwright.config.mts", "playwright.config.mjs"];
const CYPRESS: [&str; 4] =
    ["cypress.config.ts", "cypress.config.js", "cypress.config.mjs", "cypress.config.cjs"];

pub(super) fn plan(kind: CheckKind, package: &Package, folder: &ProjectFolder<'_>) -> Option<CheckPlan> {
    let tool = |line: &str, why: &str| CheckPlan::tool(installed(line, folder), why);
    let set_up = |names: &[&'static str], line: &str| folder.first_of(names).map(|why| tool(line, why));
    let depends = |name: &str, line: &str| {
        package.depends_on(name).then(|| tool(line, &format!("{name} in package.json")))
    };
    let inside =
        |key: &str, line: &str| package.sets_up(key).then(|| tool(line, &format!("`{key}` in package.json")));
    match kind {
        CheckKind::Lint => set_up(&BIOME, "biome check .")
            .or_else(|| set_up(&OXLINT, "oxlint"))
            .or_else(|| set_up(&ESLINT, "eslint ."))
            .or_else(|| inside("eslintConfig", "eslint .")),
        CheckKind::Typecheck => {
            let vue = || depends("vue-tsc", "vue-tsc --noEmit");
            let svelte = || depends("svelte-check", "svelte-check");
            // With references, `-p` checks an empty list of files and succeeds.
            let references = folder.says("tsconfig.json", "\"references\"");
            let line = if references { "tsc -b --noEmit" } else { "tsc --noEmit -p ." };
            vue().or_else(svelte).or_else(|| set_up(&["tsconfig.json"], line))
        }
        CheckKind::Format => set_up(&BIOME, "biome format .")
            .or_else(|| set_up(&PRETTIER, "prettier --check ."))
            .or_else(|| inside("prettier", "prettier --check ."))
            .or_else(|| depends("prettier", "prettier --check ."))
            .or_else(|| set_up(&DPRINT, "dprint check")),
        CheckKind::Build | CheckKind::Integration => None,
        CheckKind::Test => set_up(&VITEST, "vitest run")
            .or_else(|| depends("vitest", "vitest run"))
            .or_else(|| set_up(&JEST, "jest --ci"))
            .or_else(|| inside("jest", "jest --ci"))
            .or_else(|| depends("jest", "jest --ci")),
        CheckKind::E2e => set_up(&PLAYWRIGHT, "playwright test").or_else(|| set_up(&CYPRESS, "cypress run")),
    }
}

/// The project's own copy of a tool, so that a tool that is not installed is reported as missing.
fn installed(line: &str, folder: &ProjectFolder<'_>) -> String {
    let plug_and_play = folder.has(".pnp.cjs");
    if plug_and_play { format!("yarn run {line}") } else { format!("node_modules/.bin/{line}") }
}
