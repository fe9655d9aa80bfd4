//! A plan becomes tasks, each of them once however often the plan is read.

use super::transition::tasks;
use super::work::without_secrets;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::pure::secret::redact;
use crate::pure::task::{Definition, Task, TaskChange, TaskEvent, TaskId, TaskItem, TaskSource, plan};

/// The result for each item of a plan.
#[derive(Debug, Default)]
pub struct ImportedPlan {
    pub added: Vec<Task>,
    /// Their definition changed before anybody began.
    pub redefined: Vec<Task>,
    /// The plan says something else about them by now, and somebody has begun.
    pub kept: Vec<Task>,
    pub unchanged: usize,
    /// Ticked in the plan before they were tasks.
    pub ticked: usize,
    /// Items that are no tasks, with the reason.
    pub refused: Vec<String>,
}

/// `name` is what the plan is known by. One write per task: who is interrupted imports again.
pub fn import(workspace: &Workspace, name: &str, markdown: &str) -> Result<ImportedPlan, Failure> {
    let plan = plan(markdown);
    let tasks = tasks(workspace);
    let _lock = tasks.lock()?;
    let mut list = tasks.read()?;
    let mut imported = ImportedPlan::default();
    if plan.left_out > 0 {
        imported.refused.push(format!("{} items are more than one plan may hold", plan.left_out));
    }
    let mut sequence = list.sequence();
    let mut event = |what| {
        sequence += 1;
        TaskEvent { sequence, time: clock::milliseconds(), change: what }
    };
    for TaskItem { key, definition, checked } in plan.items {
        let title = definition.title.clone();
        let definition = match without_secrets(definition).checked() {
            Ok(definition) => definition,
            Err(problem) => {
                imported
                    .refused
                    .push(format!("\"{}\": {problem}", title.chars().take(60).collect::<String>()));
                continue;
            }
        };
        let source = TaskSource { plan: redact(name), key };
        match list.tasks.iter().find(|task| task.source.as_ref() == Some(&source)) {
            Some(task) => match standing(task, &definition) {
                Standing::Same => imported.unchanged += 1,
                Standing::Begun => imported.kept.push(task.clone()),
                Standing::Fresh => {
                    let mut task = Task { definition, ..task.clone() };
                    task.history.push(event(TaskChange::Redefined));
                    tasks.write(&task)?;
                    imported.redefined.push(task);
                }
            },
            None if checked => imported.ticked += 1,
            None => {
                list.highest += 1;
                let history = vec![event(TaskChange::Added)];
                let task = Task { id: TaskId::new(list.highest), definition, source: Some(source), history };
                tasks.write(&task)?;
                imported.added.push(task);
            }
        }
    }
    Ok(imported)
}

enum Standing {
    Same,
    Fresh,
    Begun,
}

/// Who has begun and given it back does not get other criteria by editing the plan.
fn standing(task: &Task, definition: &Definition) -> Standing {
    let begun = || {
        task.history.iter().any(|event| !matches!(event.change, TaskChange::Added | TaskChange::Redefined))
    };
    match task.definition == *definition {
        true => Standing::Same,
        false if begun() => Standing::Begun,
        false => Standing::Fresh,
    }
}
