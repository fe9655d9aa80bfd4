//! `plimsoll report`: the project as one HTML page.

use crate::CommandResult;
use crate::review::write_file;
use camino::Utf8PathBuf;
use plimsoll::app::monitor::project_page::{project_page, write_page};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::text::below_home;
use std::process::ExitCode;

const MORE: &str = "\
The page shows whether the content may ship and why not, the loops, the findings with the quoted lines, the newest session
as a timeline of risk, decisions and interventions, and the checkpoints with the commands that restore them. It is one file
without scripts that loads nothing.";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Show this session instead of the newest one.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Write the page to this file. Default: report.html in the project's folder for logs.
    #[arg(short, long, value_name = "FILE")]
    output: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let html = project_page(&workspace, arguments.session.as_deref())?;
    let path = match &arguments.output {
        Some(file) => {
            write_file(&workspace, file, &html)?;
            file.clone()
        }
        None => write_page(&workspace, &html)?,
    };
    outln!("{}", below_home(path.as_str(), workspace.environment.home.as_str()));
    Ok(ExitCode::SUCCESS)
}
