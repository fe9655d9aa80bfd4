//! The floor, rules that no setting switches off, from the text of an event alone: for a hook that could not do its job.

use super::deadline;
use super::serve::Reply;
use super::wording::phrase;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input, Tool, call_alone};
use crate::shell::Reading;
use crate::step::{Action, Finding, Known, Place, firm_finding, survey};

/// The refusal of a tool call that no setting permits, with the reason why nothing more can be said. Nothing is read.
pub fn refusal(event: &[u8], reading: Reading, why: &str) -> Option<Reply> {
    let event = call_alone(event, "PreToolUse")?;
    let input = Input::parse(&event).ok()?;
    let finding = finding(input.call()?, &Scene::by_text(&input.cwd).place(&input.cwd), reading)?;
    let notice = format!("Plimsoll refused this call, but could not review it in full: {why}");
    Some(Reply::new(input.name.clone(), Answer::deny(phrase(&finding, "")).with_notice(notice)))
}

/// What no setting permits about a call, whatever shape its input has.
pub fn finding(call: &Call<'_>, place: &Place, reading: Reading) -> Option<Finding> {
    // What carries the gate counts only where there is one, and nobody can be asked.
    let known = Known { gated: Some(false), ..Known::default() };
    let said = |tool: Tool| {
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
        Some(tool) => said(tool),
        None => Tool::readings(call).find_map(said),
    }
}
