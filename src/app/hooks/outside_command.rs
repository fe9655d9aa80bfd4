//! In sandboxed mode, commands that run outside the sandbox: only the bare command, and only our own program.

use crate::app::failure::Failure;
use crate::app::gate::overrides;
use crate::app::sandbox;
use crate::app::tool_event::ToolEvent;
use crate::edge::file::metadata::is_executable;
use crate::edge::run::stdio::own_program;
use crate::pure::client::{Answer, Tool};
use crate::pure::sandbox::misspelled;
use crate::pure::text::quoted;
use camino::Utf8Path;

pub(super) const RULE: &str = "sandbox";

/// Why the call must not run, or the question whether it may. Costs nothing where the text does not contain our name.
pub(super) fn answer(event: ToolEvent<'_>, tool: &Tool) -> Result<Option<Answer>, Failure> {
    if let Some(refusal) = refusal(event, tool) {
        return Ok(Some(refusal));
    }
    match tool {
        Tool::Bash { command } if command.trim_start().starts_with("plimsoll push") => {
            overrides::ask_before_push(event, command)
        }
        _ => Ok(None),
    }
}

fn refusal(event: ToolEvent<'_>, tool: &Tool) -> Option<Answer> {
    let Tool::Bash { command } = tool else { return None };
    if !command.contains("plimsoll") || !sandbox::is_declared(event.workspace) {
        return None;
    }
    if let Some(name) = misspelled(command) {
        return Some(Answer::deny(format!(
            "Refused (sandbox): `plimsoll {name}` runs outside the sandbox, so it must be the whole command: no path, variable, \
             redirect, pipe or other command beside it. Run it alone."
        )));
    }
    if command.trim_start().starts_with("plimsoll ") && !is_in_project(event) {
        return Some(Answer::deny(format!(
            "Refused (sandbox): `plimsoll` runs outside the sandbox and only in {}. Go back to it first: cd {}",
            event.workspace.project,
            quoted(event.workspace.project.as_str())
        )));
    }
    // `session-start` puts this folder first on PATH; without the file another program would be found.
    let ours = own_program().ok()?.parent().map(|hooks| hooks.with_file_name("bin").join("plimsoll"))?;
    (command.trim_start().starts_with("plimsoll ") && !is_executable(&ours)).then(|| {
        Answer::deny(format!(
            "Refused (sandbox): {ours} is missing, so PATH would find another `plimsoll` outside the sandbox. The user should run \
             install.sh again."
        ))
    })
}

/// In another repository or worktree, the command would find settings of the agent.
fn is_in_project(event: ToolEvent<'_>) -> bool {
    let (workspace, here) = (event.workspace, Utf8Path::new(&event.input.cwd));
    match workspace.of_directory(here) {
        Ok(Some(found)) => found.project == workspace.project,
        Ok(None) => workspace.repo.is_none() && here.starts_with(&workspace.project),
        Err(_) => false,
    }
}
