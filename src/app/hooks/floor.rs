//! The floor, rules that no setting switches off, from the text of an event alone: for a hook that could not do its job.

use crate::app::step::phrase::phrase;
use crate::app::workspace::Workspace;
use crate::edge::run::deadline;
use crate::pure::client::{Answer, Input, Tool, ToolCall, tool_call_only};
use crate::pure::shell::Reading;
use crate::pure::step::{Action, Known, Place, RuleFinding, firm_finding, survey};

/// The encoded refusal of a tool call that no setting permits. `why`: why there is no full review. Reads no file.
pub(crate) fn refusal(event: &[u8], reading: Reading, why: &str) -> Option<String> {
    let event = tool_call_only(event, "PreToolUse")?;
    let input = Input::parse(&event).ok()?;
    let finding = finding(input.call()?, &Workspace::by_text(&input.cwd).place(&input.cwd), reading)?;
    let notice = format!("Plimsoll refused this call, but could not review it in full: {why}");
    Some(Answer::deny(phrase(&finding, "")).with_notice(notice).encode(&input.name))
}

/// The refusal that no setting lifts, whatever shape the input has.
pub(crate) fn finding(call: &ToolCall<'_>, place: &Place, reading: Reading) -> Option<RuleFinding> {
    // Files that carry the gate count only where there is a gate, and nobody can be asked here.
    let known = Known { gated: Some(false), ..Known::default() };
    let finding_of = |tool: Tool| {
        let mut action = Action::read_by(&tool, call.input.get(), Reading::Quick);
        let mut looked = survey(&action, place, &known);
        if looked.unread && reading == Reading::Thorough {
            deadline::start();
            action.read_thoroughly();
            looked = survey(&action, place, &known);
        }
        firm_finding(&looked, place, &known)
    };
    match Tool::parse(call) {
        Some(tool) => finding_of(tool),
        None => Tool::readings(call).find_map(finding_of),
    }
}
