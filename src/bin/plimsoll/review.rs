//! `plimsoll review run`: runs one loop on the current content.

use crate::Failure;
use plimsoll::flow::loop2::write_for_people;
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
    /// Write what the reader of loop 2 would be given, for people, and print the folder.
    Context(Content),
}

#[derive(clap::Args)]
struct Run {
    /// Which loop; in this version only 1 exists.
    #[arg(long = "loop", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    number: u8,
    #[command(flatten)]
    content: Content,
}

/// What is reviewed.
#[derive(clap::Args)]
struct Content {
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

impl Content {
    fn scope(&self) -> Scope {
        let kind = match (self.staged, &self.reference) {
            (true, _) => ScopeKind::Staged,
            (false, Some(revision)) => ScopeKind::Ref(revision.clone()),
            (false, None) => ScopeKind::All,
        };
        Scope { kind, left_out: self.leave_out.iter().map(|path| GitPath::unquote(path)).collect() }
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let run = match arguments.command {
        Command::Run(run) => run,
        Command::Context(content) => {
            let folder = write_for_people(&Scene::here()?, content.scope(), content.base)?;
            anstream::println!("{folder}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let order = Order { number: run.number, scope: run.content.scope(), base: run.content.base };
    let reviewed =
        run_loop(&Scene::here()?, order, |settings| Box::new(Progress::on_stderr(&settings.output)))?;
    anstream::print!("{}", reviewed.report);
    Ok(match reviewed.verdict {
        Verdict::Pass => ExitCode::SUCCESS,
        Verdict::Fail | Verdict::Stale { .. } => ExitCode::from(1),
        Verdict::Skip { .. } => ExitCode::from(2),
    })
}
