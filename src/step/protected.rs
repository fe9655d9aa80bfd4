//! Plimsoll's own files: what the agent may not write, whatever the configuration says.

use super::effect::Target;
use super::pattern::Pattern;
use camino::{Utf8Path, Utf8PathBuf};

/// The list of protected places. Built by the flow, which knows where things are; judged here.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    path: Utf8PathBuf,
    what: &'static str,
    condition: Condition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Always,
    /// Only where the repository is bound to the gate.
    Gated,
    /// Not to be read either.
    Secret,
}

impl Protected {
    /// The file or everything below the directory.
    pub fn add(&mut self, path: Utf8PathBuf, what: &'static str) {
        self.entries.push(Entry { path, what, condition: Condition::Always });
    }

    pub fn add_gated(&mut self, path: Utf8PathBuf, what: &'static str) {
        self.entries.push(Entry { path, what, condition: Condition::Gated });
    }

    pub fn add_secret(&mut self, path: Utf8PathBuf, what: &'static str) {
        self.entries.push(Entry { path, what, condition: Condition::Secret });
    }

    /// What a write to this path would touch. `gated`: whether the repository is bound.
    pub fn touched_by_write(&self, path: &Utf8Path, gated: bool) -> Option<&'static str> {
        self.find(gated, |entry| path.starts_with(&entry.path))
    }

    /// What would go with this directory if it were deleted or moved with everything in it.
    pub fn touched_by_removal(&self, path: &Utf8Path, gated: bool) -> Option<&'static str> {
        self.find(gated, |entry| path.starts_with(&entry.path) || entry.path.starts_with(path))
    }

    /// What a pattern would hit, or for a removal with everything in it, take along.
    pub fn touched_by_pattern(
        &self,
        pattern: &Pattern,
        recursive: bool,
        gated: bool,
    ) -> Option<&'static str> {
        self.find(gated, |entry| match recursive {
            true => entry.path.ancestors().any(|path| pattern.matches(path)),
            false => pattern.matches(&entry.path),
        } || pattern.is_below(&entry.path))
    }

    /// Whether the answer for this path depends on the repository being bound.
    pub fn depends_on_gate(&self, path: &Utf8Path) -> bool {
        self.entries.iter().any(|entry| {
            entry.condition == Condition::Gated
                && (path.starts_with(&entry.path) || entry.path.starts_with(path))
        })
    }

    /// What reading this would give away.
    pub fn secret(&self, target: &Target) -> Option<&'static str> {
        let reads = |entry: &&Entry| match target {
            Target::Path(path) => path.starts_with(&entry.path),
            Target::Inside(directory) => entry.path.parent() == Some(directory),
            Target::Matching(pattern) => Pattern::new(pattern).matches(&entry.path),
            Target::Unknown => false,
        };
        let mut secrets = self.entries.iter().filter(|entry| entry.condition == Condition::Secret);
        secrets.find(reads).map(|entry| entry.what)
    }

    /// A protected place that the text names, by its path relative to one of `roots` or in full; `secret` leaves it at
    /// those that may not even be read.
    pub fn named_in(&self, text: &str, roots: &[&Utf8Path], secret: bool) -> Option<&'static str> {
        let named = |entry: &&Entry| {
            let relative = roots.iter().filter_map(|root| entry.path.strip_prefix(root).ok());
            std::iter::once(entry.path.as_path())
                .chain(relative)
                .any(|path| path.as_str().len() > 5 && text.contains(path.as_str()))
        };
        self.entries
            .iter()
            .filter(|entry| match secret {
                true => entry.condition == Condition::Secret,
                false => entry.condition != Condition::Gated,
            })
            .find(named)
            .map(|entry| entry.what)
    }

    fn find(&self, gated: bool, holds: impl Fn(&Entry) -> bool) -> Option<&'static str> {
        self.entries
            .iter()
            .filter(|entry| gated || entry.condition != Condition::Gated)
            .find(|entry| holds(entry))
            .map(|entry| entry.what)
    }
}
