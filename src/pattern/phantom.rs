//! Paths and programs that do not exist: what the agent only believes to be there.

use super::call::Call;
use super::errors::SAMPLE;
use super::found::Found;
use super::issue::{Severity, Sign};
use super::masked::error_line;
use super::text::{mark, start};
use super::trace::{Evidence, Phantom, Step};
use crate::policy::Patterns;
use crate::step::fingerprint;
use std::collections::{BTreeSet, VecDeque};

/// What a failed call looked for in vain.
pub(super) fn sought(call: &Call, error: &str) -> Phantom {
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
pub(super) fn look(steps: &VecDeque<Step>, call: &Call, patterns: &Patterns) -> Option<Found> {
    let last = steps.back()?;
    let kind = |phantom: Phantom| match phantom {
        Phantom::Path(_) => Some(Sign::PhantomPath),
        Phantom::Command(_) => Some(Sign::PhantomCommand),
        Phantom::None => None,
    };
    let sign = kind(last.phantom)?;
    let mut different = BTreeSet::new();
    let mut evidence = Evidence::default();
    for step in steps.iter().rev().take(SAMPLE).filter(|step| kind(step.phantom) == Some(sign)) {
        let (Phantom::Path(name) | Phantom::Command(name)) = step.phantom else { continue };
        if different.insert(name) {
            evidence.add(step);
        }
    }
    let least = patterns.phantom_paths;
    let severity = match evidence.count {
        count if count >= least.saturating_mul(3) => Severity::High,
        count if count >= least.saturating_mul(2) => Severity::Medium,
        count if count >= least => Severity::Low,
        _ => return None,
    };
    let what = if sign == Sign::PhantomPath { "paths" } else { "commands" };
    let said =
        format!("{} different {what} that do not exist were used within {SAMPLE} calls.", evidence.count);
    let found = Found::new(sign, severity, fingerprint(what.as_bytes()), &evidence);
    Some(found.saying(said).at(call.path.clone()))
}
