//! Slow-changing facts of a session: the goal, a requested review, a requested override. Written by prompt hooks.

use super::error::Error;
use super::layout::StateLayout;
use super::lock::Lock;
use super::permission::PermissionRequest;
use super::store::{read_bounded, read_json, write_json};
use crate::pure::policy::LoopNumber;
use crate::pure::review::ReviewScope;
use crate::pure::secret::Redacted;
use crate::pure::step::fingerprint;
use serde::{Deserialize, Serialize};

const VERSION: u64 = 1;
/// Prompts remembered as answered: Submit and Expansion of one prompt arrive close together.
const REMEMBERED: usize = 16;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionFacts {
    pub version: u64,
    /// The person's last request, bounded.
    pub goal: Option<Redacted>,
    /// Which hook acted on which prompt, so that each acts once.
    pub acted: Vec<String>,
    pub review: Option<ReviewRequest>,
    pub r#override: Option<PermissionRequest>,
    pub recovery: Option<PermissionRequest>,
    /// The client's own PATH and toolchain variables, before any command could change them.
    pub environment: Vec<(String, String)>,
    /// The program that `session-start` ran as: which registration started it.
    pub program: Option<String>,
    /// Fields that another version of Plimsoll wrote.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

/// A `/review` that a person typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRequest {
    pub loops: Vec<LoopNumber>,
    /// The options for `plimsoll review run`, besides the loop.
    pub options: Vec<String>,
    #[serde(default)]
    pub scope: ReviewScope,
    #[serde(default)]
    pub base: Option<String>,
    /// The files that reviewers keep to; empty means all files.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Loop agents start only when this is true.
    pub confirmed: bool,
    /// Another prompt came after it, so that a bare yes answers something else.
    #[serde(default)]
    pub passed_over: bool,
    pub time: u64,
}

impl ReviewRequest {
    /// Milliseconds after which nobody remembers having asked.
    const LASTS: u64 = 60 * 60 * 1000;

    pub fn is_recent(&self, now: u64) -> bool {
        now.saturating_sub(self.time) <= Self::LASTS
    }
}

impl Default for SessionFacts {
    fn default() -> Self {
        Self {
            version: VERSION,
            goal: None,
            acted: Vec::new(),
            review: None,
            r#override: None,
            recovery: None,
            environment: Vec::new(),
            program: None,
            other: serde_json::Map::new(),
        }
    }
}

impl SessionFacts {
    /// True the first time `who` acts on `prompt`.
    pub fn first_time(&mut self, who: &str, prompt: &str) -> bool {
        // Where the client gives no id, the prompt itself is what is known.
        let mark = format!("{who} {:016x}", fingerprint(prompt.as_bytes()));
        if self.acted.contains(&mark) {
            return false;
        }
        self.acted.push(mark);
        let excess = self.acted.len().saturating_sub(REMEMBERED);
        self.acted.drain(..excess);
        true
    }
}

/// Facts as they are; a session without any has the defaults.
pub fn read(layout: &StateLayout, session: &str) -> Result<SessionFacts, Error> {
    Ok(read_json(&layout.session_facts(session), VERSION)?.unwrap_or_default())
}

/// The goal alone, if there is one that can be read.
pub(crate) fn goal(layout: &StateLayout, session: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Goal {
        goal: Option<String>,
    }
    let bytes = read_bounded(&layout.session_facts(session)).ok()??;
    serde_json::from_slice::<Goal>(&bytes).ok()?.goal
}

/// Reads, changes and writes the facts under the session's lock.
pub fn edit<T>(
    layout: &StateLayout,
    session: &str,
    change: impl FnOnce(&mut SessionFacts) -> T,
) -> Result<T, Error> {
    let _lock = Lock::acquire(&layout.session_lock(session))?;
    let before = read(layout, session)?;
    let mut after = before.clone();
    let result = change(&mut after);
    if after != before {
        write_json(&layout.session_facts(session), &after)?;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn layout() -> (tempfile::TempDir, StateLayout) {
        let directory = tempfile::tempdir().unwrap();
        let layout =
            StateLayout::in_repository(&Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap());
        (directory, layout)
    }

    #[test]
    fn submit_and_expansion_of_one_prompt_act_once_in_any_order() {
        let (_directory, layout) = layout();
        let act =
            |who: &str, prompt: &str| edit(&layout, "s", |facts| facts.first_time(who, prompt)).unwrap();
        assert!(act("review", "p1"));
        assert!(!act("review", "p1"));
        assert!(act("ship", "p1"));
        assert!(act("review", "p2"));
    }

    #[test]
    fn concurrent_edits_are_all_kept() {
        let (_directory, layout) = layout();
        std::thread::scope(|scope| {
            for n in 0..10 {
                let layout = &layout;
                scope.spawn(move || {
                    edit(layout, "s", |facts| facts.environment.push((n.to_string(), String::new()))).unwrap()
                });
            }
        });
        assert_eq!(read(&layout, "s").unwrap().environment.len(), 10);
    }

    #[test]
    fn fields_that_this_version_does_not_know_are_kept() {
        let (_directory, layout) = layout();
        super::super::store::write_atomic(
            &layout.session_facts("s"),
            br#"{"version":1,"limits":{"calls":7}}"#,
        )
        .unwrap();
        edit(&layout, "s", |facts| facts.goal = Some(Redacted::new("g"))).unwrap();
        let text = std::fs::read_to_string(layout.session_facts("s")).unwrap();
        assert!(text.contains("\"limits\"") && text.contains("\"calls\": 7"), "{text}");
    }
}
