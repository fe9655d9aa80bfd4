//! The gate: content, receipts and policy in; the gate decision with reasons out. Pure.

mod facts;
mod judge;
mod reason;

pub(crate) use facts::{GateFacts, Leak, Submodule, Tip};
pub(crate) use judge::{FAILURES, GateDecision, judge, tolerated, witnesses};
pub(crate) use reason::GateReason;

#[cfg(test)]
mod tests;
