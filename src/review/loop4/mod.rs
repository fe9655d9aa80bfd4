//! Loop 4: integration and end-to-end tests, and what others said on the pull request. Pure.

mod feedback;
mod pull_request;
mod refusal;
mod tally;
mod thread;

pub use feedback::{Feedback, NAME as FEEDBACK};
pub use pull_request::{FIELDS, PullRequest};
pub use refusal::refusal;
pub use tally::outcome;
pub use thread::{Page, QUERY, Thread};
