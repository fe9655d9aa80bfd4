//! One action of the agent: what would it do, and what is the answer? Pure.
//!
//! `survey` says what an action would do and what it would need to know; the flow finds that out; `decide` answers.

mod agent;
mod decide;
mod effect;
mod fork_bomb;
mod path;
mod pattern;
mod place;
mod programs;
mod protected;
mod survey;

pub use agent::{LoopAgent, command_line, loop_agent};
pub use decide::{Level, Mode, Refusal, Ruling, decide};
pub use effect::{Addressed, Effect, Target};
pub use place::Place;
pub use protected::{Condition, Entry, Protected};
pub use survey::{Action, GateWord, Known, Leaving, Question, Survey, survey};
