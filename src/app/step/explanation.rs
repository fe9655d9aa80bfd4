//! One step, looked at as the hook would, with everything that leads to the answer. Nothing of it is run.

use super::assessment::{ReviewConditions, assess};
use super::pause::is_paused;
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::repo::Copies;
use crate::pure::client::{Tool, ToolCall};
use crate::pure::policy::StepMode;
use crate::pure::report::Explanation;
use crate::pure::shell::{Budget, parse};
use crate::pure::step::{Mode, Timing};
use serde_json::value::RawValue;

pub fn explain(
    workspace: &Workspace,
    cwd: &str,
    name: &str,
    input: &RawValue,
) -> Result<Explanation, Failure> {
    let read = Tool::parse(&ToolCall { tool: name.to_owned(), input, id: String::new() });
    let text = match &read {
        Some(Tool::Bash { command }) => command.as_str(),
        _ => input.get(),
    };
    let mut explanation = Explanation::new(name, text, cwd, workspace.project.as_str());
    let kept = crate::app::checkpoints::copies_before_changes(workspace) != Copies::Off;
    let remark = match (workspace.repo.is_some(), kept) {
        (true, true) => None,
        (true, false) => Some("no checkpoint is taken here; what git does not hold does not come back"),
        (false, true) => Some("there is no git repository here; only checkpoints bring back what is deleted"),
        (false, false) => Some("there is no git repository here; what is deleted does not come back"),
    };
    explanation.remarks.extend(remark.map(str::to_owned));
    if let Err(failure) = workspace.settings() {
        let why = chain(failure.as_ref());
        explanation.remarks.push(format!("the settings cannot be read, so every rule is in force: {why}"));
    }
    // A session of its own, in which nothing was asked and nothing done yet.
    let circumstances =
        ReviewConditions { timing: Timing::After, ..ReviewConditions::new(workspace.step_policy(), None) };
    let settings = &circumstances.policy.settings;
    let paused = is_paused(workspace);
    if paused || !settings.enabled || settings.mode != StepMode::Blocking {
        explanation.remarks.push(
            "the step review is paused or only observes here: its rules are noted, not enforced".into(),
        );
    }
    let Some(tool) = &read else { return Ok(explanation.of_unreadable_call()) };
    let mut weighed = assess(workspace, cwd, tool, input.get())?;
    weighed.action = weighed.action.with_name(name);
    let mode = if paused { Mode::Observe } else { Mode::Enforce };
    let decision = weighed.decide(workspace, &circumstances, mode)?;
    if let Tool::Bash { command } = tool {
        explanation = explanation.with_commands(&parse(command, &mut Budget::default()));
    }
    Ok(explanation.with_survey(&weighed.survey, &weighed.known).with_decision(decision))
}
