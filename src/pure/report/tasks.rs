//! Tasks for people and for orchestrators: a list, one in full, and the stream of what happened.

use crate::pure::monitor::interventions::moment;
use crate::pure::task::{FinishedReview, Shortfall, State, Task, TaskEvent, TaskStatus};
use serde_json::{Value, json};

/// One line each.
pub fn task_list(tasks: &[Task]) -> String {
    if tasks.is_empty() {
        return "No tasks. `plimsoll task add TITLE` adds one, `plimsoll task import PLAN.md` a whole plan.\n".into();
    }
    tasks
        .iter()
        .map(|task| {
            let status = task.state().status.word();
            format!("{:<6} {status:<16} {}\n", task.id.to_string(), task.definition.title)
        })
        .collect()
}

/// Everything about one task.
pub fn task_text(task: &Task) -> String {
    let state = task.state();
    let mut text = format!("{} {}: {}\n", task.id, state.status.word(), task.definition.title);
    let mut list = |heading: &str, entries: &[String]| {
        if !entries.is_empty() {
            text += &format!(
                "{heading}:\n{}",
                entries.iter().map(|entry| format!("  - {entry}\n")).collect::<String>()
            );
        }
    };
    list("Scope", &task.definition.scope);
    list("Acceptance", &task.definition.acceptance);
    if state.status != TaskStatus::Complete {
        list("Open issues", &state.open_issues);
    }
    if !task.definition.notes.is_empty() {
        text += &format!(
            "Notes:\n{}",
            task.definition.notes.lines().map(|line| format!("  {line}\n")).collect::<String>()
        );
    }
    let reviews: String = task.reviews().map(|(_, record)| review_line(record)).collect();
    if !reviews.is_empty() {
        text += &format!("Reviews:\n{reviews}");
    }
    if let Some(reason) = &state.reason {
        text += &format!("Blocked: {reason}\n");
    }
    text + &format!("Next: {}\n", next(task, &state))
}

fn review_line(record: &FinishedReview) -> String {
    let remark = match &record.shortfall {
        Some(Shortfall::Malformed(why)) => format!(" (could not be read: {why})"),
        Some(Shortfall::Changed(files)) => format!(" (does not count: {files} changed meanwhile)"),
        None => String::new(),
    };
    format!("  {}. {}{remark}: {}\n", record.attempt, record.result.word(), record.summary)
}

/// Who does what next.
pub(crate) fn next(task: &Task, state: &State) -> String {
    let id = task.id;
    match state.status {
        TaskStatus::Pending => format!("`plimsoll task start {id}`"),
        TaskStatus::InProgress => format!("when it is done, `plimsoll task done {id}`"),
        TaskStatus::NeedsRevision => format!("fix the open issues, then `plimsoll task done {id}`"),
        TaskStatus::AwaitingReview => match &state.review {
            Some(review) if review.given.is_some() => {
                format!("the review is not parsed yet: /parse-review {id}")
            }
            Some(_) => "a review is running".into(),
            None => format!("/review-task {id} in the client, or `plimsoll task done {id}`"),
        },
        TaskStatus::Complete => "nothing; it is complete".into(),
        TaskStatus::Blocked => {
            format!("a person resolves the open issues, then types `plimsoll task reopen {id} --reason …`")
        }
    }
}

pub fn task_value(task: &Task) -> Value {
    let state = task.state();
    let definition = &task.definition;
    let reviews: Vec<Value> = task
        .history
        .iter()
        .filter_map(|event| match &event.change {
            crate::pure::task::TaskChange::Reviewed(record) => {
                let mut value = json!(record);
                put(&mut value, "reviewed_at", json!(moment(event.time)));
                Some(value)
            }
            _ => None,
        })
        .collect();
    json!({
        "id": task.id,
        "title": definition.title,
        "status": state.status,
        "scope": definition.scope,
        "acceptance": definition.acceptance,
        "notes": definition.notes,
        "source": task.source,
        "worker": state.worker,
        "revision_count": state.revisions,
        "attempt": state.attempt(),
        "tree": state.submitted.as_ref().map(|(tree, _)| tree),
        "active_review": state.review.as_ref().map(|review| json!({
            "review": review.id,
            "attempt": review.attempt,
            "result": "PENDING",
            "tree": review.tree,
            "command": review.command,
            "model": review.model,
            "given": review.given.is_some(),
        })),
        "issues": state.open_issues,
        "blocked": state.reason,
        "next": next(task, &state),
        "reviews": reviews,
    })
}

/// Events after this one, of all tasks, oldest first.
pub fn event_values(tasks: &[Task], after: u64) -> Vec<(u64, Value)> {
    let mut events: Vec<(u64, Value)> = tasks
        .iter()
        .flat_map(|task| {
            (0..task.history.len()).filter_map(move |at| {
                let event = task.history.get(at).filter(|event| event.sequence > after)?;
                let before = task.history.iter().take(at + 1).map(|event| &event.change);
                Some((event.sequence, event_value(task, event, State::of(before).status)))
            })
        })
        .collect();
    events.sort_by_key(|(sequence, _)| *sequence);
    events
}

fn event_value(task: &Task, event: &TaskEvent, status: TaskStatus) -> Value {
    let mut value = json!({
        "sequence": event.sequence,
        "time": moment(event.time),
        "event": event.change.name(),
        "task": task.id,
        "title": task.definition.title,
        "status": status,
    });
    if let Value::Object(fields) = json!(event.change) {
        for (name, field) in fields.into_iter().filter(|(name, _)| name != "event") {
            put(&mut value, &name, field);
        }
    }
    value
}

fn put(value: &mut Value, name: &str, field: Value) {
    if let Some(object) = value.as_object_mut() {
        object.insert(name.to_owned(), field);
    }
}
