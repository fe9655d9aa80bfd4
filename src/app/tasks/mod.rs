//! Tasks: added, worked on, handed in, reviewed by an agent of ours whose answer our hooks take, and told about.

mod agent_answer;
mod agent_start;
mod announcement;
mod context;
mod idle;
#[cfg(feature = "cli")]
mod import;
mod own_command;
mod request;
#[cfg(feature = "cli")]
mod submission;
mod transition;
mod work;

pub(crate) use agent_answer::take_answer;
pub(crate) use agent_start::start;
pub use announcement::tell;
pub use context::write_for_people;
pub(crate) use idle::idle;
#[cfg(feature = "cli")]
pub use import::import;
pub(crate) use request::{answer_command, by_the_model, is_command};
#[cfg(feature = "cli")]
pub use submission::{Submission, SubmissionPlan, done, plan};
pub use transition::Error;
pub use work::{add, begin, block, block_of_session, contract, list, release, reopen, show, withdraw};
