//! The plan as the agent itself keeps it, read from its own calls.

use super::call::CallMarks;
use super::text::line;
use super::trace::push_bounded;
use super::usage::AgentPlan;
use crate::pure::secret::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MOST_ITEMS: usize = 40;
const LONGEST: usize = 120;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct PlanItems {
    items: Vec<Item>,
    /// Items that were ever added one by one.
    added: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Item {
    id: String,
    text: Redacted,
    done: bool,
}

impl PlanItems {
    pub(super) fn has_open(&self) -> bool {
        self.items.iter().any(|item| !item.done)
    }

    pub(super) fn summary(&self) -> AgentPlan {
        let texts = |done: bool| {
            self.items.iter().filter(|item| item.done == done).map(|item| item.text.to_string()).collect()
        };
        AgentPlan { done: texts(true), open: texts(false) }
    }

    /// Takes in a call that succeeded.
    pub(super) fn record(&mut self, tool: &str, call: &CallMarks, response: &str) {
        match tool {
            "TodoWrite" | "todo_write" | "update_plan" => self.replace(&call.input),
            "TaskCreate" => self.add(call, response),
            "TaskUpdate" => self.update(call),
            _ => {}
        }
    }

    fn replace(&mut self, input: &Value) {
        let Some(todos) = ["todos", "plan"].iter().find_map(|name| input.get(name)?.as_array()) else {
            return;
        };
        let item = |todo: &Value| {
            let text = ["content", "step", "text"].iter().find_map(|name| todo.get(name)?.as_str())?;
            let done = todo.get("status").and_then(Value::as_str) == Some("completed");
            Some(Item { id: String::new(), text: shown(text), done })
        };
        self.items = todos.iter().take(MOST_ITEMS).filter_map(item).collect();
    }

    fn add(&mut self, call: &CallMarks, response: &str) {
        let Some(text) = call.says(&["subject", "description"]) else { return };
        self.added = self.added.saturating_add(1);
        let told = response
            .split('#')
            .nth(1)
            .map(|rest| rest.chars().take_while(char::is_ascii_digit).take(9).collect::<String>());
        let id = told.filter(|id| !id.is_empty()).unwrap_or_else(|| self.added.to_string());
        push_bounded(&mut self.items, Item { id, text: shown(text), done: false }, MOST_ITEMS);
    }

    fn update(&mut self, call: &CallMarks) {
        let Some(id) = call.says(&["taskId", "task_id", "id"]) else { return };
        match call.says(&["status"]) {
            Some("deleted") => self.items.retain(|item| item.id != id),
            Some(status) => {
                for item in self.items.iter_mut().filter(|item| item.id == id) {
                    item.done = status == "completed";
                }
            }
            None => {}
        }
    }
}

fn shown(text: &str) -> Redacted {
    Redacted::beginning(text, LONGEST * 8, |text| line(text, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::Nature;

    fn taken(items: &mut PlanItems, tool: &str, input: &str, response: &str) {
        items.record(tool, &CallMarks::read(tool, input, Nature::Read), response);
    }

    #[test]
    fn the_plan_follows_what_the_agent_writes_down() {
        let mut items = PlanItems::default();
        taken(&mut items, "TaskCreate", r#"{"subject":"read"}"#, "Task #7 created successfully: read");
        taken(&mut items, "TaskCreate", r#"{"subject":"write"}"#, "");
        taken(&mut items, "TaskUpdate", r#"{"taskId":"7","status":"completed"}"#, "");
        assert_eq!(items.summary(), AgentPlan { done: vec!["read".into()], open: vec!["write".into()] });
        taken(&mut items, "TaskUpdate", r#"{"taskId":"2","status":"deleted"}"#, "");
        assert!(!items.has_open());
        let todos = r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"x":1}]}"#;
        taken(&mut items, "TodoWrite", todos, "");
        assert_eq!(items.summary(), AgentPlan { done: vec!["a".into()], open: vec!["b".into()] });
        taken(&mut items, "TodoWrite", r#"{"todos":"none"}"#, "");
        assert!(items.has_open(), "what is not understood changes nothing");
    }
}
