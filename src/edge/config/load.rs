//! Edge: project root and environment → the settings in force.

use super::prompts::read_prompts;
use super::rules::read_rules;
use super::source::SourceStamp;
use super::{ConfigFiles, Environment, Error};
use crate::pure::monitor::interventions::Prompts;
use crate::pure::policy::{Effective, IgnoredSetting, Settings};
use crate::pure::step::CustomRules;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// The settings in force, and what they were made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    pub settings: Settings,
    /// Names the policy; see `Effective::hash`.
    pub hash: String,
    pub ignored: Vec<IgnoredSetting>,
    /// The user's own rules.
    pub rules: CustomRules,
    /// The user's own words for soft corrections.
    pub prompts: Prompts,
    pub sources: Vec<SourceStamp>,
}

/// Reads every file again.
pub fn load(root: &Utf8Path, environment: &Environment) -> Result<Loaded, Error> {
    load_with_base(root, environment, None)
}

/// For the gate: the policy of the base commit first, then the worktree's, which may only tighten it.
pub(crate) fn load_with_base(
    root: &Utf8Path,
    environment: &Environment,
    base_text: Option<&str>,
) -> Result<Loaded, Error> {
    let files = ConfigFiles::read(root, environment)?;
    let effective = files.effective(base_text)?;
    let (rules, stamp) = match rules_path(&files, &effective) {
        Some(path) => read_rules(&path),
        None => (CustomRules::default(), None),
    };
    let (prompts, prompts_stamp) = match prompts_path(&files, &effective) {
        Some(path) => read_prompts(&path),
        None => (Prompts::default(), None),
    };
    Ok(Loaded {
        settings: effective.settings,
        hash: effective.hash,
        ignored: effective.ignored,
        rules,
        prompts,
        sources: files.stamps.into_iter().chain(stamp).chain(prompts_stamp).collect(),
    })
}

/// Where the user's own rules are.
pub fn rules_path(files: &ConfigFiles, effective: &Effective) -> Option<Utf8PathBuf> {
    let relative = effective.settings.step_reviewer.rules.custom_rules_path.as_ref()?;
    beside(files, effective, "step_reviewer.rules.custom_rules_path", relative)
}

/// Where the user's own words for soft corrections are.
pub(crate) fn prompts_path(files: &ConfigFiles, effective: &Effective) -> Option<Utf8PathBuf> {
    let relative = effective.settings.interventions.soft_correction.custom_prompts_path.as_ref()?;
    beside(files, effective, "interventions.soft_correction.custom_prompts_path", relative)
}

/// A path that a key names, beside the file that names it.
fn beside(files: &ConfigFiles, effective: &Effective, key: &str, relative: &str) -> Option<Utf8PathBuf> {
    let origin = effective.origins.get(key)?;
    let by_user = files.user.as_ref().is_some_and(|layer| layer.source == *origin);
    let source = if by_user { Utf8Path::new(origin) } else { &files.project_path };
    Some(source.parent().unwrap_or(source).join(relative))
}

/// The nearest directory upwards that holds `.git`, or else the start itself.
pub fn project_root(start: &Utf8Path) -> Utf8PathBuf {
    let root = start.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok());
    root.unwrap_or(start).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::config::place::ConfigFixture;
    use crate::pure::policy::LoopNumber;
    use std::fs;

    impl ConfigFixture {
        fn read(&self) -> Result<Loaded, Error> {
            load(&self.root, &self.environment)
        }
    }

    #[test]
    fn without_files_the_defaults_are_in_force() {
        let loaded = ConfigFixture::new().read().unwrap();
        assert_eq!(loaded.settings, Settings::default());
        assert!(loaded.sources.iter().all(|stamp| stamp.state.is_none()));
    }

    #[test]
    fn a_projects_command_waits_for_trust_and_loses_it_with_the_next_change() {
        let place = ConfigFixture::new();
        let text = "loop1:\n  checks:\n    test: [make, t]\n";
        place.project(text);
        let before = place.read().unwrap();
        assert_eq!((before.settings.loop1.checks.test.len(), before.ignored.len()), (0, 1));

        ConfigFiles::read(&place.root, &place.environment).unwrap().trust.grant(text).unwrap();
        let trusted = place.read().unwrap();
        assert_eq!(trusted.settings.loop1.checks.test, ["make", "t"]);
        assert!(trusted.ignored.is_empty());

        place.project("loop1:\n  checks:\n    test: [make, u]\n");
        let changed = place.read().unwrap();
        assert!(changed.settings.loop1.checks.test.is_empty());
    }

    #[test]
    fn the_users_file_moves_the_projects_file() {
        let place = ConfigFixture::new();
        place.project("blocking: {major_blocks_ship: true}\n");
        fs::create_dir(place.root.join("review")).unwrap();
        fs::write(place.root.join("review/review-config.yaml"), "blocking: {minor_blocks_ship: true}\n")
            .unwrap();
        place.user("paths: {config_dir: review}\n");
        let blocking = place.read().unwrap().settings.blocking;
        assert!(blocking.minor_blocks_ship && !blocking.major_blocks_ship);
    }

    #[test]
    fn the_worktree_cannot_undo_the_policy_of_the_base_commit() {
        let place = ConfigFixture::new();
        place.project("blocking: {required_loops: [1, 2], minor_blocks_ship: true}\n");
        let base = "blocking: {required_loops: [1, 2, 3], major_blocks_ship: true}\n";
        let loaded = load_with_base(&place.root, &place.environment, Some(base)).unwrap();
        assert_eq!(
            loaded.settings.blocking.required_loops,
            [LoopNumber::One, LoopNumber::Two, LoopNumber::Three]
        );
        assert!(loaded.settings.blocking.major_blocks_ship && loaded.settings.blocking.minor_blocks_ship);
        assert_eq!(loaded.ignored.len(), 1);
    }

    #[test]
    fn the_base_commit_loosens_only_with_the_content_that_is_trusted() {
        let place = ConfigFixture::new();
        let base = "blocking: {critical_blocks_ship: false}\n";
        let load = || load_with_base(&place.root, &place.environment, Some(base)).unwrap();
        assert!(load().settings.blocking.critical_blocks_ship);
        ConfigFiles::read(&place.root, &place.environment).unwrap().trust.grant(base).unwrap();
        assert!(!load().settings.blocking.critical_blocks_ship);
    }

    #[test]
    fn a_broken_policy_of_the_base_commit_is_an_error_and_not_the_defaults() {
        let place = ConfigFixture::new();
        let error = load_with_base(&place.root, &place.environment, Some("blocking: 3\n")).unwrap_err();
        assert!(error.to_string().starts_with("base commit:1: "), "{error}");
    }

    #[test]
    fn files_that_cannot_be_read_are_errors_that_name_them() {
        let place = ConfigFixture::new();
        place.user("loop1: {tier1_timeout: 0}\n");
        let message = place.read().unwrap_err().to_string();
        assert!(message.contains("review-config.yaml:1: `loop1.tier1_timeout`"), "{message}");

        place.user(&"#\n".repeat(200_000));
        assert!(matches!(place.read(), Err(Error::TooLarge { .. })));

        fs::write(place.environment.user_file(), b"\xff\xfe").unwrap();
        assert!(matches!(place.read(), Err(Error::NotText { .. })));

        fs::remove_file(place.environment.user_file()).unwrap();
        fs::create_dir(place.environment.user_file()).unwrap();
        assert!(matches!(place.read(), Err(Error::NotAFile { .. })));
    }

    #[test]
    fn the_root_is_the_nearest_repository_upwards() {
        let place = ConfigFixture::new();
        let deep = place.root.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        assert_eq!(project_root(&deep), deep);
        fs::write(place.root.join(".git"), "gitdir: elsewhere\n").unwrap();
        assert_eq!(project_root(&deep), place.root);
        fs::create_dir(place.root.join("a/.git")).unwrap();
        assert_eq!(project_root(&deep), place.root.join("a"));
    }
}
