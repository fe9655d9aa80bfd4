//! `plimsoll secrets`: looks for secrets in files, in what is not committed yet, or in a range of commits.

use crate::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::flow::secrets::{Changes, scan_changes, scan_paths};
use plimsoll::report::printable;
use std::process::ExitCode;

/// What the arguments do not say.
const MORE: &str = "\
Each match is to be blocked (the form of a provider's token, a private key, a password in an address, a generated value
under a name such as api_key) or to be looked at (a guess). Only four characters of it are shown. In a git repository
files that git ignores are left out. A change is compared with what was there before: only new secrets count.
Comments and lists of other scanners (gitleaks:allow, pragma: allowlist secret, .gitleaksignore, .secrets.baseline …) are
honoured; a comment that the same change adds is shown, and hides no token whose form is certain.

Exit code 0: nothing to block; 1: something to block; 2: something could not be scanned.

Examples:
  plimsoll secrets scan
  plimsoll secrets scan --staged
  plimsoll secrets scan --range origin/main..HEAD --format sarif";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Look for secrets.
    Scan(Scan),
}

#[derive(clap::Args)]
#[command(after_help = MORE)]
struct Scan {
    /// Files and folders; without any, this folder.
    #[arg(value_name = "PATH", conflicts_with_all = ["staged", "changed", "range"])]
    paths: Vec<Utf8PathBuf>,
    /// Only what is staged.
    #[arg(long, conflicts_with_all = ["changed", "range"])]
    staged: bool,
    /// Only what is not committed: staged, unstaged and untracked.
    #[arg(long, conflicts_with = "range")]
    changed: bool,
    /// Every file and message that these commits bring in, also if a later one takes it away.
    #[arg(long, value_name = "A..B", value_parser = range)]
    range: Option<Changes>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Command::Scan(scan) = arguments.command;
    let here = Utf8Path::new(".");
    let report = match (scan.staged, scan.changed, scan.range) {
        (true, _, _) => scan_changes(here, &Changes::Staged)?,
        (false, true, _) => scan_changes(here, &Changes::Uncommitted)?,
        (false, false, Some(range)) => scan_changes(here, &range)?,
        (false, false, None) if scan.paths.is_empty() => scan_paths(&[here.to_owned()])?,
        (false, false, None) => scan_paths(&scan.paths)?,
    };
    match scan.format {
        Format::Text => anstream::print!("{}", report.text()),
        Format::Json => anstream::println!("{}", report.json()),
        Format::Sarif => anstream::println!("{}", report.sarif()),
    }
    for (file, why) in &report.unscanned {
        eprintln!("error: {} was not scanned: {}", printable(file), printable(why));
    }
    Ok(match (report.unscanned.is_empty(), report.blocks()) {
        (false, _) => ExitCode::from(2),
        (true, true) => ExitCode::from(1),
        (true, false) => ExitCode::SUCCESS,
    })
}

/// `A..B`; without `B` up to HEAD.
fn range(text: &str) -> Result<Changes, String> {
    let (from, to) = text.split_once("..").ok_or("a range is written A..B")?;
    if from.is_empty() || to.starts_with('.') {
        return Err("a range is written A..B".into());
    }
    let to = if to.is_empty() { "HEAD" } else { to };
    Ok(Changes::Range { from: from.into(), to: to.into() })
}
