//! `plimsoll install --managed`: for every user of a machine, by its administrator.
//!
//! Programs and settings lie where users cannot write. The settings are a file of ours beside those of the administrator.

use super::actions::Actions;
use super::install::refuse_conflicts;
use super::laid_files::{Changed, lay_down, take_back_all, take_back_others};
use super::place::Place;
use super::programs::Programs;
use super::record::{InstallFolder, ignore_missing};
use super::refuse_agent;
use super::settings_file::{FileChange, SettingsFile};
use crate::{CommandError, CommandResult};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::failure::Refused;
use plimsoll::edge::config::ManagedPlaces;
use plimsoll::edge::state::Lock;
use plimsoll::pure::client::registration::{Form, add_managed, remove_managed};
use plimsoll::pure::sandbox::shared_entries;
use rustix::fs::{Access, Mode, access};
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, os::unix};

const BACKUP: &str = "plimsoll-backup";
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sandbox {
    On,
    AsItIs,
}

pub(super) struct Managed {
    places: ManagedPlaces,
    place: Place,
    /// Where the programs lie; in an image another path than the one that the settings name.
    programs: Utf8PathBuf,
}

impl Managed {
    pub(super) fn at(root: Option<&Utf8Path>) -> Self {
        let places = root.map_or_else(ManagedPlaces::of_system, ManagedPlaces::below);
        let programs = places.real(&places.programs);
        let record = InstallFolder::at(programs.join("installed/managed"));
        let place = Place { project: None, claude: places.claude(), record };
        Self { places, place, programs }
    }

    pub(super) fn install(
        &self,
        programs: &Programs,
        sandbox: Sandbox,
        force: bool,
        actions: &Actions,
    ) -> CommandResult {
        refuse_agent(actions)?;
        programs.check()?;
        refuse_conflicts(&self.place, false, force)?;
        self.change(sandbox)?;
        self.require_rights(actions)?;
        // Everybody has to be able to start the programs and to read the settings.
        rustix::process::umask(Mode::WGRP | Mode::WOTH);
        let _lock = self.lock(actions)?;
        programs.install(&self.programs, actions)?;
        actions.quietly(&format!("make {}", self.place.claude), || {
            self.place.record.begin(&self.place.claude)?;
            self.place.record.make_directory(&self.place.claude)
        })?;
        lay_down(&self.place, false, Changed::Replace, actions)?;
        self.write_settings(sandbox, actions)?;
        take_back_others(&self.place, false, actions)?;
        self.link(actions)?;
        if !actions.dry_run {
            actions.print(
                "next: start a new Claude Code session, then run `plimsoll doctor` in its project: it tells whether the client \
                 runs these hooks. Each user enrols their repositories: plimsoll enrol",
            );
        }
        Ok(ExitCode::SUCCESS)
    }

    pub(super) fn uninstall(&self, actions: &Actions) -> CommandResult {
        let settings = self.places.settings();
        if !settings.exists() && !self.programs.exists() {
            actions.print("Plimsoll has no managed installation here");
            return Ok(ExitCode::SUCCESS);
        }
        self.require_rights(actions)?;
        let lock = self.lock(actions)?;
        let file = SettingsFile::with_backup(&settings, BACKUP)?;
        let change = file.restored(|text, before| remove_managed(text, before, &shared_entries()))?;
        match change {
            FileChange::Nothing => {}
            FileChange::Write(_) | FileChange::Delete => {
                actions.act(&format!("remove the hooks from {settings}"), || Ok(file.take_out(&change)?))?;
            }
        }
        take_back_all(&self.place, actions)?;
        let link = self.places.real(&self.places.link);
        if self.is_linked() {
            actions.act(&format!("remove {link}"), || Ok(ignore_missing(fs::remove_file(&link))?))?;
        }
        drop(lock);
        actions.quietly("forget the installation", || Ok(self.place.record.end()?))?;
        actions.act(&format!("delete {}", self.programs), || {
            Ok(ignore_missing(fs::remove_dir_all(&self.programs))?)
        })?;
        actions.print(
            "note: repositories that users enrolled with these programs refuse every push until `plimsoll install` or \
             `plimsoll enrol --remove` in them",
        );
        Ok(ExitCode::SUCCESS)
    }

    fn write_settings(&self, sandbox: Sandbox, actions: &Actions) -> Result<(), CommandError> {
        let path = self.places.settings();
        let (file, change) = self.change(sandbox)?;
        if let FileChange::Nothing = change {
            return Ok(());
        }
        actions.act(&format!("register the hooks for every user in {path}"), || {
            if let Some(folder) = path.parent() {
                self.place.record.make_directory(folder)?;
            }
            Ok(file.put_part_in(&change)?)
        })
    }

    fn change(&self, sandbox: Sandbox) -> Result<(SettingsFile, FileChange), CommandError> {
        let file = SettingsFile::with_backup(&self.places.settings(), BACKUP)?;
        let form = Form::Binaries(self.places.hooks().into_string());
        let entries = (sandbox == Sandbox::On).then(shared_entries);
        let change = file.edited(|text| add_managed(text, &form, entries.as_ref()))?;
        Ok((file, change))
    }

    /// A user's own `plimsoll` of that name is kept.
    fn link(&self, actions: &Actions) -> Result<(), CommandError> {
        let (link, target) = (self.places.real(&self.places.link), self.places.programs.join("bin/plimsoll"));
        if self.is_linked() {
            return Ok(());
        }
        if link.symlink_metadata().is_ok() {
            actions.print(&format!("kept: {link} is not ours; the managed program is {target}"));
            return Ok(());
        }
        actions.act(&format!("link {link} to {target}"), || {
            if let Some(folder) = link.parent() {
                self.place.record.make_directory(folder)?;
            }
            Ok(unix::fs::symlink(&target, &link)?)
        })
    }

    fn is_linked(&self) -> bool {
        let link = self.places.real(&self.places.link);
        fs::read_link(link).is_ok_and(|leads| leads == self.places.programs.join("bin/plimsoll"))
    }

    /// Before anything is changed: half an installation helps nobody.
    fn require_rights(&self, actions: &Actions) -> Result<(), CommandError> {
        if actions.dry_run {
            return Ok(());
        }
        let link = self.places.real(&self.places.link);
        for path in [&self.programs, &self.place.claude, &self.places.settings(), &link] {
            let Some(existing) = path.ancestors().skip(1).find(|folder| folder.is_dir()) else { continue };
            if access(existing.as_std_path(), Access::WRITE_OK).is_err() {
                return Err(Refused(format!(
                    "you may not write to {existing}: only an administrator can install for every user, nothing was changed; run \
                     the same command with sudo, or install for yourself with --user"
                ))
                .into());
            }
        }
        Ok(())
    }

    fn lock(&self, actions: &Actions) -> Result<Option<Lock>, CommandError> {
        if actions.dry_run {
            return Ok(None);
        }
        let path = self.programs.join("install.lock");
        match Lock::acquire_within(&path, PATIENCE)? {
            None => Err(plimsoll::edge::state::Error::Busy { path }.into()),
            lock => Ok(lock),
        }
    }
}
