//! `plimsoll checkpoint` and `plimsoll undo`.

use crate::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::config::Invocation;
use plimsoll::flow::checkpoints::{self, How, Plan, Progress, Restored, Why};
use plimsoll::flow::clock;
use plimsoll::flow::scene::Scene;
use plimsoll::report::{CheckpointList, CheckpointText, RestorePlan, copy_line, printable};
use plimsoll::restore::NOT_COVERED;
use plimsoll::review::GitPath;
use serde_json::json;
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

/// What the arguments do not say.
const MORE: &str = "\
A checkpoint holds every file that git does not ignore, and ignored ones that nobody could make again (.env, keys,
databases). A restore shows first what it would do, takes a checkpoint of now, and touches no commit, branch, index or
stash; `plimsoll undo` takes it back. Files that somebody else changed since are kept unless --force is given.

Exit code 0: done; 1: something was kept, could not be restored, or was not confirmed; 2: nothing was done.

Examples:
  plimsoll checkpoint create -m 'parser works'
  plimsoll checkpoint list
  plimsoll checkpoint restore 1116-153052-7f3a src
  plimsoll checkpoint copies src/main.rs
  plimsoll checkpoint restore copy-7f3a21b4";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// As JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the checkpoints of this worktree, the newest first.
    List,
    /// Show one: when and why it was taken, and what it leaves out.
    Show {
        /// Its id, or as much of it as is unique.
        id: String,
    },
    /// Take one now.
    Create {
        /// What it is for.
        #[arg(short, long, value_name = "WORDS")]
        message: Option<String>,
    },
    /// List copies of single files, taken before tool calls wrote or deleted them, the newest first.
    Copies {
        /// Only of these files and folders.
        #[arg(value_name = "PATH")]
        paths: Vec<Utf8PathBuf>,
    },
    /// Go back to one, or bring a copy back.
    Restore(Restore),
    /// Forget what is over its time and pack the store; for a person at a terminal.
    Prune,
}

#[derive(clap::Args)]
struct Restore {
    /// Its id, or as much of it as is unique.
    id: String,
    /// Only these files and folders; without any, all below the current directory.
    #[arg(value_name = "PATH")]
    paths: Vec<Utf8PathBuf>,
    /// Also over what others changed since; for a person at a terminal.
    #[arg(long)]
    force: bool,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
}

#[derive(clap::Args)]
pub(crate) struct Undo {
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    let json = arguments.json;
    match arguments.command {
        Command::List => list(&scene, json),
        Command::Show { id } => show(&scene, &id, json),
        Command::Copies { paths } => copies(&scene, &paths, json),
        Command::Create { message } => create(&scene, message, json),
        Command::Restore(restore) => self::restore(&scene, &restore, json),
        Command::Prune => prune(&scene, json),
    }
}

fn list(scene: &Scene, json: bool) -> Result<ExitCode, Failure> {
    let checkpoints = checkpoints::list(scene)?;
    if json {
        anstream::println!("{}", serde_json::to_string_pretty(&checkpoints)?);
    } else {
        anstream::print!("{}", CheckpointList { checkpoints: &checkpoints, now: clock::milliseconds() });
    }
    for problem in checkpoints::unreadable(scene)? {
        eprintln!("warning: a checkpoint cannot be read: {}", printable(&problem));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(scene: &Scene, id: &str, json: bool) -> Result<ExitCode, Failure> {
    let (checkpoint, surroundings) = checkpoints::surroundings(scene, id)?;
    if json {
        let shown = json!({"checkpoint": checkpoint, "surroundings": surroundings});
        anstream::println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        let taken = clock::moment(checkpoint.time);
        let shown = CheckpointText { checkpoint: &checkpoint, surroundings: &surroundings, taken: &taken };
        anstream::print!("{shown}");
    }
    Ok(ExitCode::SUCCESS)
}

fn copies(scene: &Scene, paths: &[Utf8PathBuf], json: bool) -> Result<ExitCode, Failure> {
    let paths = if paths.is_empty() { Vec::new() } else { wanted(scene, paths)? };
    let copies = checkpoints::copies(scene, &paths)?;
    if json {
        anstream::println!("{}", serde_json::to_string_pretty(&copies)?);
        return Ok(ExitCode::SUCCESS);
    }
    let now = clock::milliseconds();
    for copy in &copies {
        let line = copy_line(&copy.id, &copy.path.to_string(), now.saturating_sub(copy.time));
        anstream::println!("{line}");
    }
    if copies.is_empty() {
        anstream::println!("No copy of a single file is kept here.");
    }
    Ok(ExitCode::SUCCESS)
}

fn create(scene: &Scene, message: Option<String>, json: bool) -> Result<ExitCode, Failure> {
    let session = Invocation::read().session_id.unwrap_or_default();
    let shows = std::io::stderr().is_terminal();
    let tell = |progress: &Progress| {
        if shows {
            eprint!("\r{} of {} files", progress.files, progress.of);
        }
    };
    let taken = checkpoints::take_and_tell(scene, &session, Why::Person(message), &tell);
    if shows {
        eprint!("\r\x1b[K");
    }
    let taken = taken?;
    if json {
        let told =
            json!({"id": taken.id, "tree": taken.tree, "reused": taken.reused, "left_out": taken.left_out});
        anstream::println!("{told:#}");
        return Ok(ExitCode::SUCCESS);
    }
    match taken.reused {
        true => anstream::println!("Nothing changed since checkpoint {}; it stands.", taken.id),
        false => anstream::println!("Checkpoint {}", taken.id),
    }
    if taken.left_out > 0 {
        anstream::println!(
            "{} paths are left out; `plimsoll checkpoint show {}` names them.",
            taken.left_out,
            taken.id
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn restore(scene: &Scene, restore: &Restore, json: bool) -> Result<ExitCode, Failure> {
    let invocation = Invocation::read();
    if restore.force {
        invocation.person()?;
    }
    let how = How { force: restore.force, paths: wanted(scene, &restore.paths)? };
    let session = invocation.session_id.as_deref();
    if checkpoints::is_copy(&restore.id) {
        let plan = checkpoints::plan_copy(scene, &restore.id)?;
        if !confirmed(&plan, restore.force, restore.yes, json)? {
            return Ok(ExitCode::from(1));
        }
        return tell(&checkpoints::restore_copy(scene, session, &restore.id, restore.force)?, json);
    }
    let plan = how.plan(scene, session, &restore.id)?;
    if !confirmed(&plan, restore.force, restore.yes, json)? {
        return Ok(ExitCode::from(1));
    }
    tell(&checkpoints::restore(scene, session, &restore.id, how)?, json)
}

pub(crate) fn undo(arguments: &Undo) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    let plan = checkpoints::plan_undo(&scene)?;
    if !confirmed(&plan, false, arguments.yes, arguments.json)? {
        return Ok(ExitCode::from(1));
    }
    tell(&checkpoints::undo(&scene)?, arguments.json)
}

fn prune(scene: &Scene, json: bool) -> Result<ExitCode, Failure> {
    Invocation::read().person()?;
    let pruned = checkpoints::prune(scene)?;
    if json {
        anstream::println!("{}", serde_json::to_string_pretty(&pruned)?);
    } else {
        let kib = |bytes: u64| bytes.div_ceil(1024);
        anstream::println!(
            "{} checkpoints forgotten, {} kept; the store was {} KiB and is {} KiB.",
            pruned.forgotten,
            pruned.left,
            kib(pruned.bytes_before),
            kib(pruned.bytes)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the plan; asks where somebody can answer.
fn confirmed(plan: &Plan, force: bool, yes: bool, json: bool) -> Result<bool, Failure> {
    if json {
        eprint!("{}", RestorePlan { plan, force });
    } else {
        anstream::print!("{}", RestorePlan { plan, force });
    }
    let nothing = plan.doing(force).next().is_none() && plan.folders.is_empty();
    if yes || nothing {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        eprintln!("Nothing was done. Add --yes to do it; `plimsoll undo` takes it back.");
        return Ok(false);
    }
    eprint!("Do this? [y/N] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn tell(restored: &Restored, json: bool) -> Result<ExitCode, Failure> {
    if json {
        let mut told = serde_json::to_value(restored)?;
        if let Some(told) = told.as_object_mut() {
            told.insert("not_covered".into(), NOT_COVERED.into());
        }
        anstream::println!("{told:#}");
    } else if let Some(before) = &restored.before {
        anstream::println!(
            "Restored {}: {} written, {} removed, {} permissions set. What was there before is checkpoint {before}; `plimsoll undo` goes back to it.",
            restored.checkpoint,
            restored.written,
            restored.removed,
            restored.permissions
        );
    }
    for (path, why) in &restored.failed {
        eprintln!("error: {path} was not restored: {}", printable(why));
    }
    let clean = restored.kept.is_empty() && restored.failed.is_empty();
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Paths as typed, relative to the project; none in a folder of it: that folder.
fn wanted(scene: &Scene, paths: &[Utf8PathBuf]) -> Result<Vec<GitPath>, Failure> {
    let here = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| format!("the path {} is not valid UTF-8", path.display()))?;
    let here = here.canonicalize_utf8()?;
    let top = checkpoints::worktree(scene)?;
    let typed: Vec<Utf8PathBuf> = match paths {
        [] if here == top => return Ok(Vec::new()),
        [] => vec![here.clone()],
        paths => paths.iter().map(|path| tidy(&here.join(path))).collect(),
    };
    let relative = |path: &Utf8PathBuf| match path.strip_prefix(&top) {
        Ok(inside) => Ok(GitPath::new(inside.as_str())),
        Err(_) => Err(format!("{path} lies outside of {top}")),
    };
    Ok(typed.iter().map(relative).collect::<Result<_, _>>()?)
}

/// Without `.` and `..`; what is restored need not exist.
fn tidy(path: &Utf8Path) -> Utf8PathBuf {
    let mut tidy = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." => drop(tidy.pop()),
            name => tidy.push(name),
        }
    }
    tidy
}
