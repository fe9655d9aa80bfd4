//! `plimsoll checkpoint` and `plimsoll undo`.

use crate::{CommandError, CommandResult, confirm, exit_code, print_json, require_person};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::checkpoints::{
    self, CaptureProgress, CheckpointReason, FilePlan, RestoreOptions, Restored,
};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::clock;
use plimsoll::edge::config::HookInvocation;
use plimsoll::pure::report::{CheckpointList, CheckpointText, RestorePlan, copy_line};
use plimsoll::pure::restore::NOT_COVERED;
use plimsoll::pure::review::GitPath;
use plimsoll::pure::text::{counted, printable};
use serde_json::json;
use std::io::IsTerminal;
use std::process::ExitCode;

const MORE: &str = "\
A checkpoint holds every file that git does not ignore, and precious files that it ignores (.env, keys, databases). A
restore shows its plan first, takes a checkpoint of the current files, and changes no commit, branch, index or stash;
`plimsoll undo` undoes it. Without --force, a restore keeps files that others have changed since.

Exit code 0: done; 1: a file was kept or could not be restored, or the restore was not confirmed; 2: nothing was done.

Examples:
  plimsoll checkpoint create -m 'parser works'
  plimsoll checkpoint list
  plimsoll checkpoint diff last
  plimsoll restore last
  plimsoll checkpoint restore 1116-153052-7f3a src
  plimsoll checkpoint copies src/main.rs
  plimsoll checkpoint restore copy-7f3a21b4";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the checkpoints of this worktree, the newest first.
    List,
    /// Show a checkpoint: its time, its reason and the files it leaves out.
    Show {
        /// The checkpoint's ID, a unique beginning of it, or `last`.
        id: String,
    },
    /// Show what changed since a checkpoint, as a diff. Files that hold keys and passwords are named, not shown.
    Diff {
        /// The checkpoint's ID, a unique beginning of it, or `last`.
        id: String,
    },
    /// Create a checkpoint now.
    Create {
        /// A note that `list` shows.
        #[arg(short, long, value_name = "TEXT")]
        message: Option<String>,
    },
    /// List copies of single files that tool calls changed or deleted, the newest first.
    Copies {
        /// List only copies of these files and folders.
        #[arg(value_name = "PATH")]
        paths: Vec<Utf8PathBuf>,
    },
    /// Restore a checkpoint, or a copy of a single file.
    Restore(Restore),
    /// Remove expired checkpoints and pack the store. For a person in a terminal.
    Prune,
}

#[derive(clap::Args)]
pub(crate) struct Restore {
    /// The ID of a checkpoint or copy, a unique beginning of it, or `last` for the newest checkpoint.
    id: String,
    /// Restore only these files and folders. Default: everything below the current directory.
    #[arg(value_name = "PATH")]
    paths: Vec<Utf8PathBuf>,
    /// Overwrite files that others have changed since. For a person in a terminal.
    #[arg(long)]
    force: bool,
    /// Do not ask for confirmation.
    #[arg(short, long)]
    yes: bool,
}

/// `plimsoll restore`, the short form of `plimsoll checkpoint restore`.
#[derive(clap::Args)]
pub(crate) struct ShortRestore {
    #[command(flatten)]
    restore: Restore,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct Undo {
    /// Do not ask for confirmation.
    #[arg(short, long)]
    yes: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let json = arguments.json;
    match arguments.command {
        Command::List => list(&workspace, json),
        Command::Show { id } => show(&workspace, &id, json),
        Command::Diff { id } => diff(&workspace, &id, json),
        Command::Copies { paths } => copies(&workspace, &paths, json),
        Command::Create { message } => create(&workspace, message, json),
        Command::Restore(restore) => self::restore(&workspace, &restore, json),
        Command::Prune => prune(&workspace, json),
    }
}

pub(crate) fn short_restore(arguments: &ShortRestore) -> CommandResult {
    restore(&Workspace::here()?, &arguments.restore, arguments.json)
}

fn list(workspace: &Workspace, json: bool) -> CommandResult {
    let checkpoints = checkpoints::list(workspace)?;
    if json {
        print_json(&checkpoints)?;
    } else {
        out!("{}", CheckpointList { checkpoints: &checkpoints, now: clock::milliseconds() });
    }
    for problem in checkpoints::unreadable(workspace)? {
        errln!("warning: a checkpoint cannot be read: {}", printable(&problem));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(workspace: &Workspace, id: &str, json: bool) -> CommandResult {
    let (checkpoint, surroundings) = checkpoints::surroundings(workspace, id)?;
    if json {
        return print_json(&json!({"checkpoint": checkpoint, "surroundings": surroundings}));
    }
    let taken = clock::moment(checkpoint.time);
    let text = CheckpointText { checkpoint: &checkpoint, surroundings: &surroundings, taken: &taken };
    out!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn diff(workspace: &Workspace, id: &str, json: bool) -> CommandResult {
    const LIMIT: usize = 4 * 1024 * 1024;
    let text = checkpoints::diff_since(workspace, id, LIMIT)?;
    if json {
        return print_json(&json!({"diff": text}));
    }
    if text.is_empty() {
        outln!("Nothing changed since the checkpoint.");
    }
    for line in text.lines() {
        let columns: Vec<String> = line.split('\t').map(printable).collect();
        outln!("{}", columns.join("\t"));
    }
    Ok(ExitCode::SUCCESS)
}

fn copies(workspace: &Workspace, paths: &[Utf8PathBuf], json: bool) -> CommandResult {
    let paths = if paths.is_empty() { Vec::new() } else { relative_paths(workspace, paths)? };
    let copies = checkpoints::copies(workspace, &paths)?;
    if json {
        return print_json(&copies);
    }
    let now = clock::milliseconds();
    for copy in &copies {
        let line = copy_line(&copy.id, &copy.path.to_string(), now.saturating_sub(copy.time));
        outln!("{line}");
    }
    if copies.is_empty() {
        noteln!("No copies of single files.");
    }
    Ok(ExitCode::SUCCESS)
}

fn create(workspace: &Workspace, message: Option<String>, json: bool) -> CommandResult {
    let session = HookInvocation::read().session_id.unwrap_or_default();
    let terminal = std::io::stderr().is_terminal();
    let progress = |progress: &CaptureProgress| {
        if terminal {
            err!("\r{} of {}", progress.files, counted(progress.of, "file"));
        }
    };
    let taken = checkpoints::take_and_tell(workspace, &session, CheckpointReason::Person(message), &progress);
    if terminal {
        err!("\r\x1b[K");
    }
    let taken = taken?;
    if json {
        let (id, tree) = (taken.id, taken.tree);
        return print_json(
            &json!({"id": id, "tree": tree, "reused": taken.reused, "left_out": taken.left_out}),
        );
    }
    match taken.reused {
        true => outln!("Nothing changed since checkpoint {}.", taken.id),
        false => outln!("Checkpoint {}", taken.id),
    }
    if taken.left_out > 0 {
        outln!(
            "Left out: {}; `plimsoll checkpoint show {}` lists them.",
            counted(taken.left_out, "path"),
            taken.id
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn restore(workspace: &Workspace, restore: &Restore, json: bool) -> CommandResult {
    let invocation = HookInvocation::read();
    if restore.force {
        require_person("This overwrites files that others have changed since the checkpoint.")?;
    }
    let options = RestoreOptions { force: restore.force, paths: relative_paths(workspace, &restore.paths)? };
    let session = invocation.session_id.as_deref();
    let is_copy = checkpoints::is_copy(&restore.id);
    let plan = match is_copy {
        true => checkpoints::plan_copy(workspace, &restore.id)?,
        false => options.plan(workspace, session, &restore.id)?,
    };
    if !is_confirmed(&plan, restore.force, restore.yes, json)? {
        return Ok(ExitCode::FAILURE);
    }
    let restored = match is_copy {
        true => checkpoints::restore_copy(workspace, session, &restore.id, restore.force)?,
        false => checkpoints::restore(workspace, session, &restore.id, options)?,
    };
    show_result(&restored, json)
}

pub(crate) fn undo(arguments: &Undo) -> CommandResult {
    let workspace = Workspace::here()?;
    let plan = checkpoints::plan_undo(&workspace)?;
    if !is_confirmed(&plan, false, arguments.yes, arguments.json)? {
        return Ok(ExitCode::FAILURE);
    }
    show_result(&checkpoints::undo(&workspace)?, arguments.json)
}

fn prune(workspace: &Workspace, json: bool) -> CommandResult {
    let project = workspace.shown(&workspace.project);
    require_person(&format!("This removes the expired checkpoints of {project}."))?;
    let pruned = checkpoints::prune(workspace)?;
    if json {
        return print_json(&pruned);
    }
    let [before, after] = [pruned.bytes_before, pruned.bytes].map(|bytes| bytes.div_ceil(1024));
    outln!(
        "{} removed, {} kept; the store was {before} KiB and is {after} KiB.",
        counted(pruned.forgotten, "checkpoint"),
        pruned.left
    );
    Ok(ExitCode::SUCCESS)
}

/// Shows the plan, and asks a person at the terminal.
fn is_confirmed(plan: &FilePlan, force: bool, yes: bool, json: bool) -> Result<bool, CommandError> {
    if json {
        err!("{}", RestorePlan { plan, force });
    } else {
        out!("{}", RestorePlan { plan, force });
    }
    let nothing = plan.doing(force).next().is_none() && plan.folders.is_empty();
    if yes || nothing {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        errln!("Nothing was done. Add --yes to restore; `plimsoll undo` undoes a restore.");
        return Ok(false);
    }
    confirm("Restore these files?")
}

fn show_result(restored: &Restored, json: bool) -> CommandResult {
    if json {
        let mut value = serde_json::to_value(restored)?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("not_covered".into(), NOT_COVERED.into());
        }
        print_json(&value)?;
    } else if let Some(before) = &restored.before {
        outln!(
            "Restored {}: {} written, {} removed, {} permissions set. The files before are checkpoint {before}; `plimsoll undo` restores them.",
            restored.checkpoint,
            restored.written,
            restored.removed,
            restored.permissions
        );
    }
    for (path, why) in &restored.failed {
        errln!("error: {path} was not restored: {}", printable(why));
    }
    Ok(exit_code(restored.kept.is_empty() && restored.failed.is_empty()))
}

/// The given paths relative to the project. Without paths: the current folder, or everything at the top.
fn relative_paths(workspace: &Workspace, paths: &[Utf8PathBuf]) -> Result<Vec<GitPath>, CommandError> {
    let here = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| format!("the path {} is not valid UTF-8", path.display()))?;
    let here = here.canonicalize_utf8()?;
    let top = checkpoints::worktree(workspace)?;
    let typed: Vec<Utf8PathBuf> = match paths {
        [] if here == top => return Ok(Vec::new()),
        [] => vec![here.clone()],
        paths => paths.iter().map(|path| normalize(&here.join(path))).collect(),
    };
    let relative = |path: &Utf8PathBuf| match path.strip_prefix(&top) {
        Ok(inside) => Ok(GitPath::new(inside.as_str())),
        Err(_) => Err(format!("{path} is outside of {top}")),
    };
    Ok(typed.iter().map(relative).collect::<Result<_, _>>()?)
}

/// Resolves `.` and `..` by text, because a path to restore need not exist.
fn normalize(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." => drop(normal.pop()),
            name => normal.push(name),
        }
    }
    normal
}
