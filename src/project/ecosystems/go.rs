//! Go projects: one module, or the modules of a workspace.

use crate::project::folder::Folder;
use crate::project::{CheckKind, Plan};

const GOLANGCI: [&str; 4] = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

pub(super) fn present(folder: &Folder<'_>) -> bool {
    folder.has("go.mod") || folder.has("go.work")
}

pub(super) fn plan(kind: CheckKind, folder: &Folder<'_>) -> Plan {
    let why = if folder.has("go.work") { "go.work" } else { "go.mod" };
    let packages = match packages(folder) {
        Ok(packages) => packages,
        Err(reason) => return Plan::unknown("go.work", reason),
    };
    match kind {
        CheckKind::Lint => match folder.first_of(&GOLANGCI) {
            Some(file) => Plan::tool(format!("golangci-lint run {packages}"), file),
            None => Plan::tool(format!("go vet {packages}"), why),
        },
        CheckKind::Typecheck => Plan::missing("go checks the types as it builds"),
        CheckKind::Format => Plan::tool(format!("gofmt -l {}", formatted(folder)), why).silent(),
        // Thrown away: a single command would otherwise be written into the project.
        CheckKind::Build => Plan::tool(format!("go build -o /dev/null {packages}"), why),
        CheckKind::Test => Plan::tool(format!("go test {packages}"), why),
        CheckKind::Integration | CheckKind::E2e => {
            let folders = [kind.word().to_string(), format!("test/{kind}"), format!("tests/{kind}")];
            let tests = |path: &&String| folder.below(path).any(|file| file.ends_with("_test.go"));
            match folders.iter().find(tests) {
                Some(path) => Plan::tool(format!("go test -tags={kind} ./{path}/..."), format!("{path}/")),
                None => Plan::missing(format!("no tests in {}", folders.join(", "))),
            }
        }
    }
}

/// In a workspace `./...` means nothing; its modules have to be named.
fn packages(folder: &Folder<'_>) -> Result<String, String> {
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

/// Everything but what was copied in, which is formatted as its authors like it.
fn formatted(folder: &Folder<'_>) -> String {
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
