//! The policy of an attestation, and whether it is at least as strict as another.

use crate::pure::policy::{KEYS, KeyKind, Settings, SettingsKey, Stricter, evidence_hash};
use crate::pure::text::digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The settings that decide what a review proves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AttestedPolicy {
    /// The hash that receipts carry.
    pub hash: String,
    /// Settings that have a stricter direction, by their dotted name.
    pub settings: BTreeMap<String, Value>,
    /// Digests of the commands that replace what was detected.
    pub commands: BTreeMap<String, String>,
}

impl AttestedPolicy {
    pub fn of(settings: &Settings) -> Self {
        let values = serde_json::to_value(settings).unwrap_or_default();
        let value = |key: &SettingsKey| values.pointer(&format!("/{}", key.name.replace('.', "/"))).cloned();
        let mut policy = Self { hash: evidence_hash(settings), ..Self::default() };
        for key in KEYS.iter().filter(|key| decides(key)) {
            let Some(value) = value(key) else { continue };
            match key.kind {
                KeyKind::Command if value.as_array().is_some_and(Vec::is_empty) => {}
                KeyKind::Command => {
                    policy.commands.insert(key.name.into(), digest(value.to_string()));
                }
                _ => {
                    policy.settings.insert(key.name.into(), value);
                }
            }
        }
        policy
    }

    /// The settings in which this policy is laxer than `required`. A setting that is missing is laxer.
    pub fn laxer_than(&self, required: &Self) -> Vec<String> {
        let laxer = |(name, wanted): &(&String, &Value)| {
            let key = KEYS.iter().find(|key| key.name == name.as_str());
            let attested = self.settings.get(*name);
            let stricter = |key: &SettingsKey| {
                attested.is_some_and(|value| key.stricter.refusal(key.kind, wanted, value).is_none())
            };
            attested != Some(*wanted) && !key.is_some_and(stricter)
        };
        let settings = required.settings.iter().filter(laxer).map(|(name, _)| name.clone());
        let other = |(name, digest): &(&String, &String)| self.commands.get(*name) != Some(*digest);
        // A command has no order: only the same one is as strict.
        let commands = required.commands.iter().filter(other).map(|(name, _)| name.clone());
        settings.chain(commands).collect()
    }
}

fn decides(key: &SettingsKey) -> bool {
    let of_review = ["loop1.", "loop2.", "loop3.", "loop4.", "blocking."];
    let ordered = !matches!(key.stricter, Stricter::Neutral | Stricter::AfterTrust | Stricter::UserOnly);
    of_review.iter().any(|section| key.name.starts_with(section)) && (ordered || key.kind == KeyKind::Command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::LoopNumber;

    fn laxer(change: impl Fn(&mut Settings)) -> (Vec<String>, Vec<String>) {
        let mut changed = Settings::default();
        change(&mut changed);
        let (default, changed) = (AttestedPolicy::of(&Settings::default()), AttestedPolicy::of(&changed));
        (changed.laxer_than(&default), default.laxer_than(&changed))
    }

    #[test]
    fn the_same_policy_is_as_strict() {
        assert_eq!(laxer(|_| ()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn each_direction_counts() {
        let one = |name: &str| vec![name.to_owned()];
        let fewer = laxer(|settings| settings.blocking.required_loops = vec![LoopNumber::One]);
        assert_eq!(fewer, (one("blocking.required_loops"), Vec::new()));
        let stricter = laxer(|settings| settings.blocking.major_blocks_ship = true);
        assert_eq!(stricter, (Vec::new(), one("blocking.major_blocks_ship")));
        // A command that the base names has to be the same; naming one where the base names none is free.
        let command = laxer(|settings| settings.loop1.checks.test = vec!["make".into()]);
        assert_eq!(command, (Vec::new(), one("loop1.checks.test")));
    }

    #[test]
    fn a_setting_that_is_not_attested_is_laxer() {
        let mut partial = AttestedPolicy::of(&Settings::default());
        partial.settings.remove("blocking.secrets_block_ship");
        let required = AttestedPolicy::of(&Settings::default());
        assert_eq!(partial.laxer_than(&required), ["blocking.secrets_block_ship"]);
    }

    #[test]
    fn no_command_is_spelled_out() {
        let mut settings = Settings::default();
        settings.loop3.command = vec!["reviewer".into(), "--token=abc".into()];
        assert!(!serde_json::to_string(&AttestedPolicy::of(&settings)).unwrap().contains("token"));
    }
}
