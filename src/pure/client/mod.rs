//! Claude Code's events and answers: bytes to types and back. Pure.

mod ancestry;
mod answer;
mod argument;
mod event;
mod kind;
mod prompt;
pub mod registration;
mod repair;
mod settings_change;
mod tokens;
mod tool;
#[cfg(feature = "cli")]
mod transcript;

pub(crate) use ancestry::{AgentTrace, Process, agent_trace, client_trace};
pub(crate) use answer::{Answer, PermissionDecision};
pub(crate) use argument::Argument;
pub(crate) use event::{Error, Event, Input, ToolCall};
pub use kind::Hook;
pub(crate) use prompt::{SlashCommand, is_machine_text, is_yes};
pub(crate) use repair::{repair, tool_call_only, whole_characters};
pub(crate) use settings_change::{objection, registers_us};
pub(crate) use tokens::spent_tokens;
pub(crate) use tool::{AgentCall, OtherCall, Tool, lacks_input};
#[cfg(feature = "cli")]
pub(crate) use transcript::{TranscriptEvent, TranscriptLine};
