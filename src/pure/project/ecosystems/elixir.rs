//! Elixir projects: mix, with the project's own aliases first.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::script::{Chosen, choose};
use crate::pure::project::{CheckKind, CheckPlan};
use std::collections::BTreeMap;

const WHY: &str = "mix.exs";

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has(WHY)
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let text = match folder.text(WHY) {
        Some(Ok(text)) => text,
        Some(Err(error)) => return CheckPlan::unknown(WHY, error),
        None => return CheckPlan::unknown(WHY, "could not be read"),
    };
    if let Chosen::Fit(name) = choose(kind, &aliases(text)) {
        return CheckPlan::script(format!("mix {name}"), format!("alias `{name}` in mix.exs"));
    }
    match kind {
        CheckKind::Lint if text.contains(":credo") => CheckPlan::tool("mix credo", "credo in mix.exs"),
        CheckKind::Lint => CheckPlan::missing("credo is not in mix.exs"),
        CheckKind::Typecheck if text.contains(":dialyxir") => {
            CheckPlan::missing("dialyzer takes minutes; loop1.checks.typecheck can call for it")
        }
        CheckKind::Typecheck => CheckPlan::missing("the compiler checks what types there are"),
        CheckKind::Format if folder.has(".formatter.exs") => {
            CheckPlan::tool("mix format --check-formatted", ".formatter.exs")
        }
        CheckKind::Format => CheckPlan::missing("no .formatter.exs"),
        CheckKind::Build => CheckPlan::tool("mix compile --warnings-as-errors", WHY),
        CheckKind::Test => CheckPlan::tool("mix test", WHY),
        CheckKind::Integration | CheckKind::E2e => {
            let path = format!("test/{kind}");
            match folder.has_folder(&path) {
                true => CheckPlan::tool(format!("mix test {path}"), path),
                false => CheckPlan::missing(format!("no alias `{kind}` and no {path}/")),
            }
        }
    }
}

/// `name: [...]` and `"name": ...` in the function that holds the aliases.
fn aliases(text: &str) -> BTreeMap<String, String> {
    let body = text.split("defp aliases").nth(1).unwrap_or_default();
    let lines = body.lines().take_while(|line| line.trim() != "end");
    let named = lines.filter_map(|line| {
        let (name, command) = line.trim().split_once(": ")?;
        let name = name.trim_matches('"');
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        (!name.is_empty() && name.chars().all(plain)).then(|| (name.to_owned(), command.to_owned()))
    });
    named.collect()
}
