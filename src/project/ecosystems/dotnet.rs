//! .NET projects: the dotnet command over the solution or project at hand.

use crate::project::folder::Folder;
use crate::project::manifests::DOTNET;
use crate::project::{CheckKind, Plan};

pub(super) fn present(folder: &Folder<'_>) -> bool {
    file(folder).is_some()
}

/// A solution before a project: it knows all of them.
fn file<'a>(folder: &Folder<'a>) -> Option<&'a str> {
    DOTNET.iter().find_map(|ending| folder.names("").find(|name| name.ends_with(ending)))
}

pub(super) fn plan(kind: CheckKind, folder: &Folder<'_>) -> Plan {
    let why = file(folder).unwrap_or_default();
    let styled = folder.has(".editorconfig");
    match kind {
        CheckKind::Lint if styled => {
            Plan::tool("dotnet format analyzers --verify-no-changes", ".editorconfig")
        }
        CheckKind::Format if styled => {
            Plan::tool("dotnet format whitespace --verify-no-changes", ".editorconfig")
        }
        CheckKind::Lint | CheckKind::Format => {
            Plan::missing("no .editorconfig says how the code should look")
        }
        CheckKind::Typecheck => Plan::missing("the build checks the types"),
        CheckKind::Build => Plan::tool("dotnet build --nologo", why),
        CheckKind::Test => Plan::tool("dotnet test --nologo", why),
        CheckKind::Integration | CheckKind::E2e => Plan::missing(format!("no {kind} tests are set up")),
    }
}
