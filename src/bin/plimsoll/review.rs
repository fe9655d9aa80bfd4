//! `plimsoll review` and `plimsoll reconcile`: runs a loop, shows what is known about the content, dismisses findings.

use crate::output::{Verbosity, verbosity};
use crate::progress::ProgressDisplay;
use crate::{CommandError, CommandResult, print_json, require_person};
use clap::builder::TypedValueParser as _;
use plimsoll::app::failure::Refused;
use plimsoll::app::monitor::project_page::page_of_report;
use plimsoll::app::presence;
use plimsoll::app::review::change::Change;
use plimsoll::app::review::findings::{dismiss, findings};
use plimsoll::app::review::loop2::write_for_people;
use plimsoll::app::review::reconcile::{self, PullRequestSource};
use plimsoll::app::review::report::report;
use plimsoll::app::review::run::{RunRequest, run as run_loop};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::state::write_code;
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::report::{CheckLines, finding_list, finding_value, painted};
use plimsoll::pure::review::{GitPath, LoopVerdict, ReviewScope, ScopeKind};
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Run one loop. Exit code 0: passed; 1: findings; 2: could not run.
    Run {
        /// 1: the project's checks; 3: the outside reviewer; 4: integration tests and the pull request. Loop 2 is an agent
        /// of the client.
        #[arg(long = "loop", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4).try_map(LoopNumber::try_from))]
        number: LoopNumber,
        #[command(flatten)]
        content: ReviewContent,
    },
    /// Write the context of the loop 2 reviewer for people to read, and print its folder.
    Context(ReviewContent),
    /// Show the report on the current content: loops, findings, blockers and the next command.
    Report {
        #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
        format: ReportFormat,
        /// Write the report to this file instead of printing it.
        #[arg(long, value_name = "FILE")]
        output: Option<camino::Utf8PathBuf>,
    },
    /// List the open findings of the current change.
    Findings {
        /// Print the findings as JSON.
        #[arg(long)]
        json: bool,
        /// List fixed and dismissed findings too.
        #[arg(long)]
        all: bool,
    },
    /// Dismiss a finding that is wrong or does not matter. For a person in a terminal.
    Dismiss {
        /// The finding's ID, or the beginning of it.
        id: String,
        /// Why it is wrong or does not matter; recorded.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// The content to review.
#[derive(clap::Args)]
pub(crate) struct ReviewContent {
    /// Review the staged content.
    #[arg(long, conflicts_with_all = ["reference", "leave_out"])]
    staged: bool,
    /// Review the content of a commit.
    #[arg(long = "ref", value_name = "REV", conflicts_with = "leave_out")]
    reference: Option<String>,
    /// Compare with this revision instead of the upstream or default branch.
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Leave an untracked file out of the review.
    #[arg(long, value_name = "PATH")]
    leave_out: Vec<String>,
    /// Files and folders that reviewers read. Checks run on everything.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Markdown,
    Json,
    Sarif,
    /// One page for a browser, as `plimsoll report` writes it.
    Html,
}

impl ReviewContent {
    fn scope(&self) -> ReviewScope {
        let kind = match (self.staged, &self.reference) {
            (true, _) => ScopeKind::Staged,
            (false, Some(revision)) => ScopeKind::Ref(revision.clone()),
            (false, None) => ScopeKind::All,
        };
        ReviewScope { kind, left_out: self.leave_out.iter().map(|path| GitPath::unquote(path)).collect() }
    }
}

pub(crate) fn run(command: Command) -> CommandResult {
    let workspace = Workspace::here()?;
    match command {
        Command::Run { number, content } => run_one(&workspace, number, content),
        Command::Context(content) => {
            outln!("{}", write_for_people(&workspace, content.scope(), content.base.clone())?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Report { format, output } => show(&workspace, format, output),
        Command::Findings { json, all } => list(&workspace, json, all),
        Command::Dismiss { id, reason } => {
            require_person(&format!("This dismisses finding {id}, and with it what it blocks."))?;
            let (dismissed, open) = dismiss(&workspace, &id, &reason)?;
            let gate =
                if open { "open for this content" } else { "still closed: `plimsoll gate why --worktree`" };
            out!("Dismissed and recorded:\n{}", finding_list(&[dismissed]));
            outln!("The gate is {gate}.");
            Ok(ExitCode::SUCCESS)
        }
    }
}

pub(crate) fn reconcile(json: bool) -> CommandResult {
    let found = reconcile::reconcile(&Workspace::here()?, PullRequestSource::Fetched)?;
    if json {
        return print_json(&found);
    }
    out!("{}", found.text());
    Ok(ExitCode::SUCCESS)
}

fn run_one(workspace: &Workspace, number: LoopNumber, content: ReviewContent) -> CommandResult {
    let (scope, ReviewContent { base, paths, .. }) = (content.scope(), content);
    let reviewed =
        run_loop(workspace, RunRequest { number, scope, base, paths, lines: check_lines() }, |settings| {
            Box::new(ProgressDisplay::on_stderr(&settings.output))
        })?;
    out!("{}", painted(&reviewed.report));
    Ok(match reviewed.verdict {
        LoopVerdict::Pass => ExitCode::SUCCESS,
        LoopVerdict::Fail | LoopVerdict::Stale { .. } => ExitCode::FAILURE,
        LoopVerdict::Skip { .. } => ExitCode::from(2),
    })
}

fn check_lines() -> CheckLines {
    match verbosity() {
        Verbosity::Quiet => CheckLines::Problems,
        Verbosity::Normal => CheckLines::Joined,
        Verbosity::Verbose => CheckLines::Each,
    }
}

fn show(workspace: &Workspace, format: ReportFormat, output: Option<camino::Utf8PathBuf>) -> CommandResult {
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let report = report(workspace, &change)?;
    let text = match format {
        ReportFormat::Text => report.text(&change.settings.output, check_lines()),
        ReportFormat::Markdown => report.markdown(),
        ReportFormat::Json => format!("{:#}\n", report.json()),
        ReportFormat::Sarif => format!("{:#}\n", report.sarif()),
        ReportFormat::Html => page_of_report(workspace, &report)?,
    };
    match output {
        Some(file) => write_file(workspace, &file, &text)?,
        None if format == ReportFormat::Text => out!("{}", painted(&text)),
        None => out!("{text}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// An agent must not write a file through us that it may not write itself: only a new file in the project, outside of `.git`
/// and `.claude`.
pub(crate) fn write_file(
    workspace: &Workspace,
    file: &camino::Utf8Path,
    text: &str,
) -> Result<(), CommandError> {
    if presence::no_agent().is_err() {
        if file.symlink_metadata().is_ok() {
            return Err(format!("{file} exists; name a new file").into());
        }
        let folder = file.parent().filter(|folder| !folder.as_str().is_empty()).unwrap_or(".".into());
        let folder = folder.canonicalize_utf8()?;
        let inside = folder.strip_prefix(&workspace.project);
        if !inside
            .is_ok_and(|inside| !inside.iter().any(|name| name.starts_with(".git") || name == ".claude"))
        {
            return Err(
                Refused(format!("an agent may write a report only into {}", workspace.project)).into()
            );
        }
    }
    let folder = file.parent().filter(|folder| !folder.as_str().is_empty());
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        return Err(format!("{missing} is not a folder; make it first, or name another file").into());
    }
    Ok(write_code(file, text)?)
}

fn list(workspace: &Workspace, json: bool, all: bool) -> CommandResult {
    let mut tracked = findings(workspace)?;
    let hidden = tracked.iter().filter(|entry| !entry.state.is_open()).count();
    tracked.retain(|entry| all || entry.state.is_open());
    if json {
        return print_json(&tracked.iter().map(finding_value).collect::<Vec<_>>());
    }
    if tracked.is_empty() {
        noteln!("No open findings in this change.");
    }
    out!("{}", finding_list(&tracked));
    if !all && hidden > 0 {
        noteln!("({hidden} fixed or dismissed: --all)");
    }
    Ok(ExitCode::SUCCESS)
}
