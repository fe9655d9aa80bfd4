//! Claude Code's events and answers: bytes to types and back. Pure.

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

pub use answer::{Answer, CONTEXT_LIMIT, Decision};
pub use argument::Argument;
pub use event::{Call, Error, Event, Input};
pub use kind::Hook;
pub use prompt::{SlashCommand, is_machine_text, is_yes};
pub use repair::{call_alone, repaired, whole_characters};
pub use settings_change::{objection, registers_us};
pub use tokens::spent_tokens;
pub use tool::{AgentCall, OtherCall, Tool, lacks_input};
#[cfg(feature = "cli")]
pub use transcript::{TranscriptEvent, TranscriptLine};
