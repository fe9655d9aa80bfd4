//! The task flow: what a task is, the one function that moves it on, and what a review of it may say. Pure.

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
mod exploration;

pub use announcement::{Announcement, announcement};
pub use answer::{Citation, Read, read};
pub use definition::{Definition, Problem, Source, Task, TaskId};
pub use event::{Event, What};
pub use plan::{Item, Plan, plan};
pub use prompt::{once_more, parser_prompt, reviewer_prompt, signature, signed_nonce};
pub use review::{Issue, Record, Shortfall, Verdict};
pub use state::{Review, State, Worker};
pub use status::Status;
pub use transition::{Action, Conclusion, EDGES, Edge, Move, Owner, Refusal, Rules, transition};
