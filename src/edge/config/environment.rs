//! The one door to environment variables, and to the question whether a person sits at the terminal.

use super::Error;
use crate::pure::text::child;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsString;
use std::io::IsTerminal;

/// Where things are for this user and session. Every hook needs this, so it asks for as few variables as it can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    pub home: Utf8PathBuf,
    /// `<XDG data home>/plimsoll`
    pub data_home: Utf8PathBuf,
    /// `<XDG config home>/plimsoll`
    pub config_home: Utf8PathBuf,
    /// `<XDG state home>/plimsoll`
    pub state_home: Utf8PathBuf,
    /// Where the client keeps the user's settings, commands and agents: `CLAUDE_CONFIG_DIR` or `~/.claude`.
    pub claude_home: Utf8PathBuf,
    /// `CLAUDE_PROJECT_DIR`
    pub project_dir: Option<Utf8PathBuf>,
    /// `CLAUDE_PLUGIN_ROOT`
    pub plugin_root: Option<Utf8PathBuf>,
}

/// How this process was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookInvocation {
    /// `CLAUDE_CODE_SESSION_ID`
    pub session_id: Option<String>,
    /// `CLAUDE_ENV_FILE`
    pub env_file: Option<Utf8PathBuf>,
    /// Whether a coding agent started this process.
    pub under_agent: bool,
    /// `PLIMSOLL_GRANT`
    pub grant: Option<String>,
}

impl Environment {
    /// From this process.
    pub fn read() -> Result<Self, Error> {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    /// From this process, for a command of a person: a home directory that is missing is an error, and never made.
    pub fn read_at_home() -> Result<Self, Error> {
        let environment = Self::read()?;
        match environment.home.is_dir() {
            true => Ok(environment),
            false => Err(Error::MissingHome(environment.home)),
        }
    }

    /// Every variable of this process that is text, for a child that is given its whole environment.
    pub fn variables() -> Vec<(String, String)> {
        std::env::vars_os()
            .filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()))
            .collect()
    }

    /// From any set of variables. An empty variable counts as absent, as does a base directory that is not absolute.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        let home = absolute(&lookup, "HOME").ok_or(Error::NoHome)?;
        Ok(Self::with_home(home, lookup))
    }

    /// `data_home` alone, which is all that most hooks need before they answer.
    pub fn read_data_home() -> Result<Utf8PathBuf, Error> {
        let lookup = |name: &str| std::env::var_os(name);
        let home = absolute(&lookup, "HOME").ok_or(Error::NoHome)?;
        Ok(base(&lookup, &home, DATA_HOME))
    }

    /// From this process, with a home by its usual place where nobody says where it is.
    pub fn read_or_guess(near: &Utf8Path) -> Self {
        Self::guess(|name| std::env::var_os(name), near)
    }

    fn guess(lookup: impl Fn(&str) -> Option<OsString>, near: &Utf8Path) -> Self {
        let named =
            || text(&lookup, "USER").filter(|user| user != "root").map(|user| format!("/home/{user}").into());
        let home = absolute(&lookup, "HOME").or_else(|| home_around(near)).or_else(named);
        Self::with_home(home.unwrap_or_else(|| "/root".into()), lookup)
    }

    fn with_home(home: Utf8PathBuf, lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let absolute = |name: &str| absolute(&lookup, name);
        Self {
            data_home: base(&lookup, &home, DATA_HOME),
            config_home: base(&lookup, &home, ("XDG_CONFIG_HOME", ".config/plimsoll")),
            state_home: base(&lookup, &home, ("XDG_STATE_HOME", ".local/state/plimsoll")),
            claude_home: absolute("CLAUDE_CONFIG_DIR").unwrap_or_else(|| child(&home, ".claude")),
            project_dir: absolute("CLAUDE_PROJECT_DIR"),
            plugin_root: absolute("CLAUDE_PLUGIN_ROOT"),
            home,
        }
    }

    /// The user's own configuration file.
    pub fn user_file(&self) -> Utf8PathBuf {
        child(&self.config_home, super::source::FILE_NAME)
    }

    /// Nothing set but `HOME`.
    #[cfg(test)]
    pub(crate) fn at_home(home: &Utf8Path) -> Self {
        Self::from_lookup(|name| (name == "HOME").then(|| home.as_os_str().to_owned())).unwrap()
    }
}

impl HookInvocation {
    /// From this process.
    pub fn read() -> Self {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let marks = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"];
        Self {
            session_id: text(&lookup, "CLAUDE_CODE_SESSION_ID"),
            env_file: text(&lookup, "CLAUDE_ENV_FILE")
                .map(Utf8PathBuf::from)
                .filter(|path| path.is_absolute()),
            under_agent: marks.iter().any(|name| lookup(name).is_some()),
            grant: text(&lookup, "PLIMSOLL_GRANT"),
        }
    }

    /// Whether a question of a hook reaches a person: not in a session that a program drives.
    pub(crate) fn is_interactive() -> bool {
        let entry = text(&|name: &str| std::env::var_os(name), "CLAUDE_CODE_ENTRYPOINT");
        !entry.is_some_and(|entry| entry.starts_with("sdk"))
    }

    /// An error unless a person can be asked here: stdin and stderr are a terminal, and no agent started us.
    pub(crate) fn person(&self) -> Result<(), Error> {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        self.person_at(terminal)
    }

    fn person_at(&self, terminal: bool) -> Result<(), Error> {
        match (self.under_agent, terminal) {
            (true, _) => Err(Error::NoPerson("this process was started by a coding agent")),
            (false, false) => Err(Error::NoPerson("this is not a terminal")),
            (false, true) => Ok(()),
        }
    }
}

/// Whether somebody works at the desktop of this machine, as far as the environment says. Never on a machine for CI, and not
/// for somebody who works from another one.
pub(crate) fn has_desktop() -> bool {
    has_desktop_by(|name| std::env::var_os(name))
}

fn has_desktop_by(lookup: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| text(&lookup, name).is_some();
    if ["CI", "SSH_CONNECTION", "SSH_TTY"].into_iter().any(is_set) {
        return false;
    }
    let bus = || {
        let socket = absolute(&lookup, "XDG_RUNTIME_DIR").map(|folder| folder.join("bus"));
        is_set("DBUS_SESSION_BUS_ADDRESS") || socket.is_some_and(|socket| socket.exists())
    };
    cfg!(target_os = "macos") || (["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(is_set) && bus())
}

/// A variable and, below the home, the folder that counts without it.
const DATA_HOME: (&str, &str) = ("XDG_DATA_HOME", ".local/share/plimsoll");

fn base(
    lookup: &impl Fn(&str) -> Option<OsString>,
    home: &Utf8Path,
    (name, otherwise): (&str, &str),
) -> Utf8PathBuf {
    match absolute(lookup, name) {
        Some(base) => child(&base, "plimsoll"),
        None => child(home, otherwise),
    }
}

fn absolute(lookup: &impl Fn(&str) -> Option<OsString>, name: &str) -> Option<Utf8PathBuf> {
    text(lookup, name).map(Utf8PathBuf::from).filter(|path| path.is_absolute())
}

/// The home directory that a path lies in, by how systems lay them out.
fn home_around(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let is_home = |path: &&Utf8Path| {
        *path == "/root" || path.parent().is_some_and(|parent| parent == "/home" || parent == "/Users")
    };
    path.ancestors().find(is_home).map(Utf8Path::to_owned)
}

fn text(lookup: &impl Fn(&str) -> Option<OsString>, name: &str) -> Option<String> {
    lookup(name)?.into_string().ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_desktop_is_a_screen_with_a_bus_on_this_machine() {
        let has = |names: &[&str]| has_desktop_by(|name| names.contains(&name).then(|| "x".into()));
        assert!(has(&["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"]));
        assert!(has(&["WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"]));
        assert!(!has(&[]) && !has(&["DISPLAY"]) && !has(&["DBUS_SESSION_BUS_ADDRESS"]));
        for elsewhere in ["CI", "SSH_CONNECTION", "SSH_TTY"] {
            assert!(!has(&["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", elsewhere]), "{elsewhere}");
        }
    }

    fn among<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        |name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    }

    #[test]
    fn base_directories_follow_the_xdg_rules_and_the_clients_own() {
        let read = Environment::from_lookup(among(&[
            ("HOME", "/home/ada"),
            ("XDG_DATA_HOME", "/data//"),
            ("XDG_CONFIG_HOME", "relative/config"),
            ("XDG_STATE_HOME", ""),
            ("CLAUDE_CONFIG_DIR", "/clients/one"),
        ]))
        .unwrap();
        assert_eq!(read.claude_home, "/clients/one");
        assert_eq!(read.data_home, "/data/plimsoll");
        assert_eq!(read.config_home, "/home/ada/.config/plimsoll");
        assert_eq!(read.state_home, "/home/ada/.local/state/plimsoll");
    }

    #[test]
    fn without_a_home_there_is_an_error_and_no_guess() {
        for variables in [&[][..], &[("HOME", "")], &[("HOME", "home/ada")]] {
            assert!(
                matches!(Environment::from_lookup(among(variables)), Err(Error::NoHome)),
                "{variables:?}"
            );
        }
    }

    #[test]
    fn a_home_that_nobody_names_is_where_homes_are() {
        for (variables, near, home) in [
            (&[("HOME", "/somewhere")][..], "/home/ada/project", "/somewhere"),
            (&[], "/home/ada/project", "/home/ada"),
            (&[("HOME", "relative"), ("USER", "eve")], "/home/ada", "/home/ada"),
            (&[("USER", "eve")], "/srv/project", "/home/eve"),
            (&[("USER", "root")], "/srv/project", "/root"),
            (&[], "/root/x/y", "/root"),
            (&[], "relative", "/root"),
        ] {
            let guessed = Environment::guess(among(variables), Utf8Path::new(near));
            assert_eq!(guessed.home, home, "{variables:?} {near}");
        }
    }

    #[test]
    fn any_mark_of_the_client_means_under_an_agent_even_if_empty() {
        for mark in ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"] {
            let read = HookInvocation::from_lookup(among(&[(mark, "")]));
            assert!(read.under_agent, "{mark}");
            assert!(matches!(read.person_at(true), Err(Error::NoPerson(_))), "{mark}");
        }
    }

    #[test]
    fn a_person_is_somebody_at_a_terminal() {
        let read = HookInvocation::from_lookup(among(&[]));
        assert!(read.person_at(true).is_ok());
        assert!(matches!(read.person_at(false), Err(Error::NoPerson(_))));
    }
}
