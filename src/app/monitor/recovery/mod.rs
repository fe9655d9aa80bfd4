//! After an emergency stop: what may still run, and how a person goes on.

mod choice;
mod cleanup;
mod decision;
mod lock;
mod record;
mod rollback;
mod status;

pub use choice::RecoveryChoice;
pub use decision::{DecisionSource, decide, is_granted};
pub(crate) use lock::{LockAnswer, RULE, is_stopped, limits, lock_again, lock_answer, under};
pub use record::decisions;
pub(crate) use status::answer_command;
pub(crate) use status::at_start;
pub use status::status;
