//! `plimsoll setup`: adds our hooks to a settings file of Claude Code, or removes them. `install.sh` calls it.

mod backup;
pub(crate) mod settings_file;
pub(crate) mod whole_file;

use crate::CommandResult;
use camino::Utf8PathBuf;
use plimsoll::pure::client::registration::Form;
use settings_file::{FileChange, SettingsFile};
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Edit a settings file.
    Settings(SettingsArguments),
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("action").required(true).args(["add", "remove"]))]
#[command(group = clap::ArgGroup::new("form").args(["hooks_dir", "launcher"]))]
pub(crate) struct SettingsArguments {
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
    /// Print what would happen, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(command: Command) -> CommandResult {
    let Command::Settings(settings) = command;
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
    let action = match &change {
        FileChange::Nothing => "unchanged",
        FileChange::Write(_) if settings.dry_run => "would change",
        FileChange::Write(_) => "changed",
        FileChange::Delete if settings.dry_run => "would delete",
        FileChange::Delete => "deleted",
    };
    if !settings.dry_run {
        match settings.remove {
            true => file.take_out(&change)?,
            false => file.put_in(&change)?,
        }
    }
    outln!("{action}: {}", settings.file);
    Ok(ExitCode::SUCCESS)
}
