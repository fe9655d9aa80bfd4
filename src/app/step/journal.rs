//! The record of a tool call in the session's journal.

use crate::app::tool_event::ToolEvent;
use crate::edge::clock;
use crate::edge::state::{JournalRecord, Outcome, RecordKind, fingerprint};
use crate::pure::client::Input;

pub(crate) fn record_of(kind: RecordKind, outcome: Outcome, event: ToolEvent<'_>) -> JournalRecord {
    let ToolEvent { input, call, .. } = event;
    JournalRecord {
        agent: agent(input),
        call: fingerprint(call.id.as_bytes()),
        tool: fingerprint(call.tool.as_bytes()),
        action: fingerprint(call.input.get().as_bytes()),
        ..JournalRecord::new(kind, outcome, clock::milliseconds())
    }
}

/// Zero for the main thread.
pub(crate) fn agent(input: &Input<'_>) -> u64 {
    input.agent_id.as_ref().map_or(0, |agent| fingerprint(agent.as_bytes()))
}
