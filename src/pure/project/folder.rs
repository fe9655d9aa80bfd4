//! One folder of a project: its files and manifests.

use super::json_comments::without_comments;
use super::manifests::{Manifest, Manifests, joined};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// `None` if the file is absent.
pub(super) type FolderReader<T> = Option<Result<T, String>>;

#[derive(Debug, Clone)]
pub(super) struct ProjectFolder<'a> {
    manifests: &'a Manifests,
    pub(super) path: String,
}

impl<'a> ProjectFolder<'a> {
    pub(super) fn new(manifests: &'a Manifests, path: String) -> Self {
        Self { manifests, path }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.manifests.files().contains(&joined(&self.path, name))
    }

    pub(super) fn first_of(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.has(name))
    }

    pub(super) fn has_folder(&self, name: &str) -> bool {
        self.below(name).next().is_some()
    }

    /// Paths of all files in a folder of this one, relative to that; `""` is this folder itself.
    pub(super) fn below(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let path = if name.is_empty() { self.path.clone() } else { joined(&self.path, name) };
        let prefix = if path.is_empty() { path } else { path + "/" };
        let files: &'a BTreeSet<String> = self.manifests.files();
        let start = files.range(prefix.clone()..).map(String::as_str);
        start.map_while(move |path| path.strip_prefix(prefix.as_str()))
    }

    /// Names of the files that lie directly in a folder of this one.
    pub(super) fn names(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.below(name).filter(|path| !path.contains('/'))
    }

    pub(super) fn has_local(&self, name: &str) -> bool {
        self.manifests.is_local(&joined(&self.path, name))
    }

    pub(super) fn text(&self, name: &str) -> FolderReader<&'a str> {
        Some(match self.manifests.text(&joined(&self.path, name))? {
            Manifest::Text(text) => Ok(text.trim_start_matches('\u{feff}')),
            Manifest::Unreadable(reason) => Err(reason.clone()),
        })
    }

    /// Whether a manifest is there and holds this text.
    pub(super) fn says(&self, name: &str, text: &str) -> bool {
        matches!(self.text(name), Some(Ok(whole)) if whole.contains(text))
    }

    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> FolderReader<T> {
        self.parsed(name, |text| serde_json::from_str(text).map_err(|error| error.to_string()))
    }

    /// JSON as editors' tools write it, with comments and trailing commas.
    pub(super) fn json_with_comments<T: DeserializeOwned>(&self, name: &str) -> FolderReader<T> {
        let parse = |text: &str| serde_json::from_str(&without_comments(text));
        self.parsed(name, |text| parse(text).map_err(|error| error.to_string()))
    }

    pub(super) fn yaml<T: DeserializeOwned>(&self, name: &str) -> FolderReader<T> {
        self.parsed(name, |text| serde_saphyr::from_str(text).map_err(|error| error.to_string()))
    }

    pub(super) fn toml(&self, name: &str) -> FolderReader<toml::Table> {
        self.parsed(name, |text| text.parse().map_err(|error: toml::de::Error| error.message().to_string()))
    }

    fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Result<T, String>) -> FolderReader<T> {
        Some(self.text(name)?.and_then(parse))
    }
}
