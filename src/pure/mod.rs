//! Values in, values out: no file, process, clock or environment.

pub mod attestation;
pub mod client;
pub(crate) mod dataflow;
pub(crate) mod gate;
pub mod monitor;
pub mod policy;
pub(crate) mod project;
pub mod report;
pub mod restore;
pub mod review;
pub mod sandbox;
pub(crate) mod secret;
pub mod shell;
pub mod step;
pub mod task;
pub mod text;
