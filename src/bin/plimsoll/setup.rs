//! `plimsoll setup`: puts our hooks into one settings file of Claude Code, or takes them out. `install.sh` calls it.

mod backup;
mod settings_file;
mod whole_file;

use crate::Failure;
use camino::Utf8PathBuf;
use plimsoll::hook::registration::Form;
use settings_file::{Change, SettingsFile};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Edit a settings file.
    Settings(Settings),
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("action").required(true).args(["add", "remove"]))]
#[command(group = clap::ArgGroup::new("form").args(["hooks_dir", "launcher"]))]
struct Settings {
    /// The settings file; it may not exist yet.
    #[arg(long, value_name = "PATH")]
    file: Utf8PathBuf,
    /// Register our hooks.
    #[arg(long, requires = "form")]
    add: bool,
    /// Remove our hooks, and restore the file if nobody else changed it.
    #[arg(long)]
    remove: bool,
    /// Start hooks by the path of their binaries in this directory.
    #[arg(long, value_name = "DIR", requires = "add")]
    hooks_dir: Option<Utf8PathBuf>,
    /// Start hooks through the project's committed launcher.
    #[arg(long, requires = "add")]
    launcher: bool,
    /// Say what would happen, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Command::Settings(settings) = arguments.command;
    let file = SettingsFile::open(&settings.file)?;
    let change = match settings.hooks_dir {
        _ if settings.remove => file.removal()?,
        Some(directory) if directory.is_absolute() && directory.ends_with("plimsoll/hooks") => {
            file.addition(&Form::Binaries(directory.into_string()))?
        }
        Some(directory) => {
            return Err(format!("{directory} is not an absolute path that ends in plimsoll/hooks").into());
        }
        None => file.addition(&Form::ProjectLauncher)?,
    };
    let told = match &change {
        Change::Nothing => "unchanged",
        Change::Write(_) if settings.dry_run => "would change",
        Change::Write(_) => "changed",
        Change::Delete if settings.dry_run => "would delete",
        Change::Delete => "deleted",
    };
    if !settings.dry_run {
        match settings.remove {
            true => file.take_out(&change)?,
            false => file.put_in(&change)?,
        }
    }
    println!("{told}: {}", settings.file);
    Ok(ExitCode::SUCCESS)
}
