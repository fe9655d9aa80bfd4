//! One action of the agent: what would it do, and what is the answer? Pure.
//!
//! `survey` says what an action would do and what it would need to know; the flow finds that out; `decide` answers.

mod agent;
mod assess;
pub mod catalogue;
mod decide;
mod effect;
mod fork_bomb;
mod history;
mod judge;
mod known;
mod path;
mod pattern;
mod place;
mod programs;
mod protected;
mod rule;
mod survey;
mod zone;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use agent::{LoopAgent, command_line, loop_agent};
pub use assess::{Assessment, Nature, Rationality, Risk, Severity, SideEffect, SideEffectKind};
pub use decide::{Decision, Mode, decide};
pub use effect::{Addressed, Effect, Found, Ignored, Losing, Loss, Rewrite, Source, Target};
pub use history::{History, Past, PastOutcome};
pub use known::{GateWord, Known, Leaving, Question};
pub use place::Place;
pub use protected::{Condition, Entry, Protected};
pub use rule::{Course, Example, Finding, Level, Rule, RuleName, Set};
pub use survey::{Action, Survey, survey};
