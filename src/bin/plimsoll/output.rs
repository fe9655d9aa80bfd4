//! Standard output and standard error of the command: colour, and readers that go away.
//!
//! A reader that closes the pipe (`plimsoll log | head`) ends the output, never the work: a restore is not cut short, a
//! temporary folder is removed, and the exit code stays that of the command.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

/// Prints text to standard output.
macro_rules! out {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}

/// Prints a line to standard output.
macro_rules! outln {
    () => { $crate::output::write(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints a line to standard output that `--quiet` leaves out: a hint, or that there is nothing to do.
macro_rules! noteln {
    ($($text:tt)*) => {
        if $crate::output::verbosity() > $crate::output::Verbosity::Quiet {
            outln!($($text)*);
        }
    };
}

/// Prints text to standard error.
macro_rules! err {
    ($($text:tt)*) => { $crate::output::write_error(format_args!($($text)*)) };
}

/// Prints a line to standard error.
macro_rules! errln {
    ($($text:tt)*) => { $crate::output::write_error(format_args!("{}\n", format_args!($($text)*))) };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// Below the options of the command itself.
const HEADING: &str = "Output";

/// The options of every command.
#[derive(clap::Args)]
pub(crate) struct OutputOptions {
    /// When to use colours. auto: at a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = HEADING)]
    color: Color,
    /// Print less: results and problems only.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = HEADING)]
    quiet: bool,
    /// Print more: details, and checks that passed.
    #[arg(short, long, global = true, help_heading = HEADING)]
    verbose: bool,
}

/// How much a command prints for people. JSON does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

pub(crate) fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal)
}

/// Why standard output takes no more.
static CLOSED: OnceLock<io::Error> = OnceLock::new();

impl OutputOptions {
    /// Puts the options in force; once, before the command runs.
    pub(crate) fn apply(&self) {
        let choice = match self.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        let verbosity = match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => return,
        };
        let _ = VERBOSITY.set(verbosity);
    }
}

/// Colours without a terminal, unless `--color never` says otherwise.
pub(crate) fn colour_for_the_client() {
    if anstream::ColorChoice::global() == anstream::ColorChoice::Auto {
        anstream::ColorChoice::AlwaysAnsi.write_global();
    }
}

pub(crate) fn write(text: fmt::Arguments<'_>) {
    if is_closed() {
        return;
    }
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.to_string().as_bytes()).and_then(|()| stdout.flush());
    if let Err(error) = written {
        let _ = CLOSED.set(error);
    }
}

/// Nobody is left to be told if standard error is closed too.
pub(crate) fn write_error(text: fmt::Arguments<'_>) {
    let mut stderr = anstream::stderr().lock();
    let _ = stderr.write_all(text.to_string().as_bytes()).and_then(|()| stderr.flush());
}

/// Whether nobody reads standard output any more; a command that only prints may end.
pub(crate) fn is_closed() -> bool {
    CLOSED.get().is_some()
}

/// The exit code of the command, or 2 if its output could not be written.
pub(crate) fn finish(code: ExitCode) -> ExitCode {
    match CLOSED.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            errln!("error: standard output: {error}");
            ExitCode::from(2)
        }
        Some(_) | None => code,
    }
}
