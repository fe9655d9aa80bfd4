//! The files that a sandboxed command may not read, and those that it may not write.

use crate::pure::client::registration::SandboxEntries;
use camino::{Utf8Path, Utf8PathBuf};

/// In Plimsoll's data folder: whoever reads or writes these decides what ships. Programs and notes of the installer stay
/// readable.
const AUTHORITY: [&str; 9] =
    ["seal.key", "enrolled", "heads", "trust", "paused", "denied", "outside-reviews", "locks", "checkpoints"];
/// Below `<git-common-dir>/plimsoll`: permissions of a person, and readings under way.
const AUTHORITY_IN_STATE: [&str; 2] = ["grants", "pending"];
/// In the home directory: with any of these a program could push, or act for the user elsewhere.
const CREDENTIALS: [&str; 18] = [
    ".ssh",
    ".git-credentials",
    ".config/git/credentials",
    ".netrc",
    ".config/gh",
    ".config/glab-cli",
    ".config/hub",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".gnupg/private-keys-v1.d",
    ".password-store",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".kube",
    ".docker/config.json",
    ".config/doctl",
    "Library/Keychains",
];
/// In the home directory: read by git or a shell that runs outside.
const CONFIGURATION: [&str; 9] = [
    ".gitconfig", ".config/git", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile",
    ".config/fish",
];
const IN_GIT_FOLDER: [&str; 4] = ["hooks", "config", "config.worktree", "plimsoll"];

/// Where things are for this user and project.
#[derive(Debug, Clone)]
pub struct SandboxPlaces {
    pub home: Utf8PathBuf,
    /// Plimsoll's own folders.
    pub data: Utf8PathBuf,
    pub config: Utf8PathBuf,
    pub state: Utf8PathBuf,
    /// The client's folder of the user.
    pub claude: Utf8PathBuf,
    pub project: Utf8PathBuf,
    pub git: Option<GitPlaces>,
}

/// The files that git reads in this repository.
#[derive(Debug, Clone)]
pub struct GitPlaces {
    pub common_dir: Utf8PathBuf,
    pub hooks: Utf8PathBuf,
    /// Files that its configuration consists of, includes among them.
    pub configuration: Vec<Utf8PathBuf>,
    /// Remotes that are folders of this machine: writing there is a push that nobody judges.
    pub remotes: Vec<Utf8PathBuf>,
}

/// Absolute paths, folders before what lies in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxRules {
    /// In it, paths of the rules that do not exist must not appear.
    pub home: Utf8PathBuf,
    pub hidden: Vec<Utf8PathBuf>,
    pub read_only: Vec<Utf8PathBuf>,
}

pub fn rules(places: &SandboxPlaces) -> SandboxRules {
    let below = |folder: &Utf8Path, names: &[&str]| -> Vec<Utf8PathBuf> {
        names.iter().map(|name| folder.join(name)).collect()
    };
    let mut hidden = below(&places.data, &AUTHORITY);
    hidden.extend(below(&places.home, &CREDENTIALS));
    let mut read_only =
        vec![places.data.clone(), places.config.clone(), places.state.clone(), places.claude.clone()];
    read_only.push(places.project.join(".claude"));
    read_only.extend(below(&places.home, &CONFIGURATION));
    if let Some(git) = &places.git {
        hidden.extend(below(&git.common_dir.join("plimsoll"), &AUTHORITY_IN_STATE));
        read_only.extend(below(&git.common_dir, &IN_GIT_FOLDER));
        read_only.push(git.hooks.clone());
        // A remote around the project would make the project itself read-only.
        let elsewhere = git.remotes.iter().filter(|folder| !places.project.starts_with(folder));
        read_only.extend(git.configuration.iter().chain(elsewhere).cloned());
    }
    SandboxRules { home: places.home.clone(), hidden: in_order(hidden), read_only: in_order(read_only) }
}

/// Entries below the home directory that are the same for every user and project, for settings of the whole machine.
pub fn shared_entries() -> SandboxEntries {
    let home = Utf8PathBuf::from("/home");
    let places = SandboxPlaces {
        data: home.join(".local/share/plimsoll"),
        config: home.join(".config/plimsoll"),
        state: home.join(".local/state/plimsoll"),
        claude: home.join(".claude"),
        project: "/project".into(),
        git: None,
        home,
    };
    let mut entries = rules(&places).entries(&places);
    for list in [&mut entries.deny_read, &mut entries.deny_write] {
        list.retain(|entry| entry.starts_with("~/"));
    }
    entries
}

fn in_order(mut paths: Vec<Utf8PathBuf>) -> Vec<Utf8PathBuf> {
    paths.sort();
    paths.dedup();
    paths
}

impl SandboxRules {
    /// As the client's settings spell them: relative to the project, then to the home directory, then absolute.
    pub fn entries(&self, places: &SandboxPlaces) -> SandboxEntries {
        let spelled = |path: &Utf8PathBuf| match path.strip_prefix(&places.project) {
            Ok(inside) => inside.to_string(),
            Err(_) => match path.strip_prefix(&places.home) {
                Ok(inside) => format!("~/{inside}"),
                Err(_) => path.to_string(),
            },
        };
        // A hidden file need not be read-only, but a folder may appear later: both lists name it.
        SandboxEntries {
            deny_read: self.hidden.iter().map(spelled).collect(),
            deny_write: self.read_only.iter().chain(&self.hidden).map(spelled).collect(),
            excluded: super::OUTSIDE.iter().map(|(command, _)| format!("plimsoll {command}:*")).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> SandboxPlaces {
        let home = Utf8PathBuf::from("/home/ada");
        SandboxPlaces {
            data: home.join(".local/share/plimsoll"),
            config: home.join(".config/plimsoll"),
            state: home.join(".local/state/plimsoll"),
            claude: home.join(".claude"),
            project: home.join("work"),
            git: Some(GitPlaces {
                common_dir: home.join("work/.git"),
                hooks: home.join("work/.husky/_"),
                configuration: vec![home.join("work/.git/config"), "/etc/gitconfig".into()],
                remotes: vec!["/srv/remote.git".into()],
            }),
            home,
        }
    }

    #[test]
    fn the_key_and_what_a_push_needs_are_hidden_and_programs_are_not() {
        let entries = rules(&places()).entries(&places());
        for hidden in
            ["~/.local/share/plimsoll/seal.key", "~/.ssh", "~/.netrc", "~/.config/gh", ".git/plimsoll/grants"]
        {
            assert!(entries.deny_read.iter().any(|entry| entry == hidden), "{hidden}");
        }
        for readable in
            ["~/.local/share/plimsoll", "~/.local/share/plimsoll/bin", "~/.local/share/plimsoll/hooks"]
        {
            assert!(entries.deny_read.iter().all(|entry| entry != readable), "{readable}");
        }
    }

    #[test]
    fn the_entries_for_everybody_name_no_home_and_no_project() {
        let (shared, own) = (shared_entries(), rules(&places()).entries(&places()));
        assert!(shared.deny_read.contains(&"~/.local/share/plimsoll/seal.key".to_owned()));
        for (shared, own) in [(&shared.deny_read, &own.deny_read), (&shared.deny_write, &own.deny_write)] {
            assert!(!shared.is_empty() && shared.iter().all(|entry| own.contains(entry)), "{shared:?}");
        }
        assert_eq!(shared.excluded, own.excluded);
    }

    #[test]
    fn what_carries_the_gate_is_read_only_each_path_once() {
        let entries = rules(&places()).entries(&places());
        for kept in [
            "~/.local/share/plimsoll",
            ".git/hooks",
            ".git/config",
            ".git/plimsoll",
            ".claude",
            ".husky/_",
            "/etc/gitconfig",
            "/srv/remote.git",
        ] {
            assert_eq!(entries.deny_write.iter().filter(|entry| *entry == kept).count(), 1, "{kept}");
        }
    }
}
