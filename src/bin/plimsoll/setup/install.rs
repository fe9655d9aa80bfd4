//! `plimsoll install`: into one project, or for a user.

use super::actions::Actions;
use super::choice::Choice;
use super::laid_files::{Changed, conflicts, lay_down, take_back_others};
use super::managed::{Managed, Sandbox};
use super::place::{Place, PlaceOptions};
use super::programs::Programs;
use super::{link, status_line};
use super::{lock, own_files, refuse_agent, registration};
use crate::output::{Verbosity, verbosity};
use crate::{CommandError, CommandResult, doctor, sandbox};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::failure::Refused;
use plimsoll::app::gate::enrolment;
use plimsoll::app::gate::installed_files::Sharing;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::git;
use plimsoll::edge::repo::is_tracked;
use std::process::ExitCode;

const MORE: &str = "\
Installs the programs into ~/.local/share/plimsoll, the commands, agents and a skill into .claude, and the hooks into
.claude/settings.json. A project is also enrolled with the gate. `plimsoll uninstall` takes all of it back.

Examples:
  plimsoll install --dry-run
  plimsoll install --project ~/work/site
  plimsoll install --user --link
  sudo plimsoll install --managed";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Install {
    #[command(flatten)]
    place: PlaceOptions,
    /// Register the hooks through a launcher that you commit, so that colleagues get them with the project.
    #[arg(long, conflicts_with = "user")]
    shared: bool,
    /// Keep the agent's commands in the client's sandbox. Linux needs bubblewrap and socat.
    #[arg(long, conflicts_with = "user")]
    sandbox: bool,
    /// Replace a command, agent or skill of the same name; yours is kept as NAME.plimsoll-backup.
    #[arg(long)]
    force: bool,
    /// Link plimsoll into ~/.local/bin without asking.
    #[arg(long, conflicts_with = "no_link")]
    link: bool,
    /// Do not offer to link plimsoll into ~/.local/bin.
    #[arg(long)]
    no_link: bool,
    /// Show the gate in Claude Code's status line without asking. Another status line is kept.
    #[arg(long, conflicts_with_all = ["no_statusline", "shared"])]
    statusline: bool,
    /// Do not offer the status line.
    #[arg(long)]
    no_statusline: bool,
    /// Print every action, change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Install for every user of this machine, as its administrator: hooks only from there, and the sandbox on.
    #[arg(long, conflicts_with_all = ["project", "user", "shared", "sandbox", "statusline", "link"])]
    managed: bool,
    /// With --managed: leave the sandbox as it is.
    #[arg(long, requires = "managed")]
    no_sandbox: bool,
    /// With --managed: install into the image of a system that has this folder as its root.
    #[arg(long, value_name = "DIR", requires = "managed")]
    root: Option<Utf8PathBuf>,
    /// The folder with the programs. Default: where this program lies.
    #[arg(long, value_name = "DIR")]
    from: Option<Utf8PathBuf>,
}

impl Install {
    fn link_choice(&self) -> Choice {
        Choice::of(self.link, self.no_link)
    }

    fn status_line_choice(&self) -> Choice {
        // Settings that are committed get no path of this machine.
        Choice::of(self.statusline, self.no_statusline || self.shared)
    }
}

pub(crate) fn install(arguments: &Install) -> CommandResult {
    let environment = Environment::read_at_home()?;
    let actions = Actions::new(arguments.dry_run, &environment);
    if arguments.managed {
        let programs = Programs::from(arguments.from.as_deref())?;
        let sandbox = if arguments.no_sandbox { Sandbox::AsItIs } else { Sandbox::On };
        let managed = Managed::at(arguments.root.as_deref());
        return managed.install(&programs, sandbox, arguments.force, &actions);
    }
    let place = Place::of(&arguments.place, &environment)?;
    let programs = Programs::from(arguments.from.as_deref())?;
    let form = registration::form(arguments.shared, &environment.data_home);
    if arguments.sandbox && place.workspace()?.is_none() {
        return Err(Refused(
            "--sandbox needs a git repository, nothing was changed; run `git init` first".into(),
        )
        .into());
    }
    let check = || {
        refuse_conflicts(&place, arguments.shared, arguments.force)?;
        programs.check()?;
        registration::check(&place, &form)
    };
    // Before the lock too, which is a file: an installation that is refused leaves nothing behind.
    check()?;
    refuse_agent(&actions)?;
    let shows_gate = status_line::is_wanted(arguments.status_line_choice(), &place, &environment, &actions)?;
    let lock = lock(&environment, &actions)?;
    check()?;
    programs.install(&environment.data_home, &actions)?;
    actions.quietly(&format!("make {}", place.claude), || {
        place.record.begin(&place.claude)?;
        place.record.make_directory(&place.claude)
    })?;
    lay_down(&place, arguments.shared, Changed::Replace, &actions)?;
    registration::add(&place, &form, &actions)?;
    if shows_gate {
        status_line::set(&place, &environment, &actions)?;
    }
    take_back_others(&place, arguments.shared, &actions)?;
    if let Some(project) = &place.project {
        install_gate(&place, project, arguments.shared, &actions)?;
        if arguments.sandbox {
            switch_sandbox_on(&place, project, &actions)?;
        }
    }
    if !arguments.dry_run {
        check_result(place.project.as_ref().unwrap_or(&environment.home))?;
    }
    drop(lock);
    link::make(arguments.link_choice(), &environment, &actions)?;
    if !arguments.dry_run && verbosity() > Verbosity::Quiet {
        actions.print(&next_step(&place)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Without a repository, a review would end in an error.
fn next_step(place: &Place) -> Result<String, CommandError> {
    let session = "next: start a new Claude Code session in";
    Ok(match &place.project {
        None => format!(
            "{session} a project and type /review --claude, then /ship; `plimsoll enrol` there lets the gate judge its pushes"
        ),
        Some(project) if place.workspace()?.is_some() => {
            format!("{session} {project} and type /review --claude, then /ship")
        }
        Some(project) => {
            format!("{session} {project}; for reviews and the gate, run `git init` and this command again")
        }
    })
}

/// Files that are not ours are replaced only by force.
pub(super) fn refuse_conflicts(place: &Place, shared: bool, force: bool) -> Result<(), CommandError> {
    let found = if force { Vec::new() } else { conflicts(place, shared)? };
    if found.is_empty() {
        return Ok(());
    }
    let list: String = found.iter().map(|path| format!("\n  {path}")).collect();
    Err(Refused(format!(
        "files of these names are not ours, nothing was changed:{list}\n  \
         next: rename them, or use --force, which keeps each as NAME.plimsoll-backup"
    ))
    .into())
}

fn install_gate(
    place: &Place,
    project: &Utf8Path,
    shared: bool,
    actions: &Actions,
) -> Result<(), CommandError> {
    if git::program(project).is_err() {
        outln!(
            "note: git is not on PATH: tool calls are reviewed, but the gate needs git; run this again with it"
        );
        return Ok(());
    }
    let Some(workspace) = place.workspace()? else {
        actions.print(&format!(
            "note: {project} is not a git repository: tool calls are reviewed, but the ship gate needs git"
        ));
        return Ok(());
    };
    let sharing = if shared { Sharing::Committed } else { Sharing::Private };
    own_files::keep_out(place, project, &workspace, sharing, actions)?;
    if shared {
        outln!("note: colleagues run install.sh --shared once for the programs");
    } else if is_shared_by_git(&workspace, place) {
        outln!(
            "note: .claude/settings.json is tracked by git and now names paths of this machine; --shared avoids that"
        );
    }
    let mut note = None;
    actions.act(&format!("enrol {project} with the gate"), || {
        let hook = enrolment::enrol(&workspace)?;
        note = enrolment::note_on_tracked_hook(&workspace, &hook);
        Ok(())
    })?;
    note.iter().for_each(|note| actions.print(note));
    Ok(())
}

fn switch_sandbox_on(place: &Place, project: &Utf8Path, actions: &Actions) -> Result<(), CommandError> {
    let Some(workspace) = place.workspace()? else { return Ok(()) };
    actions.act(&format!("keep commands in {project} in the sandbox"), || sandbox::on(&workspace).map(drop))
}

/// Whether colleagues get the settings with the project.
fn is_shared_by_git(workspace: &Workspace, place: &Place) -> bool {
    workspace.repo.as_ref().is_some_and(|repo| is_tracked(repo, &place.settings()).unwrap_or(false))
}

fn check_result(directory: &Utf8Path) -> Result<(), CommandError> {
    match doctor::passes(directory)? {
        true => Ok(()),
        false => Err("Plimsoll is installed, but something does not work: follow the fixes above, then run `plimsoll doctor`".into()),
    }
}
