//! One action of the agent: what would it do, and what is the answer? Pure.
//!
//! `survey` says what an action would do and what it would need to know; the flow finds that out; `decide` answers.

mod address;
mod agent;
mod assess;
pub mod catalogue;
mod code;
mod code_calls;
mod decide;
mod effect;
mod fork_bomb;
mod git_folder;
mod host;
mod judge;
mod known;
mod path;
mod pattern;
mod place;
mod programs;
mod protected;
mod remake;
mod rule;
mod secret_file;
mod sensitive;
mod sql;
mod survey;
mod tools;
mod zone;

#[cfg(test)]
mod reach_cases;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use agent::{LoopAgent, command_line, loop_agent};
pub use assess::{Assessment, Nature, Rationality, Risk, Severity, SideEffect, SideEffectKind};
pub use decide::{Decision, Mode, decide};
pub use effect::{Addressed, Effect, Found, Ignored, Losing, Loss, Rewrite, Runs, Source, Target};
pub use known::{GateWord, Known, Leaving, Question};
pub use place::Place;
pub use protected::{Condition, Entry, Protected};
pub use remake::{made_again, precious};
pub use rule::{Course, Example, Finding, Level, Rule, RuleName, Set};
pub use survey::{Action, Survey, survey};
