//! The `plimsoll` command: parses arguments, calls one subcommand, prints the error chain.

mod allow;
mod background;
mod checkpoint;
mod config;
mod demo;
mod doctor;
mod enrol;
mod explain;
mod gate;
mod hint;
mod incident;
mod notify;
mod pause;
mod reconcile;
mod recover;
mod replay;
mod review;
mod rules;
mod score;
mod secrets;
mod setup;
mod stats;
mod task;
mod tidy;
mod world;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Reviews what a coding agent does, and ships only what was reviewed.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the loops of a review on this repository.
    Review(review::Arguments),
    /// List what is to be mended: findings of the reviewers, failed checks, feedback on the pull request.
    Reconcile(reconcile::Arguments),
    /// Ask whether the current content may ship, and why not.
    Gate(gate::Arguments),
    /// Show, check, create or trust the configuration.
    Config(config::Arguments),
    /// List the rules of the step review, or check your own.
    Rules(rules::Arguments),
    /// Bind this repository to the gate.
    Enrol(enrol::Arguments),
    /// Switch the step review off for a while; the floor and the gate hold.
    Pause(pause::Arguments),
    /// Switch the step review on again.
    Resume,
    /// List refused steps, or have one of them asked about instead of refused.
    Allow(allow::Arguments),
    /// After an emergency stop: show how things stand, or choose how to go on.
    Recover(recover::Arguments),
    /// List emergency stops, or show what one left behind.
    Incident(incident::Arguments),
    /// Send a message that comes on standard input (used by the hooks).
    #[command(hide = true)]
    Notify,
    /// Capture the project for checkpoints, and tidy up (used by the hooks).
    #[command(hide = true)]
    Background,
    /// Take, list and restore checkpoints of the files here.
    Checkpoint(checkpoint::Arguments),
    /// Take the last restore back.
    Undo(checkpoint::Undo),
    /// Remove what is kept for too long, of projects that are gone, and of killed processes.
    Tidy(tidy::Arguments),
    /// Count what the step review and the interventions did.
    Stats(stats::Arguments),
    /// Check the installation and name the command that mends each problem.
    Doctor(doctor::Arguments),
    /// Show what a command would do, and why it would be let through or stopped.
    Explain(explain::Arguments),
    /// Measure the step review on labelled commands.
    Score(score::Arguments),
    /// Play sessions that are over through the step review.
    Replay(replay::Arguments),
    /// Look for secrets in files, changes and commits.
    Secrets(secrets::Arguments),
    /// Add, work on and hand in tasks, and see what their reviews said.
    Task(task::Arguments),
    /// Register with, or remove from, Claude Code's settings (used by install.sh).
    #[command(hide = true)]
    Setup(setup::Arguments),
    /// Play a whole story in a temporary repository.
    Demo(demo::Arguments),
}

/// What a subcommand failed with; printed as a chain, with a hint where there is one.
pub(crate) type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Review(arguments) => review::run(arguments),
        Command::Reconcile(arguments) => reconcile::run(&arguments),
        Command::Gate(arguments) => gate::run(arguments),
        Command::Config(arguments) => config::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Enrol(arguments) => enrol::run(arguments),
        Command::Pause(arguments) => pause::pause(arguments),
        Command::Resume => pause::resume(),
        Command::Allow(arguments) => allow::run(arguments),
        Command::Recover(arguments) => recover::run(arguments),
        Command::Incident(arguments) => incident::run(arguments),
        Command::Notify => notify::run(),
        Command::Background => background::run(),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Checkpoint(arguments) => checkpoint::run(arguments),
        Command::Undo(arguments) => checkpoint::undo(&arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Score(arguments) => score::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Secrets(arguments) => secrets::run(arguments),
        Command::Task(arguments) => task::run(arguments),
        Command::Setup(arguments) => setup::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
    };
    outcome.unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        let mut cause = failure.source();
        while let Some(error) = cause {
            eprintln!("  caused by: {error}");
            cause = error.source();
        }
        if let Some(hint) = hint::hint(failure.as_ref()) {
            eprintln!("hint: {hint}");
        }
        ExitCode::from(2)
    })
}
