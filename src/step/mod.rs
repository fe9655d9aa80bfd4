//! One action of the agent: what would it do, and what is the answer? Pure.
//!
//! `survey` says what an action would do and what it would need to know; the flow finds that out; `decide` answers.

mod action;
mod agent;
mod by_text;
mod decide;
mod effect;
mod files;
mod fingerprint;
mod known;
mod need;
mod programs;
mod rules;
mod survey;
mod texts;
mod tools;
mod weight;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

// Each by its own name, as if it lay here.
use files::{git_folder, path, pattern, place, protected, remake, scope, secret_file, sensitive, zone};
pub use rules::catalogue;
use rules::{custom, judge, overriding, rewrite, rule};
use texts::{address, code, code_calls, fork_bomb, host, sql};
use weight::{assess, history, matrix, rationality, risk, side_effects};

pub use action::Action;
pub use agent::{LoopAgent, TaskAgent, agent_of, command_line, loop_agent, task_agent};
pub use assess::{Assessment, Nature, Rationality, Reasoning, Risk, Severity, SideEffect, SideEffectKind};
pub use by_text::ByText;
pub use custom::{CustomAnswer, CustomExample, CustomRule, CustomRules, EFFECTS, When};
pub use decide::{Decision, Mode, Review, Timing, decide, firm_finding, needs_session};
pub use effect::{Addressed, Effect, Found, Ignored, Losing, Loss, Rewrite, Runs, Source, Target};
pub use fingerprint::fingerprint;
pub use git_folder::git_folder_around;
pub use history::{History, Past, PastOutcome};
pub use known::{GateWord, Known, Leaving, Question};
pub use need::{More, Need};
pub use overriding::is_in_set;
pub use path::joined;
pub use place::Place;
pub use protected::{Condition, Entry, Protected};
pub use remake::{always_made_again, compiled, made_again, precious};
pub use rule::{Course, Example, Finding, Level, Rule, RuleName, Set};
pub use secret_file::secret_at;
pub use survey::{Survey, survey};
