//! `plimsoll task`: tasks added, worked on, handed in and looked at. No subcommand records a review.

use crate::Failure;
use camino::Utf8PathBuf;
use plimsoll::config::Invocation;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::tasks::{self, Ended, Error};
use plimsoll::report::{event_values, task_list, task_text, task_value};
use plimsoll::state::read_bounded;
use plimsoll::task::{Definition, Status, Task, TaskId};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// As JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Add a task.
    Add(Add),
    /// List all tasks, or those of one status.
    List {
        #[arg(long, value_parser = status, value_name = "STATUS")]
        status: Option<Status>,
    },
    /// Show one task with its reviews and what comes next.
    Show { id: Id },
    /// Begin to work on it; its scope binds the session.
    Start(Start),
    /// Give it back to the list.
    Release { id: Id },
    /// Hand it in, and have it reviewed where the settings say so. Exit code 0: complete, or somebody else starts the
    /// review; 1: back with its worker, blocked or refused; 2: there could be no review.
    Done { id: Id },
    /// Take back what was handed in.
    Withdraw { id: Id },
    /// Say that it cannot go on without a person.
    Block {
        id: Id,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Begin anew with what is complete, blocked or stuck. For a person in a terminal.
    Reopen {
        id: Id,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Make tasks of the checkboxes of a markdown plan; those it knows already are not made again.
    Import { plan: Utf8PathBuf },
    /// Write what a reviewer would be given, and print the folder.
    Context { id: Id },
    /// Print what happened to all tasks, one JSON object per line.
    Events {
        /// Go on until interrupted.
        #[arg(long)]
        follow: bool,
        /// Only what came after the event of this number.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
        since: u64,
    },
}

#[derive(clap::Args)]
struct Add {
    title: String,
    /// A glob of files that the work may touch; may be given more than once.
    #[arg(long, value_name = "GLOB")]
    scope: Vec<String>,
    /// When it is done; may be given more than once.
    #[arg(long, value_name = "TEXT")]
    accept: Vec<String>,
    #[arg(long, value_name = "TEXT", default_value = "")]
    notes: String,
}

#[derive(clap::Args)]
struct Start {
    id: Id,
    /// The client's session that works on it; the one that runs this command if none is named.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Also if another session is at it.
    #[arg(long)]
    take_over: bool,
}

#[derive(Clone, Copy)]
struct Id(TaskId);

impl std::str::FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        TaskId::parse(text).map(Self).ok_or_else(|| "an id looks like T-7".into())
    }
}

fn status(text: &str) -> Result<Status, String> {
    let wanted = text.replace('-', "_").to_ascii_uppercase();
    Status::ALL.into_iter().find(|status| status.word() == wanted).ok_or_else(|| {
        format!("one of {}", Status::ALL.map(|status| status.word().to_ascii_lowercase()).join(", "))
    })
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    let json = arguments.json;
    let moved = match arguments.command {
        Command::Add(Add { title, scope, accept, notes }) => {
            tasks::add(&scene, Definition { title, scope, acceptance: accept, notes })
        }
        Command::List { status } => return list(&scene, status, json),
        Command::Show { id } => tasks::show(&scene, id.0),
        Command::Start(Start { id, session, take_over }) => {
            let session = session.or_else(|| Invocation::read().session_id);
            tasks::begin(&scene, id.0, session, take_over)
        }
        Command::Release { id } => tasks::release(&scene, id.0),
        Command::Done { id } => return done(&scene, id.0, json),
        Command::Withdraw { id } => tasks::withdraw(&scene, id.0),
        Command::Block { id, reason } => tasks::block(&scene, id.0, &reason),
        Command::Reopen { id, reason } => {
            Invocation::read().person()?;
            tasks::reopen(&scene, id.0, &reason)
        }
        Command::Import { plan } => return import(&scene, &plan, json),
        Command::Context { id } => {
            let folder = tasks::write_for_people(&scene, id.0)?;
            print(&if json { json!({ "folder": folder }).to_string() } else { folder.to_string() });
            return Ok(ExitCode::SUCCESS);
        }
        Command::Events { follow, since } => return events(&scene, follow, since),
    };
    match moved {
        Ok(task) => {
            tell(&task, json);
            Ok(ExitCode::SUCCESS)
        }
        Err(failure) => refused(failure, json),
    }
}

fn print(text: &str) {
    anstream::println!("{}", text.trim_end());
}

fn tell(task: &Task, json: bool) {
    print(&if json { format!("{:#}", task_value(task)) } else { task_text(task) });
}

/// What the flow refuses is an answer, not a fault.
fn refused(failure: Failure, json: bool) -> Result<ExitCode, Failure> {
    match failure.downcast_ref::<Error>() {
        Some(error) if json => print(&json!({ "error": error.to_string() }).to_string()),
        Some(error) => anstream::eprintln!("{error}"),
        None => return Err(failure),
    }
    Ok(ExitCode::from(1))
}

fn list(scene: &Scene, status: Option<Status>, json: bool) -> Result<ExitCode, Failure> {
    let mut list = tasks::list(scene)?;
    list.tasks.retain(|task| status.is_none_or(|wanted| task.state().status == wanted));
    let values: Vec<_> = list.tasks.iter().map(task_value).collect();
    print(&if json {
        format!("{:#}", json!({ "tasks": values, "problems": list.problems }))
    } else {
        task_list(&list.tasks)
    });
    list.problems.iter().for_each(|problem| anstream::eprintln!("not listed: {problem}"));
    Ok(if list.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn done(scene: &Scene, id: TaskId, json: bool) -> Result<ExitCode, Failure> {
    let (task, ended) = match tasks::done(scene, id) {
        Ok(ended) => ended,
        Err(failure) => return refused(failure, json),
    };
    tell(&task, json);
    let (words, code) = match ended {
        Ended::Settled if task.state().status == Status::Complete => (None, 0),
        Ended::Settled => (None, 1),
        Ended::Waits(how) => (Some(how), 0),
        Ended::Unreviewed(why) => (Some(why), 2),
    };
    words.iter().for_each(|words| anstream::eprintln!("{words}"));
    Ok(ExitCode::from(code))
}

fn import(scene: &Scene, plan: &Utf8PathBuf, json: bool) -> Result<ExitCode, Failure> {
    let bytes = read_bounded(plan)?.ok_or_else(|| format!("there is no file {plan}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{plan} is not text"))?;
    let real = plan.canonicalize_utf8()?;
    let name = real.strip_prefix(&scene.project).unwrap_or(&real);
    let imported = tasks::import(scene, name.as_str(), &text)?;
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
        anstream::print!(
            "{}",
            if imported.added.is_empty() { String::new() } else { task_list(&imported.added) }
        );
        print(&format!(
            "{} added, {} redefined, {} as they were, {} ticked in the plan already.",
            imported.added.len(),
            imported.redefined.len(),
            imported.unchanged + imported.kept.len(),
            imported.ticked
        ));
        for task in &imported.kept {
            anstream::eprintln!(
                "{} was begun and keeps its definition; the plan says something else by now",
                task.id
            );
        }
        imported.refused.iter().for_each(|why| anstream::eprintln!("not imported: {why}"));
    }
    Ok(if imported.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Read from the tasks themselves, so that the stream and the tasks cannot disagree.
fn events(scene: &Scene, follow: bool, mut after: u64) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    loop {
        for (sequence, value) in event_values(&tasks::list(scene)?.tasks, after) {
            if writeln!(out, "{value}").and_then(|()| out.flush()).is_err() {
                // Nobody listens any more.
                return Ok(ExitCode::SUCCESS);
            }
            after = sequence;
        }
        if !follow {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}
