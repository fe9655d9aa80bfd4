//! One step, looked at as the hook would, with everything that leads to the answer. Nothing of it is run.

use super::checkpointing;
use super::scene::Scene;
use super::serve::{Failure, chain};
use super::step::paused;
use super::weigh::{Circumstances, weigh};
use crate::hook::{Call, Tool};
use crate::policy::StepMode;
use crate::repo::Copies;
use crate::report::Explanation;
use crate::shell::{Budget, parse};
use crate::step::{Mode, Timing};
use serde_json::value::RawValue;

pub fn explain(scene: &Scene, cwd: &str, name: &str, input: &RawValue) -> Result<Explanation, Failure> {
    let read = Tool::parse(&Call { tool: name.to_owned(), input, id: String::new() });
    let text = match &read {
        Some(Tool::Bash { command }) => command.as_str(),
        _ => input.get(),
    };
    let mut explanation = Explanation::new(name, text, cwd, scene.project.as_str());
    let kept = checkpointing::copies(scene) != Copies::Off;
    let remark = match (scene.repo.is_some(), kept) {
        (true, true) => None,
        (true, false) => Some("no checkpoint is taken here; what git does not hold does not come back"),
        (false, true) => Some("there is no git repository here; only checkpoints bring back what is deleted"),
        (false, false) => Some("there is no git repository here; what is deleted does not come back"),
    };
    explanation.remarks.extend(remark.map(str::to_owned));
    if let Err(failure) = scene.settings() {
        let why = chain(failure.as_ref());
        explanation.remarks.push(format!("the settings cannot be read, so every rule is in force: {why}"));
    }
    // A session of its own, in which nothing was asked and nothing done yet.
    let circumstances =
        Circumstances { timing: Timing::After, ..Circumstances::new(scene.step_policy(), None) };
    let settings = &circumstances.policy.settings;
    let paused = paused(scene);
    if paused || !settings.enabled || settings.mode != StepMode::Blocking {
        explanation.remarks.push(
            "the step review is paused or only observes here: its rules are noted, not enforced".into(),
        );
    }
    let Some(tool) = &read else { return Ok(explanation.of_unreadable_call()) };
    let mut weighed = weigh(scene, cwd, tool, input.get())?;
    weighed.action = weighed.action.called(name);
    let mode = if paused { Mode::Observe } else { Mode::Enforce };
    let decision = weighed.decide(scene, &circumstances, mode)?;
    if let Tool::Bash { command } = tool {
        explanation = explanation.with_commands(&parse(command, &mut Budget::default()));
    }
    Ok(explanation.with_survey(&weighed.survey, &weighed.known).with_decision(decision))
}
