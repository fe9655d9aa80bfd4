//! The step review: one tool call to its effects and the decision about it. Pure.
//!
//! `survey` lists the effects and the open questions; the app answers the questions; `decide` makes the decision.

mod action;
mod action_summary;
mod agent;
mod decide;
mod decision;
mod effect;
mod files;
mod fingerprint;
mod known;
mod need;
mod programs;
pub(crate) mod rules;
pub(crate) mod sessions;
mod survey;
mod text_map;
mod texts;
mod tools;
mod weight;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::sample;

// Short paths for the modules of the folders.
use files::{generated, git_folder, path, pattern, place, protected, scope, secret_file, sensitive, zone};
pub use rules::catalogue;
use rules::{custom, effective_settings, judge, rewrite, rule};
use texts::{address, code, code_calls, fork_bomb, host, sql};
use weight::{assessment, history, matrix, rationality, risk, side_effects};

pub(crate) use action::Action;
pub(crate) use action_summary::short;
pub use action_summary::{ActionScope, ActionSummary, ActionType};
pub(crate) use agent::{LoopAgent, TaskAgent, agent_of, command_line, loop_agent, task_agent};
pub(crate) use assessment::{Assessment, Nature, Rationality, Risk, Scores, SideEffect};
pub use custom::CustomRules;
pub(crate) use custom::{CustomExample, CustomRule, When};
pub(crate) use decide::{
    Mode, StepContext, StepDecision, Timing, decide, firm_finding, needs_session, scored,
};
pub use decision::Decision;
pub(crate) use effect::{Addressed, Effect, FoundEffect, IgnoredFiles, Losing, Loss, Target, TextSource};
pub use effective_settings::is_in_set;
pub(crate) use effective_settings::observes;
pub use fingerprint::fingerprint;
pub(crate) use generated::{is_always_generated, is_compiled, is_precious, is_usually_generated};
pub(crate) use git_folder::git_folder_around;
pub(crate) use history::{Past, PastOutcome, StepHistory};
pub(crate) use known::{GateAnswer, Known, Leaving, Question};
pub(crate) use need::{More, Need};
pub(crate) use path::joined;
pub(crate) use place::Place;
pub(crate) use protected::{Condition, Protected, ProtectedName};
pub(crate) use rule::RuleFinding;
pub use rule::{Level, Rule, Set};
pub(crate) use secret_file::secret_at;
pub(crate) use survey::{Survey, survey};
pub(crate) use text_map::TextMap;
