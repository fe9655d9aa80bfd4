//! `plimsoll secrets`: scans files, uncommitted changes or a range of commits for secrets.

use crate::CommandResult;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::secrets::{ScannedChanges, scan_changes, scan_paths};
use plimsoll::pure::text::printable;
use std::process::ExitCode;

const MORE: &str = "\
A match either blocks (the form of a provider's token, a private key, a password in an address, a generated value under
a name such as api_key) or is a guess to look at. Only four characters of it are shown. Files that git ignores are not
scanned. A change is compared with the content before it: only new secrets count.
Comments and lists of other scanners (gitleaks:allow, pragma: allowlist secret, .gitleaksignore, .secrets.baseline …)
count too. A comment that the same change adds is shown, and does not hide a token whose form is certain.

Exit code 0: no match blocks; 1: a match blocks; 2: a file could not be scanned.

Examples:
  plimsoll secrets scan
  plimsoll secrets scan --staged
  plimsoll secrets scan --range origin/main..HEAD --format sarif";

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Scan for secrets.
    Scan(Scan),
}

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Scan {
    /// Files and folders. Default: the current folder.
    #[arg(value_name = "PATH", conflicts_with_all = ["staged", "changed", "range"])]
    paths: Vec<Utf8PathBuf>,
    /// Only staged changes.
    #[arg(long, conflicts_with_all = ["changed", "range"])]
    staged: bool,
    /// Only uncommitted changes: staged, unstaged and untracked.
    #[arg(long, conflicts_with = "range")]
    changed: bool,
    /// Every file and message of these commits, even if a later commit removes it.
    #[arg(long, value_name = "A..B", value_parser = range)]
    range: Option<ScannedChanges>,
    #[arg(long, value_enum, default_value = "text")]
    format: ScanFormat,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum ScanFormat {
    Text,
    Json,
    Sarif,
}

pub(crate) fn run(command: Command) -> CommandResult {
    let Command::Scan(scan) = command;
    let here = Utf8Path::new(".");
    let report = match (scan.staged, scan.changed, scan.range) {
        (true, _, _) => scan_changes(here, &ScannedChanges::Staged)?,
        (false, true, _) => scan_changes(here, &ScannedChanges::Uncommitted)?,
        (false, false, Some(range)) => scan_changes(here, &range)?,
        (false, false, None) if scan.paths.is_empty() => scan_paths(&[here.to_owned()])?,
        (false, false, None) => scan_paths(&scan.paths)?,
    };
    match scan.format {
        ScanFormat::Text => out!("{}", report.text()),
        ScanFormat::Json => outln!("{}", report.json()),
        ScanFormat::Sarif => outln!("{}", report.sarif()),
    }
    for (file, why) in &report.unscanned {
        errln!("error: {} was not scanned: {}", printable(file), printable(why));
    }
    Ok(match (report.unscanned.is_empty(), report.blocks()) {
        (false, _) => ExitCode::from(2),
        (true, true) => ExitCode::from(1),
        (true, false) => ExitCode::SUCCESS,
    })
}

/// `A..B`; without `B` up to HEAD.
fn range(text: &str) -> Result<ScannedChanges, String> {
    let (from, to) = text.split_once("..").ok_or("a range is written A..B")?;
    if from.is_empty() || to.starts_with('.') {
        return Err("a range is written A..B".into());
    }
    let to = if to.is_empty() { "HEAD" } else { to };
    Ok(ScannedChanges::Range { from: from.into(), to: to.into() })
}
