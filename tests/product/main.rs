//! The product through its real binaries: hooks fed as the client feeds them, pushes made by a real git.

#![cfg(feature = "cli")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod after;
mod allow_once;
mod answer;
mod answers;
mod asking;
mod attacks;
mod attestation;
mod checkpoints;
mod checks;
mod concurrency;
mod config_change;
mod context;
mod doors;
mod events;
mod extent;
mod findings;
mod floor;
mod floor_needs_nothing;
mod four_loops;
mod full_disk;
mod gate;
mod gate_verify;
mod identity;
mod installed_files;
mod interrupted;
mod interventions;
mod log;
mod loop2;
mod loop3;
mod loop4;
mod losses;
mod never_open;
mod never_waits;
mod next_steps;
mod no_secret_on_disk;
mod notifications;
mod presence;
#[path = "../support/programs.rs"]
mod programs;
mod receipts;
mod reconcile;
mod recovery;
mod remotes;
mod report_page;
mod reports;
mod review_flow;
mod sandbox;
mod schemas;
mod seal_key;
mod server_hook;
mod settings;
mod ship;
mod ship_attacks;
mod stats;
mod status;
mod step_rules;
mod tasks;
mod template;
mod terminal;
mod tool_attacks;
mod tools;
mod two_sessions;
mod wired_settings;
