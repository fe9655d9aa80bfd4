//! Loop 1: the results of the project's checks and of the secret scan. Pure.

mod check_facts;
mod check_result;
mod check_run;
mod coverage;
mod inputs;
mod missing_tool;
mod secret_scan;
mod site;
mod tally;
mod transcript;

pub(crate) use check_result::CheckResult;
pub(crate) use check_run::{CheckRun, End};
pub(crate) use inputs::Inputs;
pub(crate) use secret_scan::{SecretMatch, SecretScan};
pub(crate) use site::Site;
pub(crate) use tally::CheckTally;
pub(crate) use transcript::{Transcript, Withheld};
