//! The emergency stop: a project that is locked, and the ways a person goes on.

mod choosing;
mod dialog;
mod faults;
mod going_on;
mod incidents;
mod lock;
mod stage;

pub(crate) use stage::{incident, installed_stage, is_free, recover, stop_command, stopped};
