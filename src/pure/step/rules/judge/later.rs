//! Effects of a script that is written now and runs later. The run is judged when it happens; a script is refused only for
//! effects that no script should have.

use super::{Case, judge};
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Effect, FoundEffect, Runs};
use crate::pure::step::rule::{Rule, RuleFinding};

/// Harmful wherever the script runs.
const ANYWHERE: [&Rule; 5] = [
    &rules::RUN_FETCHED_CODE,
    &rules::NETWORK_SHELL,
    &rules::SEND_SECRET,
    &rules::METADATA_ADDRESS,
    &rules::FORK_BOMB,
];
/// Harmful on a machine that is not thrown away after the run.
const HERE: [&Rule; 3] = [&rules::SYSTEM_OR_HOME, &rules::FORMAT_DEVICE, &rules::DEVICE];

pub(super) fn running(case: &Case<'_>, effect: &Effect, runs: Runs) -> Option<RuleFinding> {
    let span = case.found.span.clone();
    let found = FoundEffect { effect: effect.clone(), span, privileged: false, typed: false, inside: None };
    let finding = judge(&found, case.place, case.known)?;
    let names = |rules: &[&Rule]| rules.iter().any(|rule| rule.name == finding.rule.as_str());
    let counts = names(&ANYWHERE) || (runs == Runs::Here && names(&HERE));
    let link = if finding.reason.starts_with("would ") { " " } else { ": " };
    counts.then(|| case.finding(&rules::HARMFUL_SCRIPT, format!("the script{link}{}", finding.reason)))
}
