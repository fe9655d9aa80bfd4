//! The file names of a project, and the texts of its manifests.

use super::ProjectFolder;
use std::collections::{BTreeMap, BTreeSet};

/// Files whose text is needed, in any folder.
const READ: [&str; 35] = [
    "package.json",
    "pnpm-workspace.yaml",
    "turbo.json",
    "turbo.jsonc",
    "nx.json",
    "tsconfig.json",
    "deno.json",
    "deno.jsonc",
    "go.work",
    "pyproject.toml",
    "ruff.toml",
    ".ruff.toml",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    "noxfile.py",
    "requirements.txt",
    "requirements-dev.txt",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "mix.exs",
    "justfile",
    "Justfile",
    ".justfile",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Taskfile.yml",
    "Taskfile.yaml",
    "mise.toml",
    ".mise.toml",
    ".pre-commit-config.yaml",
];
/// Files that mark a folder as a project.
const MARKS: [&str; 16] = [
    "package.json", "deno.json", "deno.jsonc", "Cargo.toml", "go.mod", "go.work", "pyproject.toml",
    "setup.cfg", "setup.py", "requirements.txt", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile",
    "composer.json", "mix.exs",
];
/// Endings of `.NET` project files.
pub(super) const DOTNET: [&str; 5] = [".sln", ".slnx", ".csproj", ".fsproj", ".vbproj"];
/// Folders whose manifests do not mark projects.
const MATERIAL: [&str; 24] = [
    "node_modules", "vendor", "third_party", "dist", "out", "target", "venv", "env", "site-packages", "deps",
    "Pods", "examples", "example", "samples", "fixtures", "__fixtures__", "testdata", "test", "tests",
    "spec", "templates", "template", "docs", "benchmarks",
];
const DEEPEST: usize = 3;
const MOST: usize = 24;
pub(super) const MOON_TASKS: &str = ".moon/tasks.yml";
/// Local tools of a project, in folders that git ignores.
const LOCAL: [&str; 2] = [".venv/bin/python", "venv/bin/python"];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifests {
    files: BTreeSet<String>,
    texts: BTreeMap<String, Manifest>,
    local: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Manifest {
    Text(String),
    Unreadable(String),
}

/// The files that the detection of checks needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WantedManifests {
    /// Files to read.
    pub texts: Vec<String>,
    /// Paths that may be on disk without being part of the content.
    pub local: Vec<String>,
}

impl Manifests {
    /// `texts` and `local` hold the existing files of `wanted`.
    pub fn new(files: BTreeSet<String>, texts: BTreeMap<String, Manifest>, local: BTreeSet<String>) -> Self {
        Self { files, texts, local }
    }

    pub fn wanted(files: &BTreeSet<String>) -> WantedManifests {
        let mut wanted = WantedManifests::default();
        for folder in std::iter::once(String::new()).chain(projects_below(files).into_iter().take(MOST)) {
            let read = READ.iter().chain([&MOON_TASKS]).map(|name| joined(&folder, name));
            wanted.texts.extend(read.filter(|path| files.contains(path)));
            wanted.local.extend(LOCAL.iter().map(|name| joined(&folder, name)));
        }
        wanted
    }

    pub(super) fn root(&self) -> ProjectFolder<'_> {
        ProjectFolder::new(self, String::new())
    }

    /// Folders below the root that look like projects, the nearest first, and the number of further ones.
    pub(super) fn below(&self) -> (Vec<ProjectFolder<'_>>, usize) {
        let all = projects_below(&self.files);
        let more = all.len().saturating_sub(MOST);
        (all.into_iter().take(MOST).map(|path| ProjectFolder::new(self, path)).collect(), more)
    }

    pub(super) fn files(&self) -> &BTreeSet<String> {
        &self.files
    }

    pub(super) fn text(&self, path: &str) -> Option<&Manifest> {
        self.texts.get(path)
    }

    pub(super) fn is_local(&self, path: &str) -> bool {
        self.local.contains(path)
    }
}

pub(super) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.into() } else { format!("{folder}/{name}") }
}

fn projects_below(files: &BTreeSet<String>) -> Vec<String> {
    let folders = files.iter().filter_map(|path| {
        let (folder, name) = path.rsplit_once('/')?;
        let marked = MARKS.contains(&name) || DOTNET.iter().any(|ending| name.ends_with(ending));
        let material = |part: &str| part.starts_with('.') || MATERIAL.contains(&part);
        (marked && folder.split('/').count() <= DEEPEST && !folder.split('/').any(material)).then_some(folder)
    });
    let unique: BTreeSet<(usize, &str)> = folders.map(|folder| (folder.split('/').count(), folder)).collect();
    unique.into_iter().map(|(_, folder)| folder.to_owned()).collect()
}
