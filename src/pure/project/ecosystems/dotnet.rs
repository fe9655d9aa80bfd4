//! .NET projects: the dotnet command for the solution or project.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::manifests::DOTNET;
use crate::pure::project::{CheckKind, CheckPlan};

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    file(folder).is_some()
}

/// A solution before a project, since it contains all projects.
fn file<'a>(folder: &ProjectFolder<'a>) -> Option<&'a str> {
    DOTNET.iter().find_map(|ending| folder.names("").find(|name| name.ends_with(ending)))
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let why = file(folder).unwrap_or_default();
    let styled = folder.has(".editorconfig");
    match kind {
        CheckKind::Lint if styled => {
            CheckPlan::tool("dotnet format analyzers --verify-no-changes", ".editorconfig")
        }
        CheckKind::Format if styled => {
            CheckPlan::tool("dotnet format whitespace --verify-no-changes", ".editorconfig")
        }
        CheckKind::Lint | CheckKind::Format => {
            CheckPlan::missing("no .editorconfig says how the code should look")
        }
        CheckKind::Typecheck => CheckPlan::missing("the build checks the types"),
        CheckKind::Build => CheckPlan::tool("dotnet build --nologo", why),
        CheckKind::Test => CheckPlan::tool("dotnet test --nologo", why),
        CheckKind::Integration | CheckKind::E2e => CheckPlan::missing(format!("no {kind} tests are set up")),
    }
}
