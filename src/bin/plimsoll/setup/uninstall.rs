//! `plimsoll uninstall`: takes back what `plimsoll install` put there, and nothing else.

use super::actions::Actions;
use super::laid_files::take_back_all;
use super::managed::Managed;
use super::place::{Place, PlaceOptions};
use super::{link, lock, own_files, refuse_agent, registration};
use crate::{CommandError, CommandResult, require_person, sandbox};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::gate::enrolment;
use plimsoll::app::sandbox::BACKUP;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::state::{Enrolment, Homes};
use std::fs;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    place: PlaceOptions,
    /// Take back what `install --managed` put on this machine. Nothing of a user is touched.
    #[arg(long, conflicts_with_all = ["project", "user", "purge"])]
    managed: bool,
    /// With --managed: from the image of a system that has this folder as its root.
    #[arg(long, value_name = "DIR", requires = "managed")]
    root: Option<Utf8PathBuf>,
    /// Delete reviews, keys and programs too.
    #[arg(long)]
    purge: bool,
    /// Print every action, change nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn uninstall(arguments: &Uninstall) -> CommandResult {
    let environment = Environment::read_at_home()?;
    let actions = Actions::new(arguments.dry_run, &environment);
    refuse_agent(&actions)?;
    if arguments.managed {
        return Managed::at(arguments.root.as_deref()).uninstall(&actions);
    }
    let place = Place::of(&arguments.place, &environment)?;
    let workspace = place.workspace()?;
    let installed = place.record.path("place").exists() || registration::is_there(&place);
    let _lock = lock(&environment, &actions)?;
    let sharing = others_in_repository(&place, workspace.as_ref(), &environment)?;
    if let Some(workspace) = &workspace {
        release(workspace, &sharing, &actions)?;
        if place.claude.join(format!("settings.local.json.{BACKUP}")).exists() {
            actions.act("switch the sandbox off", || sandbox::off(workspace).map(drop))?;
        }
    }
    registration::remove(&place, &actions)?;
    if let Some(project) = &place.project {
        own_files::release(&place, project, workspace.as_ref(), &actions)?;
    }
    take_back_all(&place, &actions)?;
    let common = workspace.and_then(|workspace| workspace.repo).map(|repo| repo.common_dir);
    if arguments.purge && place.project.is_some() {
        for folder in [place.claude.join("state"), place.claude.join("logs")] {
            delete_folder(&folder, &actions)?;
        }
        if let (Some(common), true) = (&common, sharing.is_empty()) {
            delete_folder(&common.join("plimsoll"), &actions)?;
        }
    }
    actions.quietly("forget the installation", || Ok(place.record.end()?))?;
    let others: Vec<Utf8PathBuf> = Place::all(&environment)?
        .into_iter()
        .map(|other| other.claude)
        .filter(|other| *other != place.claude)
        .collect();
    if others.is_empty() {
        link::remove(&environment, &actions)?;
    }
    match arguments.purge {
        true => purge_data(&environment, others, common.as_deref(), &actions)?,
        false if installed => actions.print(&format!(
            "kept: programs and keys in {}, and the project's reviews (--purge deletes them)",
            environment.data_home
        )),
        false => actions.print(&format!("Plimsoll is not installed in {}", place.claude)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Other installations in worktrees or folders of the same repository.
fn others_in_repository(
    place: &Place,
    workspace: Option<&Workspace>,
    environment: &Environment,
) -> Result<Vec<Utf8PathBuf>, CommandError> {
    let Some(repo) = workspace.and_then(|workspace| workspace.repo.as_ref()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for other in Place::all(environment)?.into_iter().filter(|other| other.claude != place.claude) {
        let there = other.workspace().ok().flatten().and_then(|workspace| workspace.repo);
        if there.is_some_and(|there| there.common_dir == repo.common_dir) {
            found.push(other.claude);
        }
    }
    Ok(found)
}

/// Only a person ends an enrolment. Another installation in the same repository keeps it.
fn release(workspace: &Workspace, shared: &[Utf8PathBuf], actions: &Actions) -> Result<(), CommandError> {
    if let Some(other) = shared.first() {
        outln!("kept: the enrolment of the repository, because Plimsoll is also installed in {other}");
        return Ok(());
    }
    if matches!(workspace.enrolment(), Ok(None)) {
        return Ok(());
    }
    if !actions.dry_run {
        let project = workspace.shown(&workspace.project);
        require_person(&format!("This ends the enrolment of {project}: pushes are no longer judged."))?;
    }
    actions.act(&format!("release {} from the gate", workspace.project), || enrolment::remove(workspace))
}

/// Without the programs, the hook of a repository that is still enrolled would refuse every push.
fn purge_data(
    environment: &Environment,
    mut serves: Vec<Utf8PathBuf>,
    own: Option<&Utf8Path>,
    actions: &Actions,
) -> Result<(), CommandError> {
    let enrolled = Enrolment::repositories(&Homes::new(&environment.data_home))?;
    serves.extend(enrolled.into_iter().filter(|common| Some(common.as_path()) != own && common.is_dir()));
    if serves.is_empty() {
        delete_folder(&environment.data_home, actions)?;
        return delete_folder(&environment.state_home, actions);
    }
    outln!("kept: {}, because it still serves", environment.data_home);
    for path in serves {
        outln!("  {path}");
    }
    outln!("  next: plimsoll uninstall for each, or plimsoll enrol --remove in it");
    Ok(())
}

fn delete_folder(folder: &Utf8Path, actions: &Actions) -> Result<(), CommandError> {
    match folder.is_dir() {
        true => actions.act(&format!("delete {folder}"), || Ok(fs::remove_dir_all(folder)?)),
        false => Ok(()),
    }
}
