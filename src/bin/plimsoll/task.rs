//! `plimsoll task`: adds, lists and moves tasks. No subcommand records a review.

use crate::progress::ProgressDisplay;
use crate::{CommandError, CommandResult, confirm, exit_code, output, require_person};
use camino::Utf8PathBuf;
use plimsoll::app::failure::chain;
use plimsoll::app::review::progress::ProgressListener;
use plimsoll::app::review::run::{RunRequest, run as run_loop};
use plimsoll::app::tasks::{self, Error, Submission, SubmissionPlan};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::HookInvocation;
use plimsoll::edge::state::read_bounded;
use plimsoll::pure::policy::{LoopNumber, Settings};
use plimsoll::pure::report::{CheckLines, event_values, task_list, task_text, task_value};
use plimsoll::pure::review::ReviewScope;
use plimsoll::pure::task::{Definition, Task, TaskId, TaskStatus};
use serde_json::json;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Add a task.
    Add {
        title: String,
        /// A glob of files that the work may change; repeatable.
        #[arg(long, value_name = "GLOB")]
        scope: Vec<String>,
        /// An acceptance criterion; repeatable.
        #[arg(long, value_name = "TEXT")]
        accept: Vec<String>,
        #[arg(long, value_name = "TEXT", default_value = "")]
        notes: String,
    },
    /// List all tasks, or those of one status.
    List {
        #[arg(long, value_parser = status, value_name = "STATUS")]
        status: Option<TaskStatus>,
    },
    /// Show one task with its reviews and the next command.
    Show {
        #[arg(value_parser = id)]
        id: TaskId,
    },
    /// Start work on a task; its scope applies to the session.
    Start {
        #[arg(value_parser = id)]
        id: TaskId,
        /// The client's session that works on the task. Default: the session that runs this command.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Start even if another session works on the task.
        #[arg(long)]
        take_over: bool,
    },
    /// Stop work on a task; it is pending again.
    Release {
        #[arg(value_parser = id)]
        id: TaskId,
    },
    /// Hand a task in for its review. Exit code 0: complete, or the review starts elsewhere; 1: needs a revision, blocked or
    /// refused; 2: the review could not run.
    Done {
        #[arg(value_parser = id)]
        id: TaskId,
        /// Start the checks and the review without asking. Without a terminal nobody is asked.
        #[arg(long)]
        yes: bool,
    },
    /// Withdraw a task that was handed in.
    Withdraw {
        #[arg(value_parser = id)]
        id: TaskId,
    },
    /// Block a task that needs a person.
    Block {
        #[arg(value_parser = id)]
        id: TaskId,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Reopen a task that is complete, blocked or stuck. For a person in a terminal.
    Reopen {
        #[arg(value_parser = id)]
        id: TaskId,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Add a task for each checkbox of a Markdown plan; known tasks are not added again.
    Import { plan: Utf8PathBuf },
    /// Write the context of the task's reviewer, and print its folder.
    Context {
        #[arg(value_parser = id)]
        id: TaskId,
    },
    /// Print the events of all tasks, one JSON object per line.
    Events {
        /// Wait for new events until interrupted.
        #[arg(long)]
        follow: bool,
        /// Print only the events after this number.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
        since: u64,
    },
}

fn id(text: &str) -> Result<TaskId, String> {
    TaskId::parse(text).ok_or_else(|| "an ID looks like T-7".into())
}

fn status(text: &str) -> Result<TaskStatus, String> {
    let wanted = text.replace('-', "_").to_ascii_uppercase();
    TaskStatus::ALL.into_iter().find(|status| status.word() == wanted).ok_or_else(|| {
        format!("one of {}", TaskStatus::ALL.map(|status| status.word().to_ascii_lowercase()).join(", "))
    })
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let json = arguments.json;
    let changed = match arguments.command {
        Command::Add { title, scope, accept, notes } => {
            tasks::add(&workspace, Definition { title, scope, acceptance: accept, notes })
        }
        Command::List { status } => return list(&workspace, status, json),
        Command::Show { id } => tasks::show(&workspace, id),
        Command::Start { id, session, take_over } => {
            let session = session.or_else(|| HookInvocation::read().session_id);
            tasks::begin(&workspace, id, session, take_over)
        }
        Command::Release { id } => tasks::release(&workspace, id),
        Command::Done { id, yes } => return done(&workspace, id, yes, json),
        Command::Withdraw { id } => tasks::withdraw(&workspace, id),
        Command::Block { id, reason } => tasks::block(&workspace, id, &reason),
        Command::Reopen { id, reason } => {
            require_person(&format!("This reopens {id}."))?;
            tasks::reopen(&workspace, id, &reason)
        }
        Command::Import { plan } => return import(&workspace, &plan, json),
        Command::Context { id } => {
            let folder = tasks::write_for_people(&workspace, id)?;
            print(&if json { json!({ "folder": folder }).to_string() } else { folder.to_string() });
            return Ok(ExitCode::SUCCESS);
        }
        Command::Events { follow, since } => return events(&workspace, follow, since),
    };
    match changed {
        Ok(task) => {
            show(&task, json);
            Ok(ExitCode::SUCCESS)
        }
        Err(failure) => report_refusal(failure, json),
    }
}

fn print(text: &str) {
    outln!("{}", text.trim_end());
}

fn show(task: &Task, json: bool) {
    print(&if json { format!("{:#}", task_value(task)) } else { task_text(task) });
}

/// A refusal exits with 1; any other error, an unknown task among them, with 2.
fn report_refusal(failure: CommandError, json: bool) -> CommandResult {
    match failure.downcast_ref::<Error>() {
        Some(error) if json => print(&json!({ "error": error.to_string() }).to_string()),
        Some(error @ Error::Refused { .. }) => errln!("{error}"),
        Some(Error::Unknown(_)) | None => return Err(failure),
    }
    let unknown = matches!(failure.downcast_ref(), Some(Error::Unknown(_)));
    Ok(ExitCode::from(if unknown { 2 } else { 1 }))
}

fn list(workspace: &Workspace, status: Option<TaskStatus>, json: bool) -> CommandResult {
    let mut list = tasks::list(workspace)?;
    list.tasks.retain(|task| status.is_none_or(|wanted| task.state().status == wanted));
    let values: Vec<_> = list.tasks.iter().map(task_value).collect();
    print(&if json {
        format!("{:#}", json!({ "tasks": values, "problems": list.problems }))
    } else {
        task_list(&list.tasks)
    });
    list.problems.iter().for_each(|problem| errln!("not listed: {problem}"));
    Ok(if list.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn done(workspace: &Workspace, id: TaskId, yes: bool, json: bool) -> CommandResult {
    let plan = match tasks::plan(workspace, id) {
        Ok(plan) => plan,
        Err(failure) => return report_refusal(failure, json),
    };
    if !is_agreed(&plan, yes)? {
        errln!("Nothing was started, and {id} was not handed in.");
        return Ok(ExitCode::FAILURE);
    }
    if plan.checks {
        check(workspace);
    }
    let (task, ended) = match tasks::done(workspace, id) {
        Ok(ended) => ended,
        Err(failure) => return report_refusal(failure, json),
    };
    show(&task, json);
    let (message, code) = match ended {
        Submission::Settled if task.state().status == TaskStatus::Complete => (None, 0),
        Submission::Settled => (None, 1),
        Submission::Waits(how) => (Some(how), 0),
        Submission::Unreviewed(why) => (Some(why), 2),
    };
    message.iter().for_each(|message| errln!("{message}"));
    Ok(ExitCode::from(code))
}

/// Says what will start, and asks a person at a terminal.
fn is_agreed(plan: &SubmissionPlan, yes: bool) -> Result<bool, CommandError> {
    if plan.checks {
        errln!("This runs loop 1 first: the reviewer gets its results.");
    }
    if let Some(runner) = &plan.runner {
        errln!("The review starts: {runner}");
    }
    let starts = plan.checks || plan.runner.is_some();
    Ok(yes || !starts || !std::io::stdin().is_terminal() || confirm("Go on?")?)
}

/// Whatever becomes of loop 1, the reviewer is told.
fn check(workspace: &Workspace) {
    let request = RunRequest {
        number: LoopNumber::One,
        scope: ReviewScope::default(),
        base: None,
        paths: Vec::new(),
        lines: CheckLines::Joined,
    };
    let watch = |settings: &Settings| -> Box<dyn ProgressListener> {
        Box::new(ProgressDisplay::on_stderr(&settings.output))
    };
    match run_loop(workspace, request, watch) {
        Ok(result) => errln!("loop 1: {}", result.verdict.word()),
        Err(failure) => errln!("loop 1 could not run: {}", chain(failure.as_ref())),
    }
}

fn import(workspace: &Workspace, plan: &Utf8PathBuf, json: bool) -> CommandResult {
    let bytes = read_bounded(plan)?.ok_or_else(|| format!("there is no file {plan}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{plan} is not text"))?;
    let real = plan.canonicalize_utf8()?;
    let name = real.strip_prefix(&workspace.project).unwrap_or(&real);
    let imported = tasks::import(workspace, name.as_str(), &text)?;
    if json {
        let values = |tasks: &[Task]| tasks.iter().map(task_value).collect::<Vec<_>>();
        let value = json!({
            "added": values(&imported.added),
            "redefined": values(&imported.redefined),
            "kept": values(&imported.kept),
            "unchanged": imported.unchanged,
            "ticked": imported.ticked,
            "refused": imported.refused,
        });
        print(&format!("{value:#}"));
    } else {
        if !imported.added.is_empty() {
            out!("{}", task_list(&imported.added));
        }
        print(&format!(
            "{} added, {} redefined, {} unchanged, {} already ticked in the plan.",
            imported.added.len(),
            imported.redefined.len(),
            imported.unchanged + imported.kept.len(),
            imported.ticked
        ));
        for task in &imported.kept {
            errln!("{} is already started and keeps its definition; the plan has changed", task.id);
        }
        imported.refused.iter().for_each(|why| errln!("not imported: {why}"));
    }
    Ok(exit_code(imported.refused.is_empty()))
}

/// Reads the events from the tasks, so that the stream always agrees with them.
fn events(workspace: &Workspace, follow: bool, mut after: u64) -> CommandResult {
    loop {
        for (sequence, value) in event_values(&tasks::list(workspace)?.tasks, after) {
            outln!("{value}");
            after = sequence;
        }
        if !follow || output::is_closed() {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
