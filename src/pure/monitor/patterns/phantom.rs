//! Paths and programs that do not exist: what the agent only believes to be there.

use super::call::CallMarks;
use super::errors::SAMPLE;
use super::found_pattern::FoundPattern;
use super::issue::{IssueSeverity, Sign};
use super::mask::error_line;
use super::text::{mark, start};
use super::trace::{Phantom, TraceEntry, TraceEvidence};
use crate::pure::policy::Patterns;
use crate::pure::step::fingerprint;
use std::collections::BTreeSet;

/// The path or command that a failed call did not find.
pub(super) fn phantom_of(call: &CallMarks, error: &str) -> Phantom {
    let lower = start(error, 4096).to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));
    if call.line.is_some()
        && (lower.starts_with("exit code 127") || has(&["command not found", "is not recognized as"]))
    {
        return Phantom::Command(mark(error_line(error)));
    }
    let missing = has(&[
        "does not exist",
        "no such file or directory",
        "file not found",
        "enoent",
        "cannot find the path",
    ]);
    // The client's own search tool is missing, not what it was to search.
    if !missing || has(&["posix_spawn", "spawn "]) {
        return Phantom::None;
    }
    match (&call.path, &call.line) {
        (Some(path), None) => Phantom::Path(mark(path)),
        (_, Some(_)) => Phantom::Path(mark(error_line(error))),
        (None, None) => Phantom::None,
    }
}

/// Different ones among the last calls; three guesses at once are one.
pub(super) fn detect(steps: &[TraceEntry], call: &CallMarks, patterns: &Patterns) -> Option<FoundPattern> {
    let last = steps.last()?;
    let kind = |phantom: Phantom| match phantom {
        Phantom::Path(_) => Some(Sign::PhantomPath),
        Phantom::Command(_) => Some(Sign::PhantomCommand),
        Phantom::None => None,
    };
    let sign = kind(last.phantom)?;
    let mut different = BTreeSet::new();
    let mut evidence = TraceEvidence::default();
    for step in steps.iter().rev().take(SAMPLE).filter(|step| kind(step.phantom) == Some(sign)) {
        let (Phantom::Path(name) | Phantom::Command(name)) = step.phantom else { continue };
        if different.insert(name) {
            evidence.add(step);
        }
    }
    let least = patterns.phantom_paths;
    let severity = match evidence.count {
        count if count >= least.saturating_mul(3) => IssueSeverity::High,
        count if count >= least.saturating_mul(2) => IssueSeverity::Medium,
        count if count >= least => IssueSeverity::Low,
        _ => return None,
    };
    let what = if sign == Sign::PhantomPath { "paths" } else { "commands" };
    let said =
        format!("{} different {what} that do not exist were used within {SAMPLE} calls.", evidence.count);
    let found = FoundPattern::new(sign, severity, fingerprint(what.as_bytes()), &evidence);
    Some(found.with_description(said).with_path(call.path.clone()))
}
