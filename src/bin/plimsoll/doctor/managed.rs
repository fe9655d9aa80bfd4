//! Whether a managed installation holds: nobody but an administrator can change it, and the client really runs its hooks.

use super::check::Check;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::failure::chain;
use plimsoll::app::registration::{ClientSettings, NewestSession, newest_session};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::ManagedPlaces;
use std::os::unix::fs::MetadataExt;
use std::time::UNIX_EPOCH;

const NAME: &str = "managed";
/// Where the client keeps settings that an organization sends it.
const FROM_A_SERVER: &str = "remote-settings.json";

/// Nothing where the machine's settings have no hook of ours.
pub(crate) fn checks(workspace: &Workspace, settings: &[ClientSettings]) -> Vec<Check> {
    let Some(ours) = settings.iter().find(|found| found.managed && !found.hooks.is_empty()) else {
        return Vec::new();
    };
    let places = ManagedPlaces::of_system();
    let guarded = [&ours.path, &places.programs];
    match guarded.into_iter().find_map(|path| writable(path)) {
        Some(path) => vec![Check::fail(
            NAME,
            format!("users can write to {path}, and so change what judges them"),
            format!("sudo chown -R root '{path}' && sudo chmod -R go-w '{path}'"),
        )],
        None => vec![evidence(workspace, &ours.path, &places)],
    }
}

fn evidence(workspace: &Workspace, settings: &Utf8Path, places: &ManagedPlaces) -> Check {
    let newest = newest_session(workspace, written(settings));
    let cause = match workspace.environment.claude_home.join(FROM_A_SERVER).exists() {
        true => " This account has settings from a server, with which the client drops hooks of files",
        false => "",
    };
    match newest {
        Err(failure) => Check::fail(NAME, chain(failure.as_ref()), "plimsoll doctor -v"),
        Ok(newest) => verdict(&newest, &places.hooks(), cause),
    }
}

fn verdict(newest: &NewestSession, hooks: &Utf8Path, cause: &str) -> Check {
    const LOOK: &str =
        "/status in the client names its setting sources; put the hooks into the settings that it names";
    match newest {
        NewestSession::Ran { session, program } if Utf8Path::new(program).starts_with(hooks) => {
            Check::ok(NAME, format!("the client ran the managed hooks in session {session}"))
        }
        NewestSession::Ran { session, program } => {
            Check::fail(NAME, format!("session {session} ran {program}, not the managed hooks.{cause}"), LOOK)
        }
        NewestSession::Unrecorded { session } => Check::fail(
            NAME,
            format!(
                "the client did not run the managed hooks in session {session}: nothing is reviewed.{cause}"
            ),
            LOOK,
        ),
        NewestSession::None => Check::warn(
            NAME,
            format!(
                "no session ran here since the managed settings were written, so nobody knows whether the client runs them.{cause}"
            ),
            "start a session in this project, then run this again",
        ),
    }
}

/// In milliseconds since 1970.
fn written(path: &Utf8Path) -> u64 {
    let time = path.metadata().and_then(|data| data.modified()).ok();
    let age = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    age.and_then(|age| u64::try_from(age.as_millis()).ok()).unwrap_or_default()
}

/// The first of the path, what lies in it and the folders above that somebody else than root may change.
fn writable(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let inside = path.read_dir_utf8().into_iter().flatten().flatten().map(|entry| entry.path().to_owned());
    let deeper = inside.flat_map(|path| {
        let entries = path.read_dir_utf8().into_iter().flatten().flatten();
        let below: Vec<Utf8PathBuf> = entries.map(|entry| entry.path().to_owned()).collect();
        std::iter::once(path).chain(below)
    });
    let all = path.ancestors().map(Utf8Path::to_owned).chain(deeper);
    all.into_iter().find(|path| path.metadata().is_ok_and(|data| !is_of_root(data.uid(), data.mode())))
}

fn is_of_root(owner: u32, mode: u32) -> bool {
    owner == 0 && mode & 0o022 == 0
}

#[cfg(test)]
mod tests {
    use super::super::check::CheckState;
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn only_a_session_that_ran_the_managed_hooks_is_a_pass() {
        let hooks = Utf8Path::new("/usr/local/lib/plimsoll/hooks");
        let ran = |program: &str| NewestSession::Ran { session: "s".into(), program: program.into() };
        for (newest, state) in [
            (ran("/usr/local/lib/plimsoll/hooks/session-start"), CheckState::Ok),
            (ran("/home/ada/.local/share/plimsoll/hooks/session-start"), CheckState::Fail),
            (ran("/usr/local/lib/plimsoll/hooks-of-mine/session-start"), CheckState::Fail),
            (NewestSession::Unrecorded { session: "s".into() }, CheckState::Fail),
            (NewestSession::None, CheckState::Warn),
        ] {
            assert_eq!(verdict(&newest, hooks, "").state, state, "{newest:?}");
        }
    }

    #[test]
    fn files_of_a_user_or_open_to_others_are_not_of_root() {
        assert!(is_of_root(0, 0o100_755));
        for (owner, mode) in [(1000, 0o100_755), (0, 0o100_775), (0, 0o040_777)] {
            assert!(!is_of_root(owner, mode), "{owner} {mode:o}");
        }
    }

    #[test]
    fn a_folder_of_a_user_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        std::fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
        assert!(writable(path).is_some());
    }
}
