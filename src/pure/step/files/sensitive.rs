//! Files that run later, or that open the machine or an account to others.

use crate::pure::step::git_folder;
use crate::pure::step::place::Place;
use crate::pure::step::zone::{Zone, lies_below, zone};
use camino::Utf8Path;

const PROFILE: &str = "a shell profile, which runs in every new shell";
const KEY: &str = "keys or login permissions";
const LOGIN: &str = "a program that runs at every login";
const GIT: &str = "git's configuration";
const SETTINGS: &str = "settings from which another program runs commands";
const CREDENTIALS: &str = "stored credentials";

/// Below the home directory: a file, or with a trailing slash everything in a directory.
const IN_HOME: [(&str, &[&str]); 8] = [
    (
        PROFILE,
        &[
            ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc",
            ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc",
        ],
    ),
    (
        PROFILE,
        &[
            ".config/fish/config.fish",
            ".config/fish/conf.d/",
            ".config/powershell/",
            ".config/nushell/",
            "Documents/PowerShell/",
            "Documents/WindowsPowerShell/",
        ],
    ),
    (KEY, &[".ssh/", ".gnupg/"]),
    (
        LOGIN,
        &[
            ".pam_environment",
            ".xprofile",
            ".xinitrc",
            ".xsession",
            ".config/systemd/user/",
            ".config/autostart/",
            ".config/environment.d/",
            "Library/LaunchAgents/",
            ".config/plasma-workspace/env/",
            ".local/share/systemd/user/",
            ".xsessionrc",
            ".config/upstart/",
        ],
    ),
    (GIT, &[".gitconfig", ".config/git/"]),
    (
        SETTINGS,
        &[
            ".vimrc",
            ".gvimrc",
            ".exrc",
            ".vim/",
            ".config/nvim/",
            ".emacs",
            ".emacs.d/",
            ".config/emacs/",
            ".tmux.conf",
            ".config/tmux/",
            ".screenrc",
            ".gdbinit",
            ".lldbinit",
            ".inputrc",
            ".Rprofile",
            ".irbrc",
            ".pryrc",
            ".pythonrc.py",
            ".psqlrc",
            ".sqliterc",
            ".mailcap",
            ".procmailrc",
            ".forward",
            ".xbindkeysrc",
            ".config/i3/",
            ".config/sway/",
            ".config/hypr/",
            ".config/openbox/autostart",
            ".config/direnv/",
            ".direnvrc",
            ".config/pip/",
            ".pip/",
            ".condarc",
            ".curlrc",
            ".wgetrc",
            ".cargo/config.toml",
            ".cargo/config",
            ".config/mimeapps.list",
            ".config/kitty/",
            ".config/wezterm/",
            ".wezterm.lua",
            ".config/starship.toml",
            ".ipython/profile_default/startup/",
            ".gradle/init.d/",
            ".gradle/init.gradle",
            ".m2/settings.xml",
            ".config/containers/",
        ],
    ),
    (
        CREDENTIALS,
        &[
            ".git-credentials", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".docker/config.json",
            ".kube/config", ".aws/", ".cargo/credentials", ".gem/credentials", ".config/gh/hosts.yml",
        ],
    ),
    (CREDENTIALS, &[".cargo/credentials.toml"]),
];

/// Folders of the home directory in which a shell looks for programs first.
const PROGRAM_FOLDERS: [&str; 3] = [".local/bin/", "bin/", ".bin/"];
const SHADOW: &str = "a program that takes the place of the system's own";
/// Programs that nobody installs there for any good.
const SYSTEM_PROGRAMS: [&str; 30] = [
    "git", "ls", "cat", "cp", "mv", "rm", "cd", "sudo", "su", "doas", "ssh", "scp", "sftp", "curl", "wget",
    "bash", "sh", "zsh", "grep", "sed", "awk", "find", "ps", "kill", "env", "gpg", "passwd", "login",
    "claude", "plimsoll",
];

/// Directories that every user of the machine relies on.
const SYSTEM: [&str; 17] = [
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/proc/sys", "/proc/sysrq-trigger", "/private/etc",
    "/root", "/sbin", "/sys", "/usr", "/var/lib", "/var/spool", "/Library", "/System",
];

/// Whether a file below the home directory is run, or lets somebody in, without anyone asking for it.
pub(crate) fn runs_later(path: &Utf8Path, place: &Place) -> bool {
    lies_below(path, place.home.as_str())
        && (path.as_str().ends_with(".ssh/authorized_keys")
            || sensitive(path, place).is_some_and(|what| matches!(what, PROFILE | LOGIN | GIT | SHADOW)))
}

/// Whether everything in a folder below the home directory is run without anyone asking for it.
pub(crate) fn holds_what_runs_later(path: &Utf8Path, place: &Place) -> bool {
    let Some(rest) = path.as_str().strip_prefix(place.home.as_str()) else { return false };
    let rest = rest.trim_matches('/');
    !rest.is_empty()
        && IN_HOME.iter().filter(|(what, _)| matches!(*what, PROFILE | LOGIN)).any(|(_, entries)| {
            entries.iter().any(|entry| entry.strip_suffix('/').is_some_and(|folder| folder == rest))
        })
}

/// The wider effect of a write to this path, besides the file itself.
pub(crate) fn sensitive(path: &Utf8Path, place: &Place) -> Option<&'static str> {
    if let Some((_, part)) = git_folder::part(path) {
        return match part {
            git_folder::GitFolderPart::Hook => Some("a git hook, which runs with every commit or push"),
            git_folder::GitFolderPart::Configuration => Some(GIT),
            git_folder::GitFolderPart::History | git_folder::GitFolderPart::Other => None,
        };
    }
    if runs_with_python(path) {
        return Some("a file that every Python program runs");
    }
    if lies_below(path, place.home.as_str())
        && let Ok(rest) = path.strip_prefix(&place.home)
    {
        let rest = rest.as_str();
        // `ssh-keyscan host >> ~/.ssh/known_hosts` opens nothing.
        let harmless = rest.starts_with(".ssh/known_hosts");
        let named = |entry: &str| match entry.ends_with('/') {
            true => rest.len() > entry.len() && rest.starts_with(entry),
            false => rest == entry,
        };
        let entry = IN_HOME.iter().find(|(_, entries)| entries.iter().any(|entry| named(entry)));
        if let Some((what, _)) = entry.filter(|_| !harmless) {
            return Some(what);
        }
        let program = PROGRAM_FOLDERS.iter().find_map(|folder| rest.strip_prefix(folder));
        if program.is_some_and(|program| SYSTEM_PROGRAMS.contains(&program)) {
            return Some(SHADOW);
        }
    }
    if is_system_log(path) {
        return Some("a log of this machine");
    }
    let shared = zone(path, place) == Zone::System
        && (path == "/" || SYSTEM.iter().any(|root| lies_below(path, root)));
    shared.then_some("a system file")
}

/// The logs that tell who did what on this machine, not those of single services.
fn is_system_log(path: &Utf8Path) -> bool {
    const NAMES: [&str; 15] = [
        "auth.log", "btmp", "cron", "cron.log", "daemon.log", "dmesg", "faillog", "kern.log", "lastlog",
        "messages", "secure", "security", "syslog", "utmp", "wtmp",
    ];
    let Some(rest) = path.as_str().strip_prefix("/var/log/") else { return false };
    NAMES.contains(&rest) || rest.starts_with("audit/") || rest.starts_with("journal/")
}

/// `usercustomize.py` and its like, outside of virtual environments.
fn runs_with_python(path: &Utf8Path) -> bool {
    let named = matches!(path.file_name(), Some("usercustomize.py" | "sitecustomize.py"))
        || path.extension() == Some("pth");
    named
        && path.as_str().contains("/site-packages/")
        && !["/.venv/", "/venv/", "/env/", "/.tox/", "/.nox/"].iter().any(|part| path.as_str().contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::sample::place;

    #[test]
    fn what_runs_later_or_opens_the_machine_is_sensitive() {
        for path in [
            "/home/user/.bashrc",
            "/home/user/.ssh/authorized_keys",
            "/home/user/.config/systemd/user/x.service",
            "/home/user/.aws/credentials",
            "/home/user/project/.git/hooks/pre-commit",
            "/other/.git/config",
            "/etc/passwd",
            "/usr/local/bin/x",
            "/var/spool/cron/root",
            "/root/.bashrc",
            "/home/user/.config/powershell/profile.ps1",
            "/home/user/.local/lib/python3.12/site-packages/usercustomize.py",
        ] {
            assert!(sensitive(Utf8Path::new(path), &place()).is_some(), "{path}");
        }
        for path in [
            "/home/user/.ssh",
            "/home/user/.ssh/known_hosts",
            "/home/user/.config/app/config.toml",
            "/home/user/.claude/CLAUDE.md",
            "/home/user/project/.bashrc",
            "/home/user/project/.venv/lib/python3.12/site-packages/x.pth",
            "/home/user/project/.github/workflows/ci.yml",
            "/home/user/project/.husky/pre-commit",
            "/home/user/project/.git/info/exclude",
            "/tmp/x",
            "/etcetera",
            "/opt/app/x",
        ] {
            assert_eq!(sensitive(Utf8Path::new(path), &place()), None, "{path}");
        }
    }
}
