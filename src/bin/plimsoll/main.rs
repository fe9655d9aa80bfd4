//! The `plimsoll` command: parses arguments, runs one subcommand, prints its error with the causes and a hint.

#[macro_use]
mod output;

mod allow;
mod attest;
mod background;
mod checkpoint;
mod config;
mod demo;
mod doctor;
mod enrol;
mod explain;
mod fetch;
mod gate;
mod hint;
mod incident;
mod log;
mod manual;
mod notify;
mod pause;
mod progress;
mod push;
mod recover;
mod replay;
mod report;
mod review;
mod rules;
mod sandbox;
mod score;
mod secrets;
mod server_hook;
mod setup;
mod stats;
mod status;
mod task;
mod tidy;
mod world;

use clap::{Parser, Subcommand};
use output::OutputOptions;
use plimsoll::app::failure::Refused;
use plimsoll::app::presence;
use plimsoll::edge::config::{self as settings, Environment};
use plimsoll::pure::text::{Tone, printable, with_home};
use std::io;
use std::process::ExitCode;

/// Reviews what a coding agent does, and ships only reviewed content.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(flatten)]
    output: OutputOptions,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show how the project stands, and the next command (the default).
    Status(status::Arguments),
    /// Run the loops of a code review, and show their findings.
    #[command(subcommand)]
    Review(review::Command),
    /// List the findings to fix, from reviewers, failed checks and the pull request.
    Reconcile {
        /// Print the findings as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show whether the current content may ship, and why not.
    #[command(subcommand)]
    Gate(gate::Command),
    /// Show, check, create or trust the configuration.
    #[command(subcommand)]
    Config(config::Command),
    /// List the rules of the step review, or check your own.
    #[command(subcommand)]
    Rules(rules::Command),
    /// Enrol this repository: the gate judges every push.
    Enrol(enrol::Arguments),
    /// Push reviewed commits: judge the gate on exactly these commits, then send them.
    Push(push::Arguments),
    /// Fetch from a remote with your credentials, for a sandboxed session.
    Fetch(fetch::Arguments),
    /// Sign what a review has shown about a commit, for a server or CI. The gate has to be open for the commit.
    Attest(attest::Arguments),
    /// Let a bare repository accept only attested commits on protected branches.
    #[command(subcommand)]
    ServerHook(server_hook::Command),
    /// Keep the agent's commands in the client's sandbox, or stop doing so.
    #[command(subcommand)]
    Sandbox(sandbox::Command),
    /// Pause the step review; the floor (rules that no setting switches off) and the gate stay on.
    Pause(pause::Arguments),
    /// Resume the step review.
    Resume,
    /// List refused tool calls, or allow one of them once.
    Allow(allow::Arguments),
    /// Show an emergency stop, or decide how to continue after it.
    Recover(recover::Arguments),
    /// List emergency stops, or show one.
    #[command(subcommand)]
    Incident(incident::Command),
    /// Send the message on standard input (used by the hooks).
    #[command(hide = true)]
    Notify,
    /// Capture the project for checkpoints, and tidy up (used by the hooks).
    #[command(hide = true)]
    Background,
    /// Create, list and restore checkpoints of the current project.
    Checkpoint(checkpoint::Arguments),
    /// Restore a checkpoint, or a copy of a single file (short for `checkpoint restore`).
    Restore(checkpoint::ShortRestore),
    /// Undo the last restore.
    Undo(checkpoint::Undo),
    /// Remove expired checkpoints, copies and state.
    Tidy(tidy::Arguments),
    /// Show the step reviews: time, decision, tool, risk, rule and subject.
    Log(log::Arguments),
    /// Write the project as one HTML page: may it ship, findings, the session, checkpoints.
    Report(report::Arguments),
    /// Count the decisions of the step review and the interventions.
    Stats(stats::Arguments),
    /// Check the installation, and show the fix for each problem.
    Doctor(doctor::Arguments),
    /// Explain what a command would do, and the decision of the step review.
    Explain(explain::Arguments),
    /// Measure the accuracy of the step review on labelled commands.
    Score(score::Arguments),
    /// Replay finished sessions through the step review and the session monitor.
    Replay(replay::Arguments),
    /// Scan files, changes and commits for secrets.
    #[command(subcommand)]
    Secrets(secrets::Command),
    /// Add, start and hand in tasks, and show their reviews.
    Task(task::Arguments),
    /// Print a segment for the client's status line.
    Statusline(status::StatusLineArguments),
    /// Install Plimsoll into a project, or for all your projects.
    Install(setup::Install),
    /// Uninstall Plimsoll. For a person in a terminal.
    Uninstall(setup::Uninstall),
    /// Upgrade the programs and every installation of this user.
    Upgrade(setup::Upgrade),
    /// Print completions for a shell.
    Completions(manual::Completions),
    /// Write the manual pages into a folder.
    Man(manual::Man),
    /// Run a demo in a temporary repository.
    Demo(demo::Arguments),
}

/// The error of a subcommand; printed with its causes, and a hint where there is one.
pub(crate) type CommandError = Box<dyn std::error::Error>;
pub(crate) type CommandResult = Result<ExitCode, CommandError>;

/// Exit code 0 for success, 1 for findings or a refusal. Errors exit with 2.
pub(crate) fn exit_code(success: bool) -> ExitCode {
    if success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub(crate) fn print_json(value: &impl serde::Serialize) -> CommandResult {
    outln!("{}", serde_json::to_string_pretty(value)?);
    Ok(ExitCode::SUCCESS)
}

/// Asks the person at the terminal; everything but a yes is a no.
pub(crate) fn confirm(question: &str) -> Result<bool, CommandError> {
    err!("{question} [y/N] ");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Fails unless a person at a terminal runs the command, reads `effect` and types the word that the terminal shows.
pub(crate) fn require_person(effect: &str) -> Result<(), CommandError> {
    presence::person()?;
    let word = presence::word()?;
    err!("{}\nType {word} to confirm: ", printable(effect));
    let mut typed = String::new();
    io::stdin().read_line(&mut typed)?;
    match typed.trim() == word {
        true => Ok(()),
        false => Err(Refused("the word does not match; nothing was changed".to_owned()).into()),
    }
}

/// Makes `directory` the current directory, if one is given.
pub(crate) fn enter(directory: Option<&camino::Utf8PathBuf>) -> Result<(), CommandError> {
    let Some(directory) = directory else { return Ok(()) };
    Ok(std::env::set_current_dir(directory).map_err(|error| format!("{directory}: {error}"))?)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.output.apply();
    let command = arguments.command.unwrap_or_else(|| Command::Status(status::Arguments::default()));
    output::finish(run(command).unwrap_or_else(|failure| report(failure.as_ref())))
}

fn run(command: Command) -> CommandResult {
    // A missing home directory is a mistake in the environment; nothing of ours creates one.
    let home = Environment::read_at_home();
    // A server may start a hook without one.
    let anywhere = matches!(command, Command::Statusline(_) | Command::ServerHook(server_hook::Command::Run));
    if !anywhere {
        home?;
    }
    match command {
        Command::Status(arguments) => status::run(&arguments),
        Command::Statusline(arguments) => status::statusline(&arguments),
        Command::Review(command) => review::run(command),
        Command::Reconcile { json } => review::reconcile(json),
        Command::Gate(command) => gate::run(command),
        Command::Config(command) => config::run(command),
        Command::Rules(command) => rules::run(command),
        Command::Enrol(arguments) => enrol::run(arguments),
        Command::Push(arguments) => push::run(arguments),
        Command::Fetch(arguments) => fetch::run(arguments),
        Command::Attest(arguments) => attest::run(arguments),
        Command::ServerHook(command) => server_hook::run(command),
        Command::Sandbox(command) => sandbox::run(&command),
        Command::Pause(arguments) => pause::pause(arguments),
        Command::Resume => pause::resume(),
        Command::Allow(arguments) => allow::run(arguments),
        Command::Recover(arguments) => recover::run(arguments),
        Command::Incident(command) => incident::run(command),
        Command::Notify => notify::run(),
        Command::Background => background::run(),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Checkpoint(arguments) => checkpoint::run(arguments),
        Command::Restore(arguments) => checkpoint::short_restore(&arguments),
        Command::Undo(arguments) => checkpoint::undo(&arguments),
        Command::Log(arguments) => log::run(arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Score(arguments) => score::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Secrets(command) => secrets::run(command),
        Command::Task(arguments) => task::run(arguments),
        Command::Install(arguments) => setup::install(&arguments),
        Command::Uninstall(arguments) => setup::uninstall(&arguments),
        Command::Upgrade(arguments) => setup::upgrade(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Man(arguments) => manual::man(&arguments),
        Command::Demo(arguments) => demo::run(arguments),
    }
}

/// Prints the error with its causes and a hint. A refusal exits with 1, everything else with 2.
fn report(failure: &(dyn std::error::Error + 'static)) -> ExitCode {
    let home = Environment::read_at_home().map(|environment| environment.home.to_string());
    let shown =
        |error: &dyn std::error::Error| with_home(&error.to_string(), home.as_deref().unwrap_or_default());
    errln!("{} {}", Tone::Bad.paint("error:"), shown(failure));
    for cause in std::iter::successors(failure.source(), |error| error.source()) {
        errln!("  caused by: {}", shown(cause));
    }
    if let Some(hint) = hint::hint(failure) {
        errln!("hint: {hint}");
    }
    let no_person = matches!(failure.downcast_ref(), Some(settings::Error::NoPerson(_)));
    ExitCode::from(if no_person || failure.is::<Refused>() { 1 } else { 2 })
}
