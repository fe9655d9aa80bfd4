//! `plimsoll server-hook`: installs the hook of a bare repository, and is that hook.

use crate::CommandResult;
use camino::Utf8PathBuf;
use plimsoll::app::server;
use plimsoll::pure::text::printable;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Install the pre-receive hook into a bare repository. Existing patterns and lists stay.
    Install {
        /// The bare repository.
        #[arg(value_name = "DIR", default_value = ".")]
        directory: Utf8PathBuf,
        /// A branch to protect, such as main or release/*. Default: the branch of HEAD.
        #[arg(long, value_name = "PATTERN")]
        protect: Vec<String>,
        /// People who may sign, in ssh's format. Default: .claude/config/allowed-signers in the commits themselves.
        #[arg(long, value_name = "FILE")]
        allowed_signers: Option<Utf8PathBuf>,
    },
    /// Judge a push (used by the hook).
    #[command(hide = true)]
    Run,
}

pub(crate) fn run(command: Command) -> CommandResult {
    match command {
        Command::Install { directory, protect, allowed_signers } => {
            let installed = server::install(&directory, &protect, allowed_signers.as_deref())?;
            outln!(
                "{} accepts only attested commits on the branches in {}.",
                installed.directory,
                installed.patterns
            );
            if !installed.has_signers {
                outln!("The first push needs a list of people who may sign: --allowed-signers FILE.");
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Run => match server::judge_push()? {
            None => Ok(ExitCode::SUCCESS),
            Some(refusal) => {
                refusal.lines().for_each(|line| errln!("{}", printable(line)));
                Ok(ExitCode::FAILURE)
            }
        },
    }
}
