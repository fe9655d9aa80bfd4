//! `plimsoll review`: runs a loop, shows what is known about the current content, and takes a person's rulings.

use crate::Failure;
use plimsoll::config::Invocation;
use plimsoll::flow::change::Change;
use plimsoll::flow::findings::{dismiss, findings};
use plimsoll::flow::loop2::write_for_people;
use plimsoll::flow::progress::Progress;
use plimsoll::flow::reporting::report;
use plimsoll::flow::review::{Order, run as run_loop};
use plimsoll::flow::scene::Scene;
use plimsoll::report::{finding_list, finding_value};
use plimsoll::review::{GitPath, Scope, ScopeKind, Verdict};
use plimsoll::state::write_code;
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
    /// Show what is known about the current content: loops, findings, blockers, and what to do next.
    Report(Report),
    /// List the findings of the current change.
    Findings(Findings),
    /// Rule that a finding does not hold or does not matter. For a person in a terminal.
    Dismiss(Dismiss),
}

#[derive(clap::Args)]
struct Run {
    /// 1: the project's checks; 3: the outside reviewer; 4: integration tests and the pull request. 2 is an agent of the client.
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
    /// What a reader reads: files and folders. Checks run on everything all the same.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
}

#[derive(clap::Args)]
struct Report {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write it there instead of printing it.
    #[arg(long, value_name = "FILE")]
    output: Option<camino::Utf8PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
    Sarif,
}

#[derive(clap::Args)]
struct Findings {
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// Also what is fixed or dismissed.
    #[arg(long)]
    all: bool,
}

#[derive(clap::Args)]
struct Dismiss {
    /// The finding's id, or the beginning of it.
    id: String,
    /// Why it does not hold or does not matter; it is recorded.
    #[arg(long, value_name = "TEXT")]
    reason: String,
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
    match arguments.command {
        Command::Run(order) => run_one(order),
        Command::Context(content) => write_context(&content),
        Command::Report(wish) => show(&wish),
        Command::Findings(wish) => list(&wish),
        Command::Dismiss(ruling) => rule(&ruling),
    }
}

fn write_context(content: &Content) -> Result<ExitCode, Failure> {
    anstream::println!("{}", write_for_people(&Scene::here()?, content.scope(), content.base.clone())?);
    Ok(ExitCode::SUCCESS)
}

fn run_one(run: Run) -> Result<ExitCode, Failure> {
    let (scope, Content { base, paths, .. }) = (run.content.scope(), run.content);
    let order = Order { number: run.number, scope, base, paths };
    let reviewed =
        run_loop(&Scene::here()?, order, |settings| Box::new(Progress::on_stderr(&settings.output)))?;
    anstream::print!("{}", reviewed.report);
    Ok(match reviewed.verdict {
        Verdict::Pass => ExitCode::SUCCESS,
        Verdict::Fail | Verdict::Stale { .. } => ExitCode::from(1),
        Verdict::Skip { .. } => ExitCode::from(2),
    })
}

fn show(wish: &Report) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    let change = Change::of(&scene, Scope::default(), None)?;
    let report = report(&scene, &change)?;
    let text = match wish.format {
        Format::Text => report.text(&change.settings.output),
        Format::Markdown => report.markdown(),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&report.json())?),
        Format::Sarif => format!("{}\n", serde_json::to_string_pretty(&report.sarif())?),
    };
    match &wish.output {
        // What an agent may not overwrite by hand it may not overwrite by us.
        Some(file) if Invocation::read().under_agent && file.exists() => {
            return Err(format!("{file} exists; name a new file").into());
        }
        Some(file) => write_code(file, &text)?,
        None => anstream::print!("{text}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn list(wish: &Findings) -> Result<ExitCode, Failure> {
    let mut tracked = findings(&Scene::here()?)?;
    let hidden = tracked.iter().filter(|entry| !entry.standing.is_open()).count();
    tracked.retain(|entry| wish.all || entry.standing.is_open());
    if wish.json {
        let values: Vec<_> = tracked.iter().map(finding_value).collect();
        anstream::println!("{}", serde_json::to_string_pretty(&values)?);
        return Ok(ExitCode::SUCCESS);
    }
    if tracked.is_empty() {
        anstream::println!("No open findings in this change.");
    }
    anstream::print!("{}", finding_list(&tracked));
    if !wish.all && hidden > 0 {
        anstream::println!("({hidden} fixed or dismissed: --all)");
    }
    Ok(ExitCode::SUCCESS)
}

fn rule(ruling: &Dismiss) -> Result<ExitCode, Failure> {
    Invocation::read().person()?;
    let (dismissed, open) = dismiss(&Scene::here()?, &ruling.id, &ruling.reason)?;
    anstream::println!("Dismissed and recorded:");
    anstream::print!("{}", finding_list(&[dismissed]));
    anstream::println!(
        "{}",
        match open {
            true => "The gate is open for this content.",
            false => "The gate is still shut: `plimsoll gate why`.",
        }
    );
    Ok(ExitCode::SUCCESS)
}
