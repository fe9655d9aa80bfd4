//! Loop 1: what the project's own checks and the secret scan came to, and when to stop. Pure.

mod check_run;
mod coverage;
mod inputs;
mod judged;
mod measured;
mod missing_tool;
mod secret_scan;
mod site;
mod tally;
mod transcript;

pub use check_run::{CheckRun, End};
pub use inputs::Inputs;
pub use judged::Judged;
pub use secret_scan::{SecretMatch, SecretScan};
pub use site::Site;
pub use tally::Tally;
pub use transcript::{Transcript, Withheld};
