//! Where an installation goes: one project, or everything of the user.

use super::actions::Error;
use super::record::InstallFolder;
use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use std::io;

#[derive(clap::Args)]
pub(crate) struct PlaceOptions {
    /// The project. Default: the git project of the current directory.
    #[arg(long, value_name = "DIR", conflicts_with = "user")]
    project: Option<Utf8PathBuf>,
    /// All your projects: CLAUDE_CONFIG_DIR or ~/.claude.
    #[arg(long)]
    user: bool,
}

pub(crate) struct Place {
    /// `None` for a user.
    pub(crate) project: Option<Utf8PathBuf>,
    pub(crate) claude: Utf8PathBuf,
    pub(crate) record: InstallFolder,
}

impl Place {
    pub(crate) fn of(options: &PlaceOptions, environment: &Environment) -> Result<Self, CommandError> {
        if options.user {
            return Ok(Self::at(None, environment.claude_home.clone(), environment)?);
        }
        let named = match &options.project {
            Some(directory) => directory.clone(),
            None => Workspace::here()?.project,
        };
        if !named.is_dir() {
            return Err(Error::NotADirectory(named).into());
        }
        let project = named.canonicalize_utf8()?;
        if environment.home.canonicalize_utf8().is_ok_and(|home| home == project) {
            return Err(Error::HomeIsNoProject.into());
        }
        if project.as_str().contains('\n') {
            return Err(Error::LineBreak(project).into());
        }
        let claude = project.join(".claude");
        Ok(Self::at(Some(project), claude, environment)?)
    }

    /// Every installation that is recorded.
    pub(crate) fn all(environment: &Environment) -> io::Result<Vec<Self>> {
        let recorded = InstallFolder::all(&environment.data_home)?;
        let place = |(record, claude): (InstallFolder, Utf8PathBuf)| {
            let project =
                (claude != environment.claude_home).then(|| claude.parent().map(Utf8Path::to_owned));
            Self { project: project.flatten(), claude, record }
        };
        Ok(recorded.into_iter().map(place).collect())
    }

    fn at(project: Option<Utf8PathBuf>, claude: Utf8PathBuf, environment: &Environment) -> io::Result<Self> {
        let record = InstallFolder::of(&environment.data_home, &claude)?;
        Ok(Self { project, claude, record })
    }

    pub(crate) fn settings(&self) -> Utf8PathBuf {
        self.claude.join("settings.json")
    }

    /// The project with its repository; `None` for a user, or without a repository.
    pub(crate) fn workspace(&self) -> Result<Option<Workspace>, CommandError> {
        match &self.project {
            Some(project) => Ok(Workspace::here()?.of_directory(project)?),
            None => Ok(None),
        }
    }
}
