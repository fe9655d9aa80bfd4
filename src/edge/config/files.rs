//! Edge: the files of a configuration, each read once and checked.

use super::source::{FILE_NAME, SourceStamp, SourceText};
use super::{Environment, Error, Trust, parse};
use crate::pure::policy::{Effective, Layer, ProjectLayer, Settings, effective};
use camino::{Utf8Path, Utf8PathBuf};

/// The user's file, the project's file, and what a human said about the latter.
#[derive(Debug, Clone)]
pub struct ConfigFiles {
    pub user: Option<Layer>,
    pub project: Option<Layer>,
    /// Where the project's file is or would be.
    pub project_path: Utf8PathBuf,
    pub project_text: Option<String>,
    pub trust: Trust,
    /// The state of every file that went in, missing ones included.
    pub stamps: Vec<SourceStamp>,
}

impl ConfigFiles {
    pub fn read(root: &Utf8Path, environment: &Environment) -> Result<Self, Error> {
        let trust = Trust::of(root, environment);
        let user = SourceText::read(&environment.user_file())?;
        let user_layer = layer(&user)?;
        let moved = user_layer.as_ref().and_then(|layer| layer.get("paths.config_dir")?.as_str());
        let config_dir = moved.map_or_else(|| Settings::default().paths.config_dir, str::to_owned);
        let project = SourceText::read(&root.join(project_file(&config_dir)))?;
        Ok(Self {
            project: layer(&project)?,
            project_path: project.stamp.path.clone(),
            project_text: project.text,
            stamps: vec![user.stamp, project.stamp, trust.stamp.clone()],
            user: user_layer,
            trust,
        })
    }

    /// The settings in force; `base` is the project's file in the commit that a change builds upon.
    pub fn effective(&self, base: Option<&str>) -> Result<Effective, Error> {
        let mut projects = Vec::new();
        if let Some(text) = base {
            let layer = parse("base commit", text).map_err(Error::Invalid)?;
            projects.push(ProjectLayer { layer, trusted: self.trust.covers(text) });
        }
        if let Some((layer, text)) = self.project.as_ref().zip(self.project_text.as_ref()) {
            projects.push(ProjectLayer { layer: layer.clone(), trusted: self.trust.covers(text) });
        }
        effective(self.user.as_ref(), &projects).map_err(Error::Unmergeable)
    }
}

/// The project's file, relative to its root.
pub(crate) fn project_file(config_dir: &str) -> Utf8PathBuf {
    Utf8Path::new(config_dir).join(FILE_NAME)
}

fn layer(source: &SourceText) -> Result<Option<Layer>, Error> {
    let text = source.text.as_deref();
    text.map(|text| parse(source.stamp.path.as_str(), text)).transpose().map_err(Error::Invalid)
}
