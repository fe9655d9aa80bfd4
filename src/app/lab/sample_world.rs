//! A home directory and a repository to try steps out in: with work that would be lost, with files that nobody would
//! miss, and with nothing of the real user in it.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::Environment;
use crate::edge::git;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Worlds that somebody interrupted are left behind; after this time nobody uses them any more.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 60 * 60);
const PREFIX: &str = "world-";

/// In the home directory: what every user has, and what nobody should read or lose.
const HOME: [(&str, &str); 15] = [
    (".gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.invalid\n"),
    (".bashrc", "alias ll='ls -l'\n"),
    (".profile", "umask 022\n"),
    (".ssh/id_rsa", "a key, as far as anybody here knows\n"),
    (".ssh/id_rsa.pub", "its public half\n"),
    (".ssh/known_hosts", "example.invalid ssh-ed25519 AAAA\n"),
    (".aws/credentials", "[default]\n"),
    (".kube/config", "apiVersion: v1\n"),
    (".docker/config.json", "{}\n"),
    (".npmrc", "fund=false\n"),
    (".config/tides/settings.toml", "unit = \"metre\"\n"),
    // Nothing can be lost here.
    (
        ".config/plimsoll/review-config.yaml",
        "interventions: {checkpoint_rollback: {before_changes: false}}\n",
    ),
    ("Documents/letter.odt", "Dear harbour master\n"),
    ("Pictures/pier.jpg", "a pier\n"),
    ("projects/lighthouse/lamp.c", "int lamp;\n"),
];
/// Committed and pushed.
const TRACKED: [(&str, &str); 9] = [
    (".gitignore", "build/\ndist/\nnode_modules/\ntarget/\n.env\n*.sqlite\n*.log\n"),
    ("Makefile", "all:\n\tcc -o build/harbour src/tide.c\n\nclean:\n\trm -rf build\n"),
    ("package.json", "{\"name\": \"harbour\", \"scripts\": {\"test\": \"node --test\"}}\n"),
    ("src/tide.c", "int tide;\n"),
    ("src/quay.c", "int quay;\n"),
    ("src/berth/crane.c", "int crane;\n"),
    ("docs/chart.md", "# Chart\n"),
    ("docs/logbook.md", "# Logbook\n"),
    ("scripts/survey.sh", "#!/bin/sh\nwc -l src/*.c\n"),
];
/// Changed or made since, and nowhere else.
const WORK: [(&str, &str); 6] = [
    ("src/quay.c", "int quay = 2;\n"),
    ("docs/logbook.md", "# Logbook\n\nToday.\n"),
    ("src/berth/rope.c", "int rope;\n"),
    ("drafts/pilot.md", "# Pilot\n"),
    ("drafts/buoys/red.md", "# Red\n"),
    ("soundings.csv", "1,2\n"),
];
/// Ignored: some can be made again, some cannot.
const IGNORED: [(&str, &str); 6] = [
    ("build/harbour", "binary\n"),
    ("dist/harbour.js", "0\n"),
    ("node_modules/knots/index.js", "0\n"),
    ("target/debug/harbour", "binary\n"),
    (".env", "PORT=8080\n"),
    ("harbour.sqlite", "data\n"),
];

/// Where a world is and what is in it. It goes when this is dropped.
pub struct SampleWorld {
    root: Utf8PathBuf,
    directory: tempfile::TempDir,
}

/// The places in a world that already stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldPlaces {
    pub home: Utf8PathBuf,
    pub project: Utf8PathBuf,
}

impl WorldPlaces {
    pub(crate) fn in_world(root: &Utf8Path) -> Self {
        let home = root.join("home");
        Self { project: home.join("projects/harbour"), home }
    }

    /// For a program that was started in a world. What hooks write must stay in there: in a real project, steps and
    /// prompts that are only played would count as real ones.
    pub fn enter(root: &Utf8Path) -> Result<Self, Failure> {
        let places = Self::in_world(root);
        let workspace = Workspace::of_event(places.project.as_str())?;
        let Environment { home, data_home, config_home, state_home, claude_home, .. } =
            &workspace.environment;
        let written = [home, data_home, config_home, state_home, claude_home, &workspace.project];
        let apart = root.canonicalize_utf8().is_ok_and(|real| real == root)
            && workspace.project == places.project
            && written
                .into_iter()
                .map(Utf8PathBuf::as_path)
                .chain([workspace.layout.root()])
                .all(|path| path.starts_with(root));
        if apart {
            Ok(places)
        } else {
            Err(format!("{root} is no sample world, or not the one around this program").into())
        }
    }
}

impl SampleWorld {
    /// Beside our state: not in a temporary directory, where nothing that is lost would matter, and not in our own, which
    /// no step may name.
    pub fn build(environment: &Environment) -> Result<Self, Failure> {
        let worlds = environment.state_home.with_file_name("sample-worlds");
        fs::create_dir_all(&worlds)
            .map_err(|error| format!("no sample world can be made in {worlds}: {error}"))?;
        remove_left_behind(&worlds);
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&worlds)?;
        let root = Utf8PathBuf::try_from(directory.path().canonicalize()?)?;
        let world = Self { root, directory };
        world.furnish()?;
        Ok(world)
    }

    /// Takes it down.
    pub fn end(self) -> Result<(), Failure> {
        let worlds = self.directory.path().parent().map(std::path::Path::to_owned);
        self.directory.close()?;
        // The last one out; others may still be at work.
        let _ = worlds.map(fs::remove_dir);
        Ok(())
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// All that a program sees of its surroundings which is to believe that it lives here.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let WorldPlaces { home, project } = WorldPlaces::in_world(&self.root);
        vec![("HOME", home.into_string()), ("CLAUDE_PROJECT_DIR", project.into_string())]
    }

    fn furnish(&self) -> Result<(), Failure> {
        let WorldPlaces { home, project } = WorldPlaces::in_world(&self.root);
        write(&home, &HOME)?;
        fs::create_dir_all(home.join("Downloads"))?;
        write(&project, &TRACKED)?;
        let git = |arguments: &str| git(&home, &project, arguments);
        git("init --quiet --bare --initial-branch=main ../harbour-remote.git")?;
        git("init --quiet --initial-branch=main")?;
        git("remote add origin ../harbour-remote.git")?;
        git("add --all")?;
        git("commit --quiet --message=Begin")?;
        git("push --quiet --set-upstream origin main")?;
        git("switch --quiet --create dredging")?;
        write(&project, &[("src/silt.c", "int silt;\n")])?;
        git("add --all")?;
        git("commit --quiet --message=Dredge")?;
        git("switch --quiet main")?;
        write(&project, &[("src/tide.c", "int tide = 1;\n")])?;
        git("stash push --quiet")?;
        write(&project, &WORK)?;
        write(&project, &IGNORED)
    }
}

fn write(folder: &Utf8Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    for (name, content) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, content)?;
    }
    Ok(())
}

fn git(home: &Utf8Path, project: &Utf8Path, arguments: &str) -> Result<(), Failure> {
    let path = Environment::variables().into_iter().find(|(name, _)| name == "PATH");
    let output =
        Command::new(git::program(project).map_err(|error| format!("git cannot be started: {error}"))?)
            .args(arguments.split(' '))
            .current_dir(project)
            .env_clear()
            .envs(path)
            .env("HOME", home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`git {arguments}` failed in the sample world: {}", String::from_utf8_lossy(&output.stderr))
        .into())
}

/// Only what carries our name and is old; whatever stands in the way is left alone.
fn remove_left_behind(worlds: &Utf8Path) {
    let Ok(entries) = worlds.read_dir_utf8() else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(PREFIX)) {
        let age = entry.metadata().and_then(|metadata| metadata.modified());
        let age = age.ok().and_then(|time| clock::system().duration_since(time).ok());
        if age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
