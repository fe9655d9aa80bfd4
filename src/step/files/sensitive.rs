//! Files that run later, or that open the machine or an account to others.

use crate::step::git_folder;
use crate::step::place::Place;
use crate::step::zone::{Zone, lies_below, zone};
use camino::Utf8Path;

const PROFILE: &str = "a shell profile, which runs in every new shell";
const KEY: &str = "keys or who may log in";
const LOGIN: &str = "what runs at every login";
const GIT: &str = "git's configuration";
const CREDENTIALS: &str = "stored credentials";

/// Below the home directory: a file, or with a slash at the end everything in a directory.
const IN_HOME: [(&str, &str); 40] = [
    (".bashrc", PROFILE),
    (".bash_profile", PROFILE),
    (".bash_login", PROFILE),
    (".bash_logout", PROFILE),
    (".bash_aliases", PROFILE),
    (".profile", PROFILE),
    (".zshrc", PROFILE),
    (".zshenv", PROFILE),
    (".zprofile", PROFILE),
    (".zlogin", PROFILE),
    (".zlogout", PROFILE),
    (".kshrc", PROFILE),
    (".cshrc", PROFILE),
    (".tcshrc", PROFILE),
    (".config/fish/config.fish", PROFILE),
    (".config/fish/conf.d/", PROFILE),
    (".ssh/", KEY),
    (".gnupg/", KEY),
    (".pam_environment", LOGIN),
    (".xprofile", LOGIN),
    (".xinitrc", LOGIN),
    (".xsession", LOGIN),
    (".config/systemd/user/", LOGIN),
    (".config/autostart/", LOGIN),
    (".config/environment.d/", LOGIN),
    ("Library/LaunchAgents/", LOGIN),
    (".gitconfig", GIT),
    (".config/git/", GIT),
    (".git-credentials", CREDENTIALS),
    (".netrc", CREDENTIALS),
    (".npmrc", CREDENTIALS),
    (".pypirc", CREDENTIALS),
    (".pgpass", CREDENTIALS),
    (".docker/config.json", CREDENTIALS),
    (".kube/config", CREDENTIALS),
    (".aws/", CREDENTIALS),
    (".cargo/credentials", CREDENTIALS),
    (".cargo/credentials.toml", CREDENTIALS),
    (".gem/credentials", CREDENTIALS),
    (".config/gh/hosts.yml", CREDENTIALS),
];

/// What every user of the machine relies on.
const SYSTEM: [&str; 17] = [
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/proc/sys", "/proc/sysrq-trigger", "/private/etc",
    "/root", "/sbin", "/sys", "/usr", "/var/lib", "/var/spool", "/Library", "/System",
];

/// What a write to this path would change, if that is more than a file.
pub fn sensitive(path: &Utf8Path, place: &Place) -> Option<&'static str> {
    if let Some((_, part)) = git_folder::part(path) {
        return match part {
            git_folder::Part::Hook => Some("a git hook, which runs with every commit or push"),
            git_folder::Part::Configuration => Some(GIT),
            git_folder::Part::History | git_folder::Part::Other => None,
        };
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
        let entry = IN_HOME.iter().find(|(entry, _)| named(entry));
        if let Some((_, what)) = entry.filter(|_| !harmless) {
            return Some(what);
        }
    }
    let shared = zone(path, place) == Zone::System
        && (path == "/" || SYSTEM.iter().any(|root| lies_below(path, root)));
    shared.then_some("a file of the system")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::sample::place;

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
        ] {
            assert!(sensitive(Utf8Path::new(path), &place()).is_some(), "{path}");
        }
        for path in [
            "/home/user/.ssh",
            "/home/user/.ssh/known_hosts",
            "/home/user/.config/app/config.toml",
            "/home/user/.claude/CLAUDE.md",
            "/home/user/project/.bashrc",
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
