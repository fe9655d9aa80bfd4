//! Go projects: one module, or the modules of a workspace.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

const GOLANGCI: [&str; 4] = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has("go.mod") || folder.has("go.work")
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let why = if folder.has("go.work") { "go.work" } else { "go.mod" };
    let packages = match packages(folder) {
        Ok(packages) => packages,
        Err(reason) => return CheckPlan::unknown("go.work", reason),
    };
    match kind {
        CheckKind::Lint => match folder.first_of(&GOLANGCI) {
            Some(file) => CheckPlan::tool(format!("golangci-lint run {packages}"), file),
            None => CheckPlan::tool(format!("go vet {packages}"), why),
        },
        CheckKind::Typecheck => CheckPlan::missing("go checks the types as it builds"),
        CheckKind::Format => CheckPlan::tool(format!("gofmt -l {}", formatted(folder)), why).silent(),
        // Discarded: otherwise the program of a single package is written into the project.
        CheckKind::Build => CheckPlan::tool(format!("go build -o /dev/null {packages}"), why),
        CheckKind::Test => CheckPlan::tool(format!("go test {packages}"), why),
        CheckKind::Integration | CheckKind::E2e => {
            let folders = [kind.word().to_string(), format!("test/{kind}"), format!("tests/{kind}")];
            let tests = |path: &&String| folder.below(path).any(|file| file.ends_with("_test.go"));
            match folders.iter().find(tests) {
                Some(path) => {
                    CheckPlan::tool(format!("go test -tags={kind} ./{path}/..."), format!("{path}/"))
                }
                None => CheckPlan::missing(format!("no tests in {}", folders.join(", "))),
            }
        }
    }
}

/// In a workspace `./...` means nothing; its modules have to be named.
fn packages(folder: &ProjectFolder<'_>) -> Result<String, String> {
    let Some(text) = folder.text("go.work") else { return Ok("./...".into()) };
    let mut within = false;
    let mut modules = Vec::new();
    for line in text?.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        match line {
            "use (" => within = true,
            ")" => within = false,
            _ if within && !line.is_empty() => modules.push(line),
            _ => modules.extend(line.strip_prefix("use ").map(str::trim)),
        }
    }
    let below = |module: &&str| format!("{}/...", module.trim_matches('"').trim_end_matches('/'));
    match modules.as_slice() {
        [] => Err("names no module".into()),
        modules => Ok(modules.iter().map(below).collect::<Vec<_>>().join(" ")),
    }
}

/// Everything except vendored code.
fn formatted(folder: &ProjectFolder<'_>) -> String {
    if !folder.has_folder("vendor") {
        return ".".into();
    }
    let mut tops: Vec<&str> = folder
        .below("")
        .filter(|path| path.ends_with(".go"))
        .map(|path| path.split('/').next().unwrap_or(path))
        .filter(|top| *top != "vendor")
        .collect();
    tops.dedup();
    tops.join(" ")
}
