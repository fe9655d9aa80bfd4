//! Edge: a binary copy of the settings, for hooks that cannot afford YAML on every call.
//!
//! The copy names the files it was made from; as long as none of them changed, one read and a few stats are
//! enough. It proves nothing to the gate, which loads afresh.

use super::load::{Loaded, load};
use super::{Environment, Error};
use crate::edge::file::{self, checksummed};
use crate::pure::monitor::interventions::Prompts;
use crate::pure::policy::{Interventions, LAYOUT, Notifications, StepReviewer};
use crate::pure::secret::redact;
use crate::pure::step::{CustomRules, fingerprint};
use crate::pure::text::child;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::time::SystemTime;

/// Raised when `Compiled` changes without the names of the keys changing.
const FORMAT: u64 = 5;

pub(crate) const DEFAULT_CONFIG_DIR: &str = ".claude/config";
const DEFAULT_PROJECT_FILE: &str = ".claude/config/review-config.yaml";

/// A copy with hundreds of ignored values stays below this.
const COPY_LIMIT: u64 = 1024 * 1024;

#[derive(Debug, Serialize, Deserialize)]
struct Compiled {
    root: Utf8PathBuf,
    config_home: Utf8PathBuf,
    data_home: Utf8PathBuf,
    loaded: Loaded,
}

/// The settings of the step review.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepPolicy {
    pub settings: StepReviewer,
    pub interventions: Interventions,
    pub notifications: Notifications,
    pub rules: CustomRules,
    pub prompts: Prompts,
    /// Names the settings; empty for the defaults.
    pub hash: String,
    /// Where the project's file is, if the user moved it.
    pub config_dir: Option<String>,
}

/// The same for the step reviewer alone, which looks on every tool call: where there is no file, two stats are enough.
pub(crate) fn load_step(
    root: &Utf8Path,
    environment: &Environment,
    path: &Utf8Path,
) -> Result<StepPolicy, Error> {
    let absent = |path: &Utf8Path| {
        std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    };
    // Only the user's file can say that the project's is elsewhere.
    if absent(&environment.user_file()) && absent(&child(root, DEFAULT_PROJECT_FILE)) {
        return Ok(StepPolicy::default());
    }
    let Loaded { settings, rules, prompts, hash, .. } = load_compiled(root, environment, path)?;
    let config_dir = Some(settings.paths.config_dir).filter(|moved| *moved != DEFAULT_CONFIG_DIR);
    Ok(StepPolicy {
        settings: settings.step_reviewer,
        interventions: settings.interventions,
        notifications: settings.notifications,
        rules,
        prompts,
        hash,
        config_dir,
    })
}

/// The settings in force, from the copy at `path` if it is fresh; otherwise from the files, renewing the copy. The copy knows no
/// webhook.
pub(crate) fn load_compiled(
    root: &Utf8Path,
    environment: &Environment,
    path: &Utf8Path,
) -> Result<Loaded, Error> {
    load_at(root, environment, path, SystemTime::now())
}

fn load_at(
    root: &Utf8Path,
    environment: &Environment,
    path: &Utf8Path,
    now: SystemTime,
) -> Result<Loaded, Error> {
    if let Some(loaded) = fresh(root, environment, path) {
        return Ok(loaded);
    }
    let loaded = load(root, environment)?;
    let copy = without_webhook(&loaded);
    if !loaded.sources.iter().any(|stamp| stamp.is_racy(now)) && !holds_secret(&copy) {
        let compiled = Compiled {
            root: root.to_owned(),
            config_home: environment.config_home.clone(),
            data_home: environment.data_home.clone(),
            loaded: copy,
        };
        // The copy only saves time: where it cannot be written, the settings are as good.
        let _ = checksummed::encode(&compiled, format()).and_then(|bytes| file::replace(path, &bytes));
    }
    Ok(loaded)
}

/// The address of a webhook is a secret, and whoever sends to it reads the file itself.
fn without_webhook(loaded: &Loaded) -> Loaded {
    let mut copy = loaded.clone();
    copy.settings.notifications.webhook_url = None;
    copy
}

/// Whether anything else looks like a secret; then there is no copy, and each hook reads the file.
fn holds_secret(loaded: &Loaded) -> bool {
    serde_json::to_string(loaded).is_ok_and(|text| redact(&text) != text)
}

fn fresh(root: &Utf8Path, environment: &Environment, path: &Utf8Path) -> Option<Loaded> {
    let mut bytes = Vec::with_capacity(4096);
    file::open_to_read(path).ok()?.take(COPY_LIMIT).read_to_end(&mut bytes).ok()?;
    let compiled: Compiled = checksummed::decode(&bytes, format())?;
    let same_place = compiled.root == root
        && compiled.config_home == environment.config_home
        && compiled.data_home == environment.data_home;
    let current = same_place && compiled.loaded.sources.iter().all(|stamp| stamp.is_current());
    current.then_some(compiled.loaded)
}

/// Another build may read the same bytes as other settings.
fn format() -> u64 {
    LAYOUT ^ fingerprint(env!("CARGO_PKG_VERSION").as_bytes()) ^ FORMAT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::config::ConfigFiles;
    use crate::edge::config::files::project_file;
    use crate::edge::config::place::ConfigFixture;
    use crate::pure::policy::Settings;
    use std::fs;
    use std::time::Duration;

    #[test]
    fn a_secret_of_the_settings_is_in_no_copy() {
        let place = ConfigFixture::new();
        // Put together at run time, so that no scanner takes this file for a leak.
        let secret = format!("{}_{}", "ghp", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi");
        let webhook = format!("notifications: {{webhook_url: 'https://chat.invalid/hooks/{secret}'}}\n");
        place.user(&webhook);
        let _ = place.try_load().unwrap();
        assert!(!String::from_utf8_lossy(&fs::read(&place.copy).unwrap()).contains(&secret));
        assert!(load(&place.root, &place.environment).unwrap().settings.notifications.webhook_url.is_some());

        fs::remove_file(&place.copy).unwrap();
        place.user(&format!("notifications: {{command: [tell, '--token={secret}']}}\n"));
        assert!(place.try_load().unwrap().settings.notifications.command.len() == 2);
        assert!(!place.copy.exists());
    }

    #[test]
    fn the_defaults_and_our_own_words_look_like_no_secret() {
        let place = ConfigFixture::new();
        assert!(!holds_secret(&load(&place.root, &place.environment).unwrap()));
    }

    impl ConfigFixture {
        /// An hour from now, when the stamps of files written now are beyond doubt.
        fn try_load(&self) -> Result<Loaded, Error> {
            load_at(&self.root, &self.environment, &self.copy, SystemTime::now() + Duration::from_secs(3600))
        }

        fn load(&self) -> Loaded {
            let loaded = self.try_load().unwrap();
            assert_eq!(loaded, load(&self.root, &self.environment).unwrap());
            loaded
        }

        fn stored(&self) -> Compiled {
            checksummed::decode(&fs::read(&self.copy).unwrap(), format()).unwrap()
        }
    }

    #[test]
    fn a_fresh_copy_is_used_instead_of_the_files() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true, critical_blocks_ship: false}\n");
        assert_eq!(place.load().ignored.len(), 1);
        let mut marked = place.stored();
        marked.loaded.hash = "from the copy".to_owned();
        fs::write(&place.copy, checksummed::encode(&marked, format()).unwrap()).unwrap();
        let loaded = place.try_load().unwrap();
        assert_eq!(loaded.hash, "from the copy");
    }

    #[test]
    fn without_files_the_step_reviewer_has_the_defaults_and_with_one_it_has_that() {
        let place = ConfigFixture::new();
        let step = || load_step(&place.root, &place.environment, &place.copy).unwrap().settings;
        assert_eq!(step(), StepReviewer::default());
        assert_eq!(Settings::default().paths.config_dir, DEFAULT_CONFIG_DIR);
        assert_eq!(project_file(DEFAULT_CONFIG_DIR), DEFAULT_PROJECT_FILE);
        place.project("step_reviewer: {rules: {max_file_operations: 7}}\n");
        assert_eq!(step().rules.max_file_operations, 7);
        fs::remove_dir_all(place.root.join(".claude")).unwrap();
        place.user("step_reviewer: {rules: {max_file_operations: 9}}\n");
        assert_eq!(step().rules.max_file_operations, 9);
    }

    #[test]
    fn the_copy_follows_every_change_touch_arrival_and_removal() {
        let place = ConfigFixture::new();
        assert!(!place.load().settings.blocking.major_blocks_ship);
        place.project("blocking: {major_blocks_ship: true}\n");
        assert!(place.load().settings.blocking.major_blocks_ship);
        place.project("blocking: {major_blocks_ship: true, minor_blocks_ship: true}\n");
        assert!(place.load().settings.blocking.minor_blocks_ship);
        let file = fs::File::options().append(true).open(&place.load().sources[1].path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let touched = place.load();
        assert_eq!(place.stored().loaded, touched);
        fs::remove_dir_all(place.root.join(".claude")).unwrap();
        assert!(!place.load().settings.blocking.minor_blocks_ship);
    }

    #[test]
    fn trust_given_or_withdrawn_reaches_the_copy() {
        let place = ConfigFixture::new();
        let text = "blocking: {critical_blocks_ship: false}\n";
        place.project(text);
        assert!(place.load().settings.blocking.critical_blocks_ship);
        let trust = ConfigFiles::read(&place.root, &place.environment).unwrap().trust;
        trust.grant(text).unwrap();
        assert!(!place.load().settings.blocking.critical_blocks_ship);
        trust.withdraw().unwrap();
        assert!(place.load().settings.blocking.critical_blocks_ship);
    }

    #[test]
    fn a_corrupt_copy_is_replaced() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        place.load();
        let good = fs::read(&place.copy).unwrap();
        let mut flipped = good.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        let truncated = good[..good.len() - 1].to_vec();
        for bad in [Vec::new(), b"junk".to_vec(), vec![0xff; 4096], truncated, flipped] {
            fs::write(&place.copy, bad).unwrap();
            assert!(place.load().settings.blocking.major_blocks_ship);
            assert_eq!(fs::read(&place.copy).unwrap(), good);
        }
    }

    #[test]
    fn many_at_once_all_see_the_same_settings_and_leave_a_whole_copy() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        place.load();
                        let _ = fs::remove_file(&place.copy);
                    }
                });
            }
        });
        let last = place.load();
        assert_eq!(place.stored().loaded, last);
        assert_eq!(fs::read_dir(place.copy.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_of_another_project_or_home_is_not_believed() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        place.load();
        let other = ConfigFixture::new();
        fs::create_dir_all(other.copy.parent().unwrap()).unwrap();
        fs::copy(&place.copy, &other.copy).unwrap();
        assert!(!other.load().settings.blocking.major_blocks_ship);
    }

    #[test]
    fn a_file_written_this_instant_is_not_yet_compiled() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        let loaded = load_at(&place.root, &place.environment, &place.copy, SystemTime::now()).unwrap();
        assert!(loaded.settings.blocking.major_blocks_ship);
        assert!(!place.copy.exists());
    }

    #[test]
    fn an_invalid_file_is_an_error_even_beside_an_older_copy() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        place.load();
        place.project("blocking: {major_blocks_ship: maybe}\n");
        assert!(matches!(place.try_load(), Err(Error::Invalid(_))));
    }

    #[test]
    fn a_copy_that_cannot_be_written_costs_only_time() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        let impossible = place.root.join(".claude/config/review-config.yaml/copy");
        let loaded = load_compiled(&place.root, &place.environment, &impossible).unwrap();
        assert!(loaded.settings.blocking.major_blocks_ship);
    }
}
