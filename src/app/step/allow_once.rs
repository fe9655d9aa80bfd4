//! Allow once: a person's request turns one refused tool call into a question that only a person can answer.

use super::audit::secrets_of;
use super::phrase::phrase;
use super::reviewed_call::ReviewedCall;
use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{Denial, Denials, Named, PermissionUse};
use crate::pure::client::{Answer, ToolCall};
use crate::pure::step::{Level, RuleFinding};
use crate::pure::text::spaced;

/// A refused tool call, as a request to allow it names it.
pub(crate) struct Refusal<'a> {
    event: ToolEvent<'a>,
    finding: &'a RuleFinding,
    action: String,
}

impl<'a> Refusal<'a> {
    pub fn new(event: ToolEvent<'a>, finding: &'a RuleFinding) -> Self {
        let ToolEvent { input, call, .. } = event;
        Self { event, finding, action: Denials::action(&[&call.tool, &input.cwd, &essence(call)]) }
    }

    /// The refusal, or the question that takes its place. That the refusal could not be noted does not soften it.
    pub fn answer(&self) -> ReviewedCall {
        let ToolEvent { workspace, call, .. } = self.event;
        let rule = self.finding.rule.as_str();
        let denials = Denials::of(&workspace.homes, &workspace.project);
        let firm = self.finding.level != Level::Step;
        let mut notice = None;
        if !firm {
            match denials.take(&self.action, clock::milliseconds()) {
                Ok(PermissionUse::Granted(_)) => {
                    let question = phrase(self.finding, "You allowed this once. Run it now?");
                    return ReviewedCall::new(Answer::ask(question), rule).allowed_once();
                }
                Ok(PermissionUse::Damaged(path)) => {
                    notice =
                        Some(format!("Plimsoll ignored a damaged allowance, {path}; allow the step again"));
                }
                Ok(PermissionUse::Nothing) | Err(_) => {}
            }
        }
        let reason = secrets_of(call).redact(&self.finding.reason);
        let denial = Denial::new(clock::milliseconds(), &call.tool, rule, reason, firm);
        let id = denials.note(&self.action, &denial, clock::system()).ok().filter(|_| !firm);
        let end =
            id.map(|id| format!("To let it run once, the user types {} {id}", workspace.command("allow")));
        let answer = Answer::deny(phrase(self.finding, &end.unwrap_or_default()));
        let answer = match notice {
            Some(notice) => answer.with_notice(notice),
            None => answer,
        };
        ReviewedCall::new(answer, rule)
    }
}

/// The input of a call without its description.
fn essence(call: &ToolCall<'_>) -> String {
    let raw = call.input.get();
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(raw) {
        Ok(mut input) => {
            if call.tool == "Bash" {
                input.remove("description");
            }
            serde_json::to_string(&input).unwrap_or_else(|_| raw.to_owned())
        }
        Err(_) => raw.to_owned(),
    }
}

/// The result of a person's request.
#[derive(Debug, PartialEq, Eq)]
pub enum AllowResult {
    /// The next refusal of exactly this step becomes a question.
    Granted(Denial),
    /// No refusal, or more than one, has this id; for the person.
    Unknown(String),
    /// For the person.
    Refused(String),
}

/// Notes the request to let the tool call of this id run once.
pub fn allow(workspace: &Workspace, id: &str) -> Result<AllowResult, Failure> {
    let denials = Denials::of(&workspace.homes, &workspace.project);
    Ok(match denials.named(id) {
        Named::Nothing => AllowResult::Unknown(format!(
            "no tool call with the ID {id} was refused in {} within a day; `plimsoll allow` lists those that were",
            workspace.shown(&workspace.project)
        )),
        Named::Several => AllowResult::Unknown(format!("{id} is ambiguous; type more of the ID")),
        Named::One { denial, .. } if denial.firm => AllowResult::Refused(format!(
            "{} belongs to the floor or to the ship gate and holds in any case. What has to be done in spite of it, a person \
             does in a terminal; for a push there is {} --override \"reason\"",
            denial.rule,
            workspace.command("ship")
        )),
        Named::One { action, denial } => {
            denials.allow(&action, clock::milliseconds())?;
            AllowResult::Granted(denial)
        }
    })
}

/// `/allow` in the client.
pub(crate) fn answer_command(workspace: &Workspace, arguments: &str) -> Result<Answer, Failure> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let [id] = words.as_slice() else {
        let usage = format!("usage: {} ID\n{}", workspace.command("allow"), listing(workspace));
        return Ok(Answer::block(usage.trim_end()));
    };
    Ok(match allow(workspace, id)? {
        AllowResult::Unknown(why) | AllowResult::Refused(why) => Answer::block(format!("Plimsoll: {why}")),
        AllowResult::Granted(denial) => Answer::context(format!(
            "Allow once: the user asked to let the refused step {id} ({} call, rule {}) run. Repeat exactly that call now, with \
             the same input, in the same directory. A dialog opens in which they decide; nothing is approved before that. It \
             holds for one call within ten minutes.",
            denial.tool, denial.rule
        )),
    })
}

/// The refusals of the last day, the newest first.
pub fn listing(workspace: &Workspace) -> String {
    let recent = Denials::of(&workspace.homes, &workspace.project).recent();
    let mut text = String::new();
    if recent.denials.is_empty() {
        text +=
            &format!("No tool call was refused in {} within a day.\n", workspace.shown(&workspace.project));
    }
    for (id, denial) in &recent.denials {
        let id = if denial.firm { "holds" } else { id };
        let Denial { tool, rule, reason, .. } = denial;
        let line = format!("{id:<8} {}  {tool} [{rule}]: {reason}", clock::moment(denial.time));
        // A tool's name and a reason may quote what the agent wrote; nothing of it may steer the terminal.
        text += &format!("{}\n", spaced(&line));
    }
    for path in &recent.damaged {
        text += &format!("damaged and ignored: {path}\n");
    }
    text
}
