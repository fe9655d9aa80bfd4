//! `install.sh`, the launcher and `plimsoll doctor`, run as a person runs them, on a temporary home and project.

#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod archive;
mod build;
mod doctor;
mod install;
mod launcher;
#[path = "../support/programs.rs"]
mod programs;
mod resilience;
mod status;
mod status_line;
#[path = "../product/terminal.rs"]
mod terminal;
mod uninstall;
mod upgrade;
mod world;
