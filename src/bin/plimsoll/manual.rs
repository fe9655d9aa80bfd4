//! `plimsoll completions` and `plimsoll man`: from the definition of the commands, so that they are always complete.

use crate::{Arguments, CommandResult};
use camino::Utf8PathBuf;
use clap::CommandFactory as _;
use std::process::ExitCode;

const MORE: &str = "\
Examples:
  plimsoll completions bash > ~/.local/share/bash-completion/completions/plimsoll
  plimsoll completions zsh > ~/.zfunc/_plimsoll
  plimsoll completions fish > ~/.config/fish/completions/plimsoll.fish";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Completions {
    shell: clap_complete::Shell,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  plimsoll man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder for the pages, such as ~/.local/share/man/man1.
    #[arg(value_name = "DIR")]
    folder: Utf8PathBuf,
}

pub(crate) fn completions(arguments: &Completions) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "plimsoll", &mut script);
    out!("{}", String::from_utf8(script)?);
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(arguments: &Man) -> CommandResult {
    let folder = &arguments.folder;
    let failed = |error| format!("could not write the pages into {folder}: {error}");
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)?;
    outln!("Wrote the pages into {folder}; `man plimsoll` shows the first.");
    Ok(ExitCode::SUCCESS)
}
