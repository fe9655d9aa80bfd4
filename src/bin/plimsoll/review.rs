//! `plimsoll review run`: runs one loop on the current content.

use crate::Failure;
use plimsoll::flow::progress::Progress;
use plimsoll::flow::review::{Order, run as run_loop};
use plimsoll::flow::scene::Scene;
use plimsoll::review::{GitPath, Scope, ScopeKind, Verdict};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Run one loop. Exit code 0: passed; 1: findings; 2: could not be done.
    Run(Run),
}

#[derive(clap::Args)]
struct Run {
    /// 1: the project's checks; 3: the outside reviewer; 4: integration tests and the pull request.
    #[arg(long = "loop", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    number: u8,
    /// Review what is staged.
    #[arg(long, conflicts_with_all = ["reference", "leave_out"])]
    staged: bool,
    /// Review the content of a commit.
    #[arg(long = "ref", value_name = "REV", conflicts_with = "leave_out")]
    reference: Option<String>,
    /// Compare with this instead of the upstream or default branch.
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Leave an untracked file out of the review.
    #[arg(long, value_name = "PATH")]
    leave_out: Vec<String>,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Command::Run(run) = arguments.command;
    let kind = match (run.staged, run.reference) {
        (true, _) => ScopeKind::Staged,
        (false, Some(revision)) => ScopeKind::Ref(revision),
        (false, None) => ScopeKind::All,
    };
    let left_out = run.leave_out.iter().map(|path| GitPath::unquote(path)).collect();
    let order = Order { number: run.number, scope: Scope { kind, left_out }, base: run.base };
    let reviewed =
        run_loop(&Scene::here()?, order, |settings| Box::new(Progress::on_stderr(&settings.output)))?;
    anstream::print!("{}", reviewed.report);
    Ok(match reviewed.verdict {
        Verdict::Pass => ExitCode::SUCCESS,
        Verdict::Fail | Verdict::Stale { .. } => ExitCode::from(1),
        Verdict::Skip { .. } => ExitCode::from(2),
    })
}
