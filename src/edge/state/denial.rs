//! Tool calls that were refused lately, and a person's request to allow one of them once.
//!
//! One folder per project in the user's data directory, with a file per refused action, named by its digest.

use super::error::Error;
use super::layout::{Homes, short_hash};
use super::permission::{AllowOnce, PermissionUse, Permissions};
use super::store::{read_bounded, remove, write_json};
use crate::pure::secret::Redacted;
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

const VERSION: u64 = 1;
/// How many refusals are remembered, and how long.
const KEPT: usize = 50;
const LASTS: Duration = Duration::from_secs(24 * 60 * 60);
/// Milliseconds that a permission waits for its tool call.
const ALLOWANCE_LASTS: u64 = 10 * 60 * 1000;
/// Short enough to type; longer only where two would be the same.
const ID_LENGTH: usize = 6;

/// A refused step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    pub version: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    pub tool: String,
    pub rule: String,
    pub reason: Redacted,
    /// Belongs to the floor or the gate, so that nobody can allow it once.
    pub firm: bool,
}

/// The target of a typed id.
#[derive(Debug, PartialEq, Eq)]
pub enum Named {
    Nothing,
    Several,
    One { action: String, denial: Denial },
}

/// The recent refusals of one project.
pub struct Denials {
    folder: Utf8PathBuf,
    permissions: Permissions,
}

/// Refusals with their ids, the newest first, and files that could not be read.
#[derive(Debug, Default)]
pub struct RecentDenials {
    pub denials: Vec<(String, Denial)>,
    pub damaged: Vec<Utf8PathBuf>,
}

impl Denial {
    pub fn new(time: u64, tool: &str, rule: &str, reason: Redacted, firm: bool) -> Self {
        let (tool, rule) = (tool.to_owned(), rule.to_owned());
        Self { version: VERSION, time, tool, rule, reason, firm }
    }
}

impl Denials {
    pub fn of(homes: &Homes, project: &Utf8Path) -> Self {
        let folder = homes.denials(project);
        Self { permissions: Permissions::inside(folder.clone(), homes), folder }
    }

    /// The ID of an action. Equal parts give the same ID.
    pub fn action(parts: &[&str]) -> String {
        let lengths: Vec<String> = parts.iter().map(|part| part.len().to_string()).collect();
        short_hash(&format!("{}\n{}", lengths.join(" "), parts.concat()))
    }

    /// Remembers a refusal and returns the id by which a person can name it.
    pub fn note(&self, action: &str, denial: &Denial, now: SystemTime) -> Result<String, Error> {
        write_json(&self.place(action), denial)?;
        self.prune(now);
        Ok(self.id(action))
    }

    /// Every refusal that is still remembered.
    pub fn recent(&self) -> RecentDenials {
        let mut recent = RecentDenials::default();
        for action in self.actions() {
            match read::<Denial>(&self.place(&action)) {
                Some(Ok(denial)) => recent.denials.push((self.id(&action), denial)),
                Some(Err(path)) => recent.damaged.push(path),
                None => {}
            }
        }
        recent.denials.sort_by_key(|(_, denial)| std::cmp::Reverse(denial.time));
        recent
    }

    pub fn named(&self, id: &str) -> Named {
        let lower = id.to_ascii_lowercase();
        let mut meant = self.actions().into_iter().filter(|action| action.starts_with(&lower));
        let (Some(action), true) = (meant.next(), lower.len() >= ID_LENGTH) else { return Named::Nothing };
        if meant.next().is_some() {
            return Named::Several;
        }
        match read::<Denial>(&self.place(&action)) {
            Some(Ok(denial)) => Named::One { action, denial },
            Some(Err(_)) | None => Named::Nothing,
        }
    }

    /// A person wants this action to be asked about, the next time that it would be refused.
    pub fn allow(&self, action: &str, now: u64) -> Result<(), Error> {
        self.permissions.grant(action, &AllowOnce {}, now.saturating_add(ALLOWANCE_LASTS))
    }

    /// Uses the permission for an action up. Of two callers at once one gets it.
    pub fn take(&self, action: &str, now: u64) -> Result<PermissionUse<AllowOnce>, Error> {
        self.permissions.take(action, now)
    }

    /// The shortest beginning that no other remembered action shares.
    fn id(&self, action: &str) -> String {
        let others: Vec<String> = self.actions().into_iter().filter(|other| other != action).collect();
        let lengths = (ID_LENGTH..action.len()).step_by(2);
        let starts = lengths.filter_map(|length| action.get(..length));
        let alone = |start: &&str| !others.iter().any(|other| other.starts_with(start));
        starts.into_iter().find(alone).unwrap_or(action).to_owned()
    }

    fn actions(&self) -> Vec<String> {
        let entries = self.folder.read_dir_utf8().into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().strip_suffix(".json").map(str::to_owned)).collect()
    }

    /// Removes entries that are too old or too many. An entry that cannot be removed does no harm.
    fn prune(&self, now: SystemTime) {
        let entries = self.folder.read_dir_utf8().into_iter().flatten().flatten();
        let aged = entries.filter_map(|entry| {
            let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok()?;
            Some((now.duration_since(modified).unwrap_or_default(), entry.path().to_owned()))
        });
        let (mut denials, others): (Vec<_>, Vec<_>) =
            aged.partition(|(_, path)| path.extension() == Some("json"));
        denials.sort();
        let surplus = denials.iter().skip(KEPT);
        let old = denials.iter().chain(&others).filter(|(age, _)| *age > LASTS);
        for (_, path) in surplus.chain(old) {
            let _ = remove(path);
        }
    }

    fn place(&self, action: &str) -> Utf8PathBuf {
        self.folder.join(format!("{action}.json"))
    }
}

/// `None` if there is no such file, its path if it cannot be understood.
fn read<T: DeserializeOwned>(path: &Utf8Path) -> Option<Result<T, Utf8PathBuf>> {
    let damaged = || path.to_owned();
    match read_bounded(path) {
        Ok(None) => None,
        Ok(Some(bytes)) => Some(serde_json::from_slice(&bytes).map_err(|_| damaged())),
        Err(_) => Some(Err(damaged())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60 * 1000;

    fn denials() -> (tempfile::TempDir, Denials) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let denials = Denials::of(&Homes::new(&root), Utf8Path::new("/project"));
        (directory, denials)
    }

    fn denial(time: u64) -> Denial {
        Denial::new(time, "Bash", "discard_changes", "would lose work".into(), false)
    }

    #[test]
    fn parts_that_join_to_the_same_text_are_other_actions() {
        assert_ne!(Denials::action(&["ab", "c"]), Denials::action(&["a", "bc"]));
        assert_eq!(Denials::action(&["ab", "c"]), Denials::action(&["ab", "c"]));
    }

    #[test]
    fn an_allowance_serves_its_action_once_and_for_ten_minutes() {
        let (_directory, denials) = denials();
        let action = Denials::action(&["Bash", "git reset --hard"]);
        let id = denials.note(&action, &denial(1), SystemTime::now()).unwrap();
        assert_eq!(denials.take(&action, 0).unwrap(), PermissionUse::Nothing);
        let Named::One { action: named, .. } = denials.named(&id) else { panic!("{id}") };
        denials.allow(&named, 100).unwrap();
        assert_eq!(
            denials.take(&Denials::action(&["Bash", "git reset"]), 100).unwrap(),
            PermissionUse::Nothing
        );
        assert_eq!(denials.take(&action, 100 + 10 * MINUTE).unwrap(), PermissionUse::Granted(AllowOnce {}));
        assert_eq!(denials.take(&action, 100).unwrap(), PermissionUse::Nothing);
        denials.allow(&named, 100).unwrap();
        assert_eq!(denials.take(&action, 101 + 10 * MINUTE).unwrap(), PermissionUse::Nothing);
    }

    #[test]
    fn of_many_takers_one_gets_it() {
        let (_directory, denials) = denials();
        denials.allow("a1b2c3d4", 0).unwrap();
        let won: usize = std::thread::scope(|scope| {
            let takers: Vec<_> =
                (0..8).map(|_| scope.spawn(|| denials.take("a1b2c3d4", 0).unwrap())).collect();
            takers
                .into_iter()
                .filter_map(|taker| {
                    (taker.join().unwrap() == PermissionUse::Granted(AllowOnce {})).then_some(())
                })
                .count()
        });
        assert_eq!(won, 1);
    }

    #[test]
    fn ids_are_short_and_longer_only_where_two_would_be_the_same() {
        let (_directory, denials) = denials();
        let now = SystemTime::now();
        assert_eq!(denials.note("aaaaaabbbb", &denial(1), now).unwrap(), "aaaaaa");
        assert_eq!(denials.note("aaaaaacccc", &denial(2), now).unwrap(), "aaaaaacc");
        assert_eq!(denials.named("aaaaaa"), Named::Several);
        assert_eq!(denials.named("aaaa"), Named::Nothing);
        assert!(matches!(denials.named("AAAAAACC"), Named::One { .. }));
        assert_eq!(denials.named("../../x"), Named::Nothing);
    }

    #[test]
    fn damaged_files_count_for_nothing_and_are_named() {
        let (_directory, denials) = denials();
        denials.note("aaaaaabbbb", &denial(1), SystemTime::now()).unwrap();
        std::fs::write(denials.place("ccccccdddd"), "garbage").unwrap();
        let recent = denials.recent();
        assert_eq!((recent.denials.len(), recent.damaged), (1, vec![denials.place("ccccccdddd")]));
    }

    #[test]
    fn old_refusals_and_too_many_are_forgotten() {
        let (_directory, denials) = denials();
        let now = SystemTime::now();
        for number in 0..60_u64 {
            denials.note(&Denials::action(&[&number.to_string()]), &denial(number), now).unwrap();
        }
        assert_eq!(denials.recent().denials.len(), KEPT);
        denials.note("aaaaaabbbb", &denial(1), now + LASTS + Duration::from_secs(60)).unwrap();
        assert_eq!(denials.recent().denials.len(), 0);
    }
}
