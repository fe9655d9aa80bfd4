//! `plimsoll report`: the project, or what a team shipped, as one HTML page.

use crate::CommandResult;
use crate::review::write_file;
use camino::Utf8PathBuf;
use plimsoll::app::monitor::project_page::{project_page, write_page};
use plimsoll::app::monitor::team_page::{TeamRequest, team_page};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::text::below_home;
use std::process::ExitCode;

/// In the folder for logs.
const PROJECT: &str = "report.html";
const TEAM: &str = "team.html";

const MORE: &str = "\
The page shows whether the content may ship and why not, the loops, the findings with the quoted lines, the newest session
as a timeline of risk, decisions and interventions, and the checkpoints with the commands that restore them. It is one file
without scripts that loads nothing.

With --team, the page is made from the attestations of a branch: what shipped reviewed, overrides with their reasons, commits
without an attestation, findings that came back, and interruptions per 1,000 tool calls on this machine.";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Show this session instead of the newest one.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Show what the team shipped, from the attestations of a branch.
    #[arg(long, conflicts_with = "session")]
    team: bool,
    /// With --team: the branch.
    #[arg(long = "ref", value_name = "REV", requires = "team", default_value = "HEAD")]
    revision: String,
    /// With --team: people who may sign, in ssh's format. Default: .claude/config/allowed-signers at that revision.
    #[arg(long, value_name = "FILE", requires = "team")]
    allowed_signers: Option<Utf8PathBuf>,
    /// Write the page to this file. Default: report.html, or team.html, in the project's folder for logs.
    #[arg(short, long, value_name = "FILE")]
    output: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let (name, html) = match arguments.team {
        false => (PROJECT, project_page(&workspace, arguments.session.as_deref())?),
        true => {
            let (revision, allowed_signers) = (arguments.revision.clone(), arguments.allowed_signers.clone());
            (TEAM, team_page(&workspace, &TeamRequest { revision, allowed_signers })?)
        }
    };
    let path = match &arguments.output {
        Some(file) => {
            write_file(&workspace, file, &html)?;
            file.clone()
        }
        None => write_page(&workspace, name, &html)?,
    };
    outln!("{}", below_home(path.as_str(), workspace.environment.home.as_str()));
    Ok(ExitCode::SUCCESS)
}
