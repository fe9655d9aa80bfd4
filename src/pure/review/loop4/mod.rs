//! Loop 4: integration and end-to-end tests, and feedback on the pull request. Pure.

mod feedback;
mod gh_failure;
mod pull_request;
mod tally;
mod thread;

pub(crate) use feedback::{Feedback, NAME as FEEDBACK};
pub(crate) use gh_failure::gh_failure;
pub(crate) use pull_request::{FIELDS, PullRequest};
pub(crate) use tally::outcome;
pub(crate) use thread::{Page, QUERY, ReviewThread};
