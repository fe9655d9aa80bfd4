//! The session so far → issues: loops, drift, scope, spirals, and claims without evidence.

mod budget;
mod call;
mod canonical;
mod check;
mod claims;
mod code_change;
mod doubt;
mod drift;
mod errors;
mod evidence;
mod flip_flop;
mod found_pattern;
mod issue;
mod line;
mod mask;
mod missing_proof;
mod monitored_call;
mod outcome;
mod phantom;
mod plain_program;
mod plan;
mod polls;
mod ratchet;
mod repeat;
mod role;
mod scope;
mod sentences;
mod session_monitor;
mod shown;
mod tally;
mod text;
mod tools;
mod trace;
mod usage;

#[cfg(test)]
mod tests;

pub(crate) use issue::{Details, Growth, Issue, Refuse};
pub use issue::{IssueSeverity, Pattern, Sign};
pub(crate) use monitored_call::{CallResult, Meter, MonitoredCall};
pub(crate) use session_monitor::{Contract, MonitorRules, SessionMonitor};
pub(crate) use tools::{is_shell, named_nature};
#[cfg(test)]
pub(crate) use usage::Spent;
pub(crate) use usage::{AgentPlan, RecentCall, RecentResult, Usage};
