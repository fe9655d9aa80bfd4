//! After an emergency stop: what may still run, and how a person goes on.

mod anew;
mod choice;
mod cleanup;
mod deciding;
mod record;
mod rollback;
mod standing;
mod status;
mod typed;

pub use choice::Choice;
pub use deciding::{By, decide, granted};
pub use record::{Decided, decided, decisions};
pub use standing::{RULE, Standing, is_stopped, limits, standing, under};
pub use status::{at_start, status};
pub use typed::typed;
