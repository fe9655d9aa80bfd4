//! One action of the agent: what would it do, and what is the answer? Pure.
//!
//! `survey` says what an action would do and what it would need to know; the flow finds that out; `decide` answers.

mod agent;
mod assess;
pub mod catalogue;
mod custom;
mod decide;
mod effect;
mod fingerprint;
mod fork_bomb;
mod history;
mod judge;
mod known;
mod matrix;
mod overriding;
mod path;
mod pattern;
mod place;
mod programs;
mod protected;
mod rationality;
mod rewrite;
mod risk;
mod rule;
mod scope;
mod side_effects;
mod survey;
mod zone;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use agent::{LoopAgent, command_line, loop_agent};
pub use assess::{Assessment, Nature, Rationality, Reasoning, Risk, Severity, SideEffect, SideEffectKind};
pub use custom::{CustomAnswer, CustomExample, CustomRule, CustomRules, EFFECTS, When};
pub use decide::{Decision, Mode, Review, Timing, decide, needs_session};
pub use effect::{Addressed, Effect, Found, Ignored, Losing, Loss, Rewrite, Source, Target};
pub use fingerprint::fingerprint;
pub use history::{History, Past, PastOutcome};
pub use known::{GateWord, Known, Leaving, Question};
pub use overriding::is_in_set;
pub use place::Place;
pub use protected::{Condition, Entry, Protected};
pub use rule::{Course, Example, Finding, Level, Rule, RuleName, Set};
pub use survey::{Action, Survey, survey};
