//! What a script would do that is only written now. Running it is looked at when it happens; here counts what nobody
//! should find in a script at all.

use super::judge;
use crate::step::catalogue as rules;
use crate::step::effect::{Effect, Found, Runs};
use crate::step::known::Known;
use crate::step::place::Place;
use crate::step::rule::{Finding, Rule};
use std::ops::Range;

/// Bad wherever it runs.
const ANYWHERE: [&Rule; 5] = [
    &rules::RUN_FETCHED_CODE,
    &rules::NETWORK_SHELL,
    &rules::SEND_SECRET,
    &rules::METADATA_ADDRESS,
    &rules::FORK_BOMB,
];
/// Bad on a machine that somebody keeps.
const HERE: [&Rule; 3] = [&rules::SYSTEM_OR_HOME, &rules::FORMAT_DEVICE, &rules::DEVICE];

pub fn running(
    effect: &Effect,
    runs: Runs,
    span: &Range<usize>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    let found =
        Found { effect: effect.clone(), span: span.clone(), privileged: false, typed: false, inside: None };
    let finding = judge(&found, place, known)?;
    let names = |rules: &[&Rule]| rules.iter().any(|rule| rule.name == finding.rule.as_str());
    let counts = names(&ANYWHERE) || (runs == Runs::Here && names(&HERE));
    let link = if finding.reason.starts_with("would ") { "" } else { "does this: " };
    counts.then(|| rules::HARMFUL_SCRIPT.finding(format!("the script {link}{}", finding.reason), span))
}
