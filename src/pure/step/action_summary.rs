//! A summary of a tool call: its type, its intent and its scope.

use super::action::Action;
use super::assessment::Nature;
use super::effect::{Effect, Target};
use super::place::Place;
use super::survey::Survey;
use super::zone::lies_below;
use crate::pure::client::Tool;
use crate::pure::text::cut_line;
use serde::{Deserialize, Serialize};

/// The longest intent and subject.
const LONGEST: usize = 160;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionType {
    #[default]
    ToolUse,
    /// Text for another agent, session or command.
    Message,
    FileOperation,
    SystemCommand,
}

/// Where a tool call has its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionScope {
    /// Only the session itself.
    #[default]
    Session,
    Project,
    /// Files outside the project.
    OutsideProject,
    /// Processes, services, devices, or unknown.
    System,
    /// Other machines.
    Network,
}

/// Type, intent and scopes of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ActionSummary {
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// The purpose that the agent states, or what the call does by its nature. It may hold a secret.
    pub intent: String,
    /// At least one, each once.
    pub scope: Vec<ActionScope>,
}

impl ActionType {
    fn of(tool: &Tool) -> Self {
        match tool {
            Tool::Bash { .. } => Self::SystemCommand,
            Tool::Write { .. } | Tool::Read { .. } | Tool::Search { .. } | Tool::DropWorktree => {
                Self::FileOperation
            }
            Tool::Agent(_) | Tool::Skill { .. } | Tool::Prompting(_) => Self::Message,
            Tool::Fetch { .. } | Tool::WebSearch { .. } | Tool::Passive | Tool::Other(_) => Self::ToolUse,
        }
    }
}

impl Action<'_> {
    pub(crate) fn summary(&self, survey: &Survey, nature: Nature, place: &Place) -> ActionSummary {
        let kind = ActionType::of(self.tool);
        let stated = self.stated_intent().filter(|text| !text.trim().is_empty());
        let intent = stated.unwrap_or_else(|| purpose(kind, nature).to_owned());
        ActionSummary { kind, intent, scope: scopes(self.tool, survey, nature, place) }
    }

    /// The command, the file, the address or the name that the call is about, shortened. It may hold a secret.
    pub(crate) fn subject(&self) -> String {
        let text = match self.tool {
            Tool::Bash { command } => command,
            Tool::Write { path, .. } | Tool::Read { path } => path,
            Tool::Search { path, glob, .. } => path.as_ref().or(glob.as_ref()).map_or("", String::as_str),
            Tool::Fetch { url } => url,
            Tool::WebSearch { query } => query,
            Tool::Agent(agent) => &agent.subagent_type,
            Tool::Skill { name, .. } => name,
            Tool::Prompting(_) | Tool::DropWorktree | Tool::Passive | Tool::Other(_) => "",
        };
        text.to_owned()
    }

    /// The client lets the model describe commands and agents.
    fn stated_intent(&self) -> Option<String> {
        match self.tool {
            Tool::Bash { .. } => described(self.raw_input()),
            Tool::Agent(agent) => Some(agent.description.clone()),
            _ => None,
        }
    }
}

/// The `description` in an input. Inside a text of the input its quotes would be escaped, so the rest need not be read.
fn described(input: &str) -> Option<String> {
    const NAME: &str = "\"description\"";
    let at = memchr::memmem::find(input.as_bytes(), NAME.as_bytes())?;
    let value = input.get(at + NAME.len()..)?.trim_start().strip_prefix(':')?;
    String::deserialize(&mut serde_json::Deserializer::from_str(value)).ok()
}

/// The beginning of a text on one line.
pub(crate) fn short(text: &str) -> String {
    let beginning = text.get(..text.floor_char_boundary(8 * LONGEST)).unwrap_or(text);
    cut_line(beginning, LONGEST)
}

fn purpose(kind: ActionType, nature: Nature) -> &'static str {
    match (kind, nature) {
        (ActionType::Message, _) => "hand text on",
        (_, Nature::Read) => "read",
        (_, Nature::Creation) => "create files",
        (_, Nature::Modification) => "change files",
        (_, Nature::Network) => "reach other machines",
        (_, Nature::System) => "run a program",
        (_, Nature::Deletion) => "delete",
    }
}

fn scopes(tool: &Tool, survey: &Survey, nature: Nature, place: &Place) -> Vec<ActionScope> {
    let mut scopes: Vec<ActionScope> = survey.found.iter().map(|found| scope(&found.effect, place)).collect();
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        scopes.push(match (tool, nature) {
            (Tool::Passive | Tool::Agent(_) | Tool::Skill { .. } | Tool::Prompting(_), _) => {
                ActionScope::Session
            }
            (_, Nature::Network) => ActionScope::Network,
            (_, Nature::System) => ActionScope::System,
            (_, Nature::Read | Nature::Creation | Nature::Modification | Nature::Deletion) => {
                ActionScope::Project
            }
        });
    }
    scopes
}

fn scope(effect: &Effect, place: &Place) -> ActionScope {
    match effect {
        Effect::Delete { target, .. }
        | Effect::Write { target, .. }
        | Effect::Replace { target }
        | Effect::Read { target } => of_target(target, place),
        Effect::Merge { into: path, .. } | Effect::SecretContent { target: path, .. } => {
            of_target(&Target::Path(path.clone()), place)
        }
        Effect::Discard { .. } | Effect::Later { .. } => ActionScope::Project,
        Effect::RewriteRemote { .. }
        | Effect::NetworkShell { .. }
        | Effect::Send { .. }
        | Effect::Network { .. }
        | Effect::Publish { .. }
        | Effect::ForgeWrite { .. }
        | Effect::Leave { .. } => ActionScope::Network,
        Effect::Format { .. }
        | Effect::ForkBomb
        | Effect::RunFetched { .. }
        | Effect::Destroy { .. }
        | Effect::Disrupt { .. }
        | Effect::Expose { .. }
        | Effect::Reveal { .. }
        | Effect::Bypass { .. }
        | Effect::PossibleBypass { .. }
        | Effect::Impersonate { .. }
        | Effect::Opaque { .. } => ActionScope::System,
    }
}

fn of_target(target: &Target, place: &Place) -> ActionScope {
    let path = match target {
        Target::Path(path) | Target::Inside(path) | Target::Below(path) => path.as_str(),
        Target::Matching(pattern) => pattern,
        Target::Unknown => return ActionScope::System,
    };
    match lies_below(path.into(), place.project.as_str()) {
        true => ActionScope::Project,
        false => ActionScope::OutsideProject,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::client::ToolCall;
    use crate::pure::step::known::Known;
    use crate::pure::step::risk::worst;
    use crate::pure::step::{sample, survey};
    use serde_json::{Value, json, value::RawValue};

    fn summary(tool: &str, input: &Value) -> ActionSummary {
        let raw = RawValue::from_string(input.to_string()).unwrap();
        let tool = Tool::parse(&ToolCall { tool: tool.into(), input: &raw, id: String::new() }).unwrap();
        let (place, known) = (sample::place(), Known::default());
        let action = Action::read(&tool, raw.get());
        let looked = survey(&action, &place, &known);
        let nature = worst(&looked, &place, &known);
        action.summary(&looked, nature, &place)
    }

    #[test]
    fn every_kind_of_tool_has_its_type() {
        for (tool, input, kind) in [
            ("Bash", json!({"command": "ls"}), ActionType::SystemCommand),
            ("Write", json!({"file_path": "/home/user/project/a", "content": ""}), ActionType::FileOperation),
            (
                "Agent",
                json!({"prompt": "x", "description": "Look", "subagent_type": "y"}),
                ActionType::Message,
            ),
            ("SendMessage", json!({"message": "x"}), ActionType::Message),
            ("WebSearch", json!({"query": "x"}), ActionType::ToolUse),
        ] {
            assert_eq!(summary(tool, &input).kind, kind, "{tool}");
        }
    }

    #[test]
    fn the_intent_is_the_stated_one_or_what_the_call_does() {
        let intent = |input: Value| summary("Bash", &input).intent;
        assert_eq!(intent(json!({"command": "ls", "description": "List\nfiles"})), "List\nfiles");
        assert_eq!(intent(json!({"command": "ls"})), "read");
        assert_eq!(intent(json!({"command": "echo '\"description\": \"x\"'"})), "read");
        assert_eq!(intent(json!({"command": "rm -rf src"})), "delete");
        assert_eq!(summary("SendMessage", &json!({"message": "x"})).intent, "hand text on");
    }

    #[test]
    fn the_scope_is_where_the_effects_are() {
        let scope = |command: &str| summary("Bash", &json!({ "command": command })).scope;
        assert_eq!(scope("ls"), [ActionScope::Project]);
        assert_eq!(scope("rm -rf src"), [ActionScope::Project]);
        assert_eq!(scope("cp a b; rm /opt/x"), [ActionScope::Project, ActionScope::OutsideProject]);
        assert_eq!(scope("npm publish"), [ActionScope::Network]);
        assert_eq!(summary("TodoWrite", &json!({"todos": []})).scope, [ActionScope::Session]);
    }
}
