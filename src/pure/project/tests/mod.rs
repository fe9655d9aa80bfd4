//! Projects as lists of files and texts, and the commands that check them.

mod languages;
mod node;
mod places;
mod tasks;

use super::{CheckKind, CheckPlan, Checks, Manifest, Manifests, PlannedCheck};
use crate::pure::policy::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// Files and their texts; `>path` is on disk without being part of the content.
fn project(files: &[(&str, &str)]) -> Manifests {
    let (local, content): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| name.starts_with('>'));
    let names: BTreeSet<String> = content.iter().map(|(name, _)| name.to_string()).collect();
    let wanted = Manifests::wanted(&names);
    let text = |(name, text): &(&str, &str)| (name.to_string(), Manifest::Text(text.to_string()));
    let texts: BTreeMap<String, Manifest> =
        content.iter().map(text).filter(|(name, _)| wanted.texts.contains(name)).collect();
    let local: BTreeSet<String> = local.iter().map(|(name, _)| name.replacen('>', "", 1)).collect();
    Manifests::new(names, texts, local.into_iter().filter(|path| wanted.local.contains(path)).collect())
}

/// One line per plan: `name: command line`, `name: - reason` or `name: ? reason`; with `@folder` where that is not the top.
fn line(planned: PlannedCheck) -> String {
    let place = if planned.directory.is_empty() { String::new() } else { format!(" @{}", planned.directory) };
    match planned.plan {
        CheckPlan::Run(command) => format!("{}: {}{place}", planned.name, command.argv.join(" ")),
        CheckPlan::Missing { reason } => format!("{}: - {reason}{place}", planned.name),
        CheckPlan::Unknown { reason } => format!("{}: ? {reason}{place}", planned.name),
    }
}

fn lines(manifests: &Manifests, settings: &Settings, kinds: &[CheckKind]) -> Vec<String> {
    Checks::detect(manifests, settings).of(kinds).into_iter().map(line).collect()
}

/// The checks of loop 1.
fn detected(files: &[(&str, &str)]) -> Vec<String> {
    let kinds = [&CheckKind::TIER1[..], &CheckKind::TIER2].concat();
    lines(&project(files), &Settings::default(), &kinds)
}

/// The checks of loop 4.
fn beyond(files: &[(&str, &str)]) -> Vec<String> {
    lines(&project(files), &Settings::default(), &CheckKind::LOOP4)
}

/// Only the commands that would run, in loop 1.
fn commands(files: &[(&str, &str)]) -> Vec<String> {
    detected(files).into_iter().filter(|line| !line.contains(": - ")).collect()
}
