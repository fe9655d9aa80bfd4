//! Files that are touched against the declared scope; without one, only a note about how many there are.

use super::call::CallMarks;
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{IssueSeverity, Refuse, Sign};
use super::session_monitor::{Contract, MonitorRules};
use super::text::mark;
use super::trace::{TraceEntry, TraceEvidence};
use crate::pure::step::fingerprint;
use globset::GlobBuilder;
use serde::{Deserialize, Serialize};

/// Nearly all prompts of honest work stay at or below these.
const USUAL_FILES: usize = 9;
const USUAL_FOLDERS: usize = 4;
const KEPT: usize = 64;

/// The files written since the last prompt, by marks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct TouchedPaths {
    files: Vec<u32>,
    folders: Vec<u32>,
    outside: Vec<u32>,
    /// Calls that wrote outside of the scope.
    outside_ids: Vec<String>,
    began: u64,
}

/// Where a path lies for the contract.
#[derive(Debug, PartialEq, Eq)]
enum Place<'a> {
    /// Below the project, relative to it.
    Project(&'a str),
    /// Somewhere for notes and scratch work.
    Scratch,
    Elsewhere(&'a str),
}

impl TouchedPaths {
    /// Takes in a call that succeeded.
    pub(super) fn record(
        &mut self,
        step: &TraceEntry,
        call: &CallMarks,
        rules: &MonitorRules<'_>,
    ) -> Vec<FoundPattern> {
        let mut found = Vec::new();
        for path in &call.writes {
            let shown = match placed(path, rules.project) {
                Place::Scratch => continue,
                Place::Project(path) | Place::Elsewhere(path) => path,
            };
            found.extend(self.against(path, shown, step, call, rules));
            found.extend(self.count(shown, step, rules.contract));
        }
        found
    }

    fn against(
        &mut self,
        path: &str,
        shown: &str,
        step: &TraceEntry,
        call: &CallMarks,
        rules: &MonitorRules<'_>,
    ) -> Option<FoundPattern> {
        let contract = rules.contract;
        let mut evidence = TraceEvidence::of(step, 1);
        if contract.forbidden.iter().any(|pattern| covers(pattern, shown)) {
            let found = FoundPattern::new(
                Sign::ForbiddenPath,
                IssueSeverity::High,
                fingerprint(shown.as_bytes()),
                &evidence,
            );
            let said = format!("{shown} was changed, which the task forbids.");
            return Some(
                found
                    .with_refusal(Refuse::Target(call.target))
                    .with_description(said)
                    .with_path(Some(shown.to_owned())),
            );
        }
        if !is_outside(path, rules) {
            return None;
        }
        if self.outside.is_empty() {
            self.began = step.time;
        }
        keep(&mut self.outside, mark(shown));
        if self.outside_ids.len() < KEPT / 4 {
            self.outside_ids.push(step.id.clone());
        }
        evidence.count = u32::try_from(self.outside.len()).unwrap_or(u32::MAX);
        let severity = severity_at(evidence.count, &rules.patterns.out_of_scope)?;
        let mut found =
            FoundPattern::new(Sign::OutOfScope, severity, fingerprint(b"out of scope"), &evidence);
        found.events.clone_from(&self.outside_ids);
        found.began = self.began;
        let said = match evidence.count {
            1 => format!("A file outside the declared scope was changed: {shown}."),
            count => {
                format!("{count} files outside the declared scope were changed, the last of them {shown}.")
            }
        };
        Some(
            found.with_refusal(Refuse::OutsideScope).with_description(said).with_path(Some(shown.to_owned())),
        )
    }

    fn count(&mut self, shown: &str, step: &TraceEntry, contract: Contract<'_>) -> Option<FoundPattern> {
        let folder = shown.rsplit_once('/').map_or("", |(folder, _)| folder);
        let new_file = keep(&mut self.files, mark(shown));
        let new_folder = keep(&mut self.folders, mark(folder));
        let (files, folders) = (self.files.len(), self.folders.len());
        let crossed = (new_file && files == USUAL_FILES + 1) || (new_folder && folders == USUAL_FOLDERS + 1);
        if !crossed || !contract.expected.is_empty() {
            return None;
        }
        let evidence = TraceEvidence::of(step, u32::try_from(files).unwrap_or(u32::MAX));
        let said = format!(
            "{files} files in {folders} directories were changed since the last message of a person."
        );
        Some(
            FoundPattern::new(Sign::ManyFiles, IssueSeverity::Note, fingerprint(b"many files"), &evidence)
                .with_description(said),
        )
    }
}

/// Whether the path lies where the contract expects no change. Without a contract, none does.
pub(super) fn is_outside(path: &str, rules: &MonitorRules<'_>) -> bool {
    let expected = rules.contract.expected;
    match placed(path, rules.project) {
        _ if expected.is_empty() => false,
        Place::Scratch => false,
        Place::Elsewhere(_) => true,
        Place::Project(path) => !expected.iter().any(|pattern| covers(pattern, path)),
    }
}

/// Whether a call is about something that the contract names.
pub(super) fn concerns(call: &CallMarks, rules: &MonitorRules<'_>) -> bool {
    let named = |path: &str| match placed(path, rules.project) {
        Place::Project(path) => rules.contract.expected.iter().any(|pattern| covers(pattern, path)),
        Place::Scratch | Place::Elsewhere(_) => false,
    };
    let mentioned = || {
        let fixed = |pattern: &&String| {
            pattern.split(['*', '?', '[', '{']).next().map(|text| text.trim_matches('/').to_owned())
        };
        let mut names = rules.contract.expected.iter().filter_map(|pattern| fixed(&pattern));
        names.any(|name| !name.is_empty() && call.what.contains(&name))
    };
    call.path.as_deref().is_some_and(named) || call.writes.iter().any(|path| named(path)) || mentioned()
}

/// Whether it was new.
fn keep(marks: &mut Vec<u32>, mark: u32) -> bool {
    let new = marks.len() < KEPT && !marks.contains(&mark);
    if new {
        marks.push(mark);
    }
    new
}

fn placed<'a>(path: &'a str, project: &str) -> Place<'a> {
    const SCRATCH: [&str; 6] =
        ["/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/dev/", "/var/tmp/"];
    let path = path.trim_start_matches("./");
    let below =
        path.strip_prefix(project).filter(|_| !project.is_empty()).and_then(|rest| rest.strip_prefix('/'));
    match below {
        Some(relative) => Place::Project(relative),
        None if path.contains("/.claude/") || SCRATCH.iter().any(|folder| path.starts_with(folder)) => {
            Place::Scratch
        }
        None if path.starts_with(['/', '~']) || path.starts_with("../") => Place::Elsewhere(path),
        None => Place::Project(path),
    }
}

/// A pattern is a glob, a file, or a directory with everything below it. One that cannot be understood covers nothing.
fn covers(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./");
    let folder = pattern.trim_end_matches('/');
    if path == folder
        || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') && !folder.is_empty())
        || pattern == "."
    {
        return true;
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_glob_a_file_or_a_directory() {
        for (pattern, path, covered) in [
            ("src/auth", "src/auth/login.rs", true),
            ("src/auth/", "src/auth/deep/login.rs", true),
            ("src/auth", "src/authority.rs", false),
            ("src/**/*.rs", "src/a/b.rs", true),
            ("src/*.rs", "src/a/b.rs", false),
            ("README.md", "README.md", true),
            ("[", "a", false),
            ("", "a", false),
        ] {
            assert_eq!(covers(pattern, path), covered, "{pattern} {path}");
        }
    }

    #[test]
    fn scratch_files_are_in_nobodys_scope() {
        assert_eq!(placed("/p/src/a.rs", "/p"), Place::Project("src/a.rs"));
        assert_eq!(placed("./src/a.rs", "/p"), Place::Project("src/a.rs"));
        assert_eq!(placed("/tmp/notes", "/p"), Place::Scratch);
        assert_eq!(placed("/tmp/p/a", "/tmp/p"), Place::Project("a"));
        assert_eq!(placed("/home/u/.claude/plans/x.md", "/p"), Place::Scratch);
        assert_eq!(placed("/pp/a", "/p"), Place::Elsewhere("/pp/a"));
        assert_eq!(placed("../a", "/p"), Place::Elsewhere("../a"));
    }
}
