//! Every settings key, with another value: what a user or the client sees is then another thing.
//!
//! A row names a key, a value, the settings around it and a scene. The scene is played without the value, twice, and with it:
//! without it both plays show the same, with it something else. A key without a row fails the test.

mod interventions;
mod reviews;
mod steps;
mod tasks;

use crate::context::TestContext;
use plimsoll::pure::policy::KEYS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is seen in a project with these settings.
type Scene = fn(&mut TestContext, &Settings) -> String;

struct Row {
    key: &'static str,
    value: Value,
    around: Vec<(&'static str, Value)>,
    scene: Scene,
}

fn row(key: &'static str, value: Value, scene: Scene) -> Row {
    Row { key, value, around: Vec::new(), scene }
}

impl Row {
    /// Another setting, which holds in all plays.
    fn around(mut self, key: &'static str, value: Value) -> Self {
        self.around.push((key, value));
        self
    }

    fn play(&self, with: bool) -> String {
        let mut settings = Settings(json!({}));
        for (key, value) in &self.around {
            settings.set(key, value.clone());
        }
        if with {
            settings.set(self.key, self.value.clone());
        }
        let mut context = TestContext::new();
        settings.write(&context);
        let root = context.beside("");
        let seen = (self.scene)(&mut context, &settings);
        seen.replace(root.as_str().trim_end_matches('/'), "ROOT")
    }

    /// `None` where the scene broke.
    fn seen(&self, with: bool) -> Option<String> {
        catch_unwind(AssertUnwindSafe(|| self.play(with))).ok()
    }

    /// What is seen without the value, in two plays that agree. Rows with the same scene and settings share it.
    fn usual(&self, plays: &Plays) -> Result<String, String> {
        let around: Vec<String> = self.around.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let name = (self.scene as *const () as usize, around.join(";"));
        if let Some(known) = plays.lock().unwrap().get(&name) {
            return Ok(known.clone());
        }
        match (self.seen(false), self.seen(false)) {
            (Some(one), Some(other)) if one == other => {
                plays.lock().unwrap().insert(name, one.clone());
                Ok(one)
            }
            (one, other) => {
                Err(format!("{}: the scene shows now this, now that: {one:?} {other:?}", self.key))
            }
        }
    }

    fn check(&self, plays: &Plays) -> Result<(), String> {
        let usual = self.usual(plays)?;
        match self.seen(true) {
            Some(with) if with == usual => {
                Err(format!("{}: {} changes nothing that is seen: {usual}", self.key, self.value))
            }
            Some(_) => Ok(()),
            None => Err(format!("{}: the scene broke with {}", self.key, self.value)),
        }
    }
}

/// What scenes showed without a value of their row, by scene and settings.
type Plays = Mutex<BTreeMap<(usize, String), String>>;

/// Settings as the user's file holds them; JSON is YAML.
struct Settings(Value);

impl Settings {
    fn set(&mut self, key: &str, value: Value) {
        let mut place = &mut self.0;
        for part in key.split('.') {
            if !place.is_object() {
                *place = json!({});
            }
            place = &mut place[part];
        }
        *place = value;
    }

    fn write(&self, context: &TestContext) {
        context.user_config(&format!("{}\n", self.0));
    }
}

/// Without what differs from run to run: ids, hashes and numbers of six digits or more.
fn lasting(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_id = name.chars().all(|c| c.is_ascii_hexdigit());
        let changes = name.len() >= 6 && is_id && name.contains(|c: char| c.is_ascii_digit());
        result += if changes { "#" } else { name };
        result += word.get(name.len()..).unwrap_or_default();
    }
    result
}

fn rows() -> Vec<Row> {
    [reviews::rows(), steps::rows(), interventions::rows(), tasks::rows()].into_iter().flatten().collect()
}

#[test]
fn every_settings_key_changes_what_is_seen() {
    let rows = rows();
    let known: BTreeSet<&str> = KEYS.iter().map(|key| key.name).collect();
    let played: BTreeSet<&str> = rows.iter().map(|row| row.key).collect();
    assert_eq!(known.difference(&played).collect::<Vec<_>>(), Vec::<&&str>::new(), "keys without a scene");
    assert_eq!(played.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "scenes without a key");
    let only = std::env::var("ONLY_KEY").unwrap_or_default();
    let (next, wrong, plays) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Plays::default());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if row.key.contains(&only)
                        && let Err(why) = row.check(&plays)
                    {
                        wrong.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} keys:\n{}", wrong.len(), wrong.join("\n"));
}
