//! Merges the settings of several files into the values in force.

use super::layer::{Flat, Layer, assemble, flatten};
use super::schema::{KEYS, key};
use super::stricter::{LooserValue, Stricter};
use super::{Error, Settings};
use crate::pure::text::short_digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The layer of a project, and whether a person trusts its exact content.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectLayer {
    pub layer: Layer,
    pub trusted: bool,
}

/// A project's value that is not in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredSetting {
    pub key: String,
    /// As JSON.
    pub value: String,
    pub source: String,
    pub reason: LooserValue,
}

/// The outcome of merging.
#[derive(Debug, Clone, PartialEq)]
pub struct Effective {
    pub settings: Settings,
    /// Who set each value that no default supplied.
    pub origins: BTreeMap<&'static str, String>,
    pub ignored: Vec<IgnoredSetting>,
    /// Identifies the policy; settings of convenience do not change it.
    pub hash: String,
}

/// The user's file may set any value; each project layer, in order, may only tighten the values before it, unless it is
/// trusted.
pub fn effective(user: Option<&Layer>, projects: &[ProjectLayer]) -> Result<Effective, Error> {
    let mut values = flatten(&Settings::default())?;
    let mut origins = BTreeMap::new();
    let mut ignored = Vec::new();
    for (name, value) in user.iter().flat_map(|layer| &layer.values) {
        values.insert(name, value.clone());
        origins.extend(user.map(|layer| (*name, layer.source.clone())));
    }
    for ProjectLayer { layer, trusted } in projects {
        for (name, value) in &layer.values {
            let Some((key, current)) = key(name).zip(values.get(name)) else { continue };
            if value == current {
                continue;
            }
            let refusal = key.stricter.refusal(key.kind, current, value);
            match refusal.filter(|refusal| !trusted || *refusal == LooserValue::UserOnly) {
                None => {
                    values.insert(key.name, value.clone());
                    origins.insert(key.name, layer.source.clone());
                }
                Some(reason) => ignored.push(IgnoredSetting {
                    key: key.name.to_owned(),
                    value: value.to_string(),
                    source: layer.source.clone(),
                    reason,
                }),
            }
        }
    }
    Ok(Effective { settings: assemble(&values)?, origins, ignored, hash: hash(&values)? })
}

/// Ignores neutral keys, so that switching off a spinner does not invalidate a review.
fn hash(values: &Flat) -> Result<String, Error> {
    let neutral = |name: &str| KEYS.iter().any(|key| key.name == name && key.stricter == Stricter::Neutral);
    let policy: BTreeMap<_, _> = values.iter().filter(|(name, _)| !neutral(name)).collect();
    let canonical = serde_json::to_vec(&policy).map_err(Error::Unfit)?;
    Ok(short_digest(canonical, 32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::KeyKind;
    use crate::pure::policy::LoopNumber;
    use serde_json::{Value, json};

    fn layer(source: &str, values: &[(&str, Value)]) -> Layer {
        let mut layer = Layer::new(source);
        for (name, value) in values {
            layer.insert(name, value.clone()).unwrap();
        }
        layer
    }

    fn project(trusted: bool, values: &[(&str, Value)]) -> ProjectLayer {
        ProjectLayer { layer: layer("project", values), trusted }
    }

    const LOOSE: &[(&str, Value)] = &[("blocking.critical_blocks_ship", Value::Bool(false))];

    #[test]
    fn no_file_means_the_defaults() {
        let effective = effective(None, &[]).unwrap();
        assert_eq!(effective.settings, Settings::default());
        assert!(effective.origins.is_empty() && effective.ignored.is_empty());
    }

    #[test]
    fn a_projects_file_cannot_loosen_the_gate() {
        let loosening = [
            ("blocking.required_loops", json!([])),
            ("blocking.required_loops", json!([1])),
            ("blocking.critical_blocks_ship", json!(false)),
            ("blocking.secrets_block_ship", json!(false)),
            ("blocking.build_failure_blocks_ship", json!(false)),
            ("blocking.test_failure_blocks_ship", json!(false)),
            ("blocking.max_evidence_age_minutes", json!(600)),
            ("blocking.max_rounds", json!(50)),
            ("loop2.enabled", json!(false)),
            ("loop2.model", json!("haiku")),
            ("loop2.timeout", json!(1)),
            ("loop1.checks.test", json!(["true"])),
            ("step_reviewer.mode", json!("observe")),
            ("step_reviewer.rules.disabled", json!(["prevent_recursive_deletion"])),
        ];
        let defaults = effective(None, &[]).unwrap();
        for (name, value) in loosening {
            let merged = effective(None, &[project(false, &[(name, value)])]).unwrap();
            assert_eq!(merged.settings, Settings::default(), "{name}");
            assert_eq!(merged.hash, defaults.hash, "{name}");
            assert_eq!(merged.ignored.len(), 1, "{name}");
        }
    }

    #[test]
    fn a_projects_file_tightens_freely() {
        let merged =
            effective(None, &[project(false, &[("blocking.required_loops", json!([1, 2, 4]))])]).unwrap();
        assert_eq!(
            merged.settings.blocking.required_loops,
            [LoopNumber::One, LoopNumber::Two, LoopNumber::Four]
        );
        assert_eq!(merged.origins.get("blocking.required_loops").map(String::as_str), Some("project"));
        assert!(merged.ignored.is_empty());
    }

    #[test]
    fn the_users_file_does_as_it_likes() {
        let user = layer("user", &[("blocking.required_loops", json!([1])), ("review.runner", json!(["x"]))]);
        let merged = effective(Some(&user), &[]).unwrap();
        assert_eq!(merged.settings.blocking.required_loops, [LoopNumber::One]);
        assert_eq!(merged.settings.review.runner, ["x"]);
    }

    #[test]
    fn a_project_tightens_relative_to_the_user_not_to_the_defaults() {
        let user = layer("user", &[("blocking.max_rounds", json!(10))]);
        let merged = effective(Some(&user), &[project(false, &[("blocking.max_rounds", json!(7))])]).unwrap();
        assert_eq!(merged.settings.blocking.max_rounds, 7);
    }

    #[test]
    fn trust_lets_a_project_loosen_and_name_commands_but_not_move_its_own_file() {
        let trusted = project(
            true,
            &[
                ("blocking.critical_blocks_ship", json!(false)),
                ("loop1.checks.test", json!(["make", "t"])),
                ("paths.config_dir", json!("elsewhere")),
            ],
        );
        let merged = effective(None, &[trusted]).unwrap();
        assert!(!merged.settings.blocking.critical_blocks_ship);
        assert_eq!(merged.settings.loop1.checks.test, ["make", "t"]);
        assert_eq!(merged.settings.paths.config_dir, ".claude/config");
        assert_eq!(merged.ignored.iter().map(|i| i.reason).collect::<Vec<_>>(), [LooserValue::UserOnly]);
    }

    #[test]
    fn a_later_project_layer_cannot_take_back_what_an_earlier_one_tightened() {
        let base = project(false, &[("blocking.major_blocks_ship", json!(true))]);
        let worktree = project(false, &[("blocking.major_blocks_ship", json!(false))]);
        let merged = effective(None, &[base, worktree]).unwrap();
        assert!(merged.settings.blocking.major_blocks_ship);
        assert_eq!(merged.ignored.len(), 1);
    }

    #[test]
    fn an_ignored_value_says_where_it_stood_and_why() {
        let merged = effective(None, &[project(false, LOOSE)]).unwrap();
        let expected = IgnoredSetting {
            key: "blocking.critical_blocks_ship".into(),
            value: "false".into(),
            source: "project".into(),
            reason: LooserValue::Loosens,
        };
        assert_eq!(merged.ignored, [expected]);
    }

    #[test]
    fn the_hash_follows_policy_and_not_convenience() {
        let hash = |values: &[(&str, Value)]| effective(Some(&layer("user", values)), &[]).unwrap().hash;
        let plain = hash(&[]);
        assert_eq!(plain.len(), 32);
        assert_eq!(hash(&[("output.show_progress_spinners", json!(false))]), plain);
        assert_ne!(hash(LOOSE), plain);
    }

    #[test]
    fn whatever_the_schema_accepts_fits_the_settings() {
        for key in KEYS {
            let values = match key.kind {
                KeyKind::Word(words) => words.iter().map(|word| json!(word)).collect(),
                KeyKind::Count(least, most) => vec![json!(least), json!(most)],
                KeyKind::Seconds(least) => vec![json!(least), json!(86_400)],
                KeyKind::Fraction => vec![json!(0), json!(1)],
                KeyKind::OptionalText | KeyKind::OptionalPath => vec![json!(null), json!("x")],
                KeyKind::Flag | KeyKind::Text | KeyKind::Path => Vec::new(),
                KeyKind::Texts
                | KeyKind::Words(_)
                | KeyKind::Command
                | KeyKind::Patterns
                | KeyKind::Loops
                | KeyKind::Overrides => {
                    vec![json!([])]
                }
            };
            for value in values {
                effective(Some(&layer("user", &[(key.name, value)])), &[]).unwrap();
            }
        }
    }
}
