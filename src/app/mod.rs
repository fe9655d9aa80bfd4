//! Connects edges and pure modules, one folder for each thing that the user knows: reads, decides by a pure room, writes.
//!
//! Order: `failure, presence, workspace, sandbox, registration, tool_event, permission, notifications → secrets → gate → attestation → server → review → tasks → checkpoints → step → monitor → status → hooks → remotes → lab`.
//! Nothing on the right is used on the left.

#[cfg(feature = "cli")]
pub mod attestation;
pub mod checkpoints;
pub mod failure;
pub mod gate;
pub mod hooks;
#[cfg(feature = "cli")]
pub mod lab;
pub mod monitor;
pub mod notifications;
mod permission;
pub mod presence;
#[cfg(feature = "cli")]
pub mod registration;
#[cfg(feature = "cli")]
pub mod remotes;
pub mod review;
pub mod sandbox;
pub mod secrets;
#[cfg(feature = "cli")]
pub mod server;
#[cfg(feature = "cli")]
pub mod status;
pub mod step;
pub mod tasks;
mod tool_event;
pub mod workspace;
