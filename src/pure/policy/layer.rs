//! The settings of one file: keys with checked values.

use super::schema::{ASCENDING, KEYS, key};
use super::{Error, Settings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Values by dotted key.
pub(crate) type Flat = BTreeMap<&'static str, Value>;

/// The keys that one source sets. Holds only keys and values that the schema accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Where the values come from, for a person.
    pub source: String,
    pub(super) values: Flat,
}

/// Why a value did not enter a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    UnknownKey,
    Expected(String),
}

impl Layer {
    pub fn new(source: impl Into<String>) -> Self {
        Self { source: source.into(), values: Flat::new() }
    }

    pub fn insert(&mut self, name: &str, value: Value) -> Result<(), Rejected> {
        let key = key(name).ok_or(Rejected::UnknownKey)?;
        let value = key.kind.checked(value).map_err(Rejected::Expected)?;
        self.values.insert(key.name, value);
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Thresholds out of order, with defaults for unset keys: the key that the layer sets, and the problem.
    pub fn disorder(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let defaults = flatten(&Settings::default())?;
        let value = |name: &str| self.values.get(name).or_else(|| defaults.get(name)).and_then(Value::as_f64);
        let pairs = ASCENDING.iter().flat_map(|names| names.windows(2));
        let mut found = Vec::new();
        for pair in pairs {
            let [lower, upper] = pair else { continue };
            let (Some(low), Some(high)) = (value(lower), value(upper)) else { continue };
            let Some((set, _)) = [upper, lower].iter().find_map(|name| self.values.get_key_value(**name))
            else {
                continue;
            };
            if low > high {
                found.push((*set, format!("`{lower}` ({low}) must not be above `{upper}` ({high})")));
            }
        }
        Ok(found)
    }
}

/// The settings as one value per key.
pub fn flatten(settings: &Settings) -> Result<Flat, Error> {
    let tree = serde_json::to_value(settings).map_err(Error::Unfit)?;
    let leaf =
        |name: &str| tree.pointer(&format!("/{}", name.replace('.', "/"))).cloned().unwrap_or_default();
    Ok(KEYS.iter().map(|key| (key.name, leaf(key.name))).collect())
}

pub(super) fn assemble(values: &Flat) -> Result<Settings, Error> {
    let mut tree = Map::new();
    for (name, value) in values {
        plant(&mut tree, name, value.clone());
    }
    serde_json::from_value(Value::Object(tree)).map_err(Error::Unfit)
}

fn plant(tree: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            tree.insert(name.to_owned(), value);
        }
        Some((section, rest)) => {
            let branch = tree.entry(section).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(branch) = branch {
                plant(branch, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::LoopNumber;
    use serde_json::json;

    #[test]
    fn settings_survive_being_taken_apart() {
        let mut settings = Settings::default();
        settings.blocking.required_loops = vec![LoopNumber::One, LoopNumber::Three];
        settings.step_reviewer.rules.custom_rules_path = Some("rules.yaml".into());
        settings.step_reviewer.overrides = vec![crate::pure::policy::StepOverride {
            agent: Some("Explore".into()),
            ..crate::pure::policy::StepOverride::default()
        }];
        assert_eq!(assemble(&flatten(&settings).unwrap()).unwrap(), settings);
    }

    #[test]
    fn a_threshold_above_the_next_level_is_out_of_order() {
        let mut layer = Layer::new("test");
        layer.insert("step_reviewer.risk.medium_threshold", json!(0.85)).unwrap();
        let found = layer.disorder().unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "step_reviewer.risk.medium_threshold");
        layer.insert("step_reviewer.risk.high_threshold", json!(0.9)).unwrap();
        assert_eq!(layer.disorder().unwrap(), []);
    }

    #[test]
    fn a_layer_holds_nothing_the_schema_refuses() {
        let mut layer = Layer::new("test");
        assert_eq!(layer.insert("loop1", json!({})), Err(Rejected::UnknownKey));
        assert!(matches!(layer.insert("loop1.tier1_timeout", json!(0)), Err(Rejected::Expected(_))));
        assert_eq!(layer, Layer::new("test"));
    }
}
