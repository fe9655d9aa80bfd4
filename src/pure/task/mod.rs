//! Tasks: their definition, their state, the transitions and the parsing of their reviews. Pure.

mod announcement;
mod answer;
mod definition;
mod event;
mod plan;
mod prompt;
mod review;
mod state;
mod status;
mod transition;

#[cfg(test)]
mod tests;

pub(crate) use announcement::announcement;
pub(crate) use answer::{Citation, TaskAnswer, read};
pub(crate) use definition::TaskSource;
pub use definition::{Definition, Task, TaskId};
pub(crate) use event::{TaskChange, TaskEvent};
pub(crate) use plan::{TaskItem, plan};
pub(crate) use prompt::{parser_prompt, reviewer_prompt, signature, signed_nonce};
pub(crate) use review::{FinishedReview, Shortfall, TaskIssue, TaskVerdict};
pub(crate) use state::{PendingReview, State, Worker};
pub use status::TaskStatus;
pub(crate) use transition::{Conclusion, TaskAction, TaskRefusal, TaskRules, transition};
