//! The examples of every rule and of every row about a program.

mod any_program;
mod laxity;
mod near_gate;
mod partly_known;
mod reach;
mod roundabout;
pub(crate) mod sample;
mod shown_secrets;

use super::sample::{decided_call, decided_text, examples, program_examples, shell};
use super::{Decision, RuleFinding, catalogue};

#[test]
fn every_rule_speaks_at_its_hits_and_not_at_its_misses() {
    let mut wrong = Vec::new();
    for example in examples() {
        let (rule, decision) = (example.rule, example.decided());
        assert!(catalogue::ALL.iter().any(|known| known.name == rule), "unknown rule {rule}");
        let mut said = decision.findings.iter().chain(&decision.noted);
        if example.is_hit && !said.any(|finding| finding.rule.as_str() == rule) {
            wrong.push(format!("{rule} is silent at {example:?}: {:?}", decision.findings));
        }
        if !example.is_hit && decision.findings.iter().any(|finding| finding.decision > Decision::Warn) {
            wrong.push(format!("{example:?} is not a miss: {:?}", decision.findings));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn findings_at_hits() -> impl Iterator<Item = RuleFinding> {
    examples().into_iter().filter(|example| example.is_hit).flat_map(|hit| hit.decided().findings)
}

#[test]
fn every_row_about_a_program_tells_its_hit_from_its_near_miss() {
    let mut wrong = Vec::new();
    for (hit, miss) in program_examples() {
        if shell(hit).decision < Decision::Ask {
            wrong.push(format!("silent: {hit}"));
        }
        if shell(miss).decision >= Decision::Ask {
            wrong.push(format!("not silent: {miss}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_alternative_that_a_rule_names_passes_itself() {
    let mut wrong = Vec::new();
    for finding in findings_at_hits() {
        let name = finding.rule.as_str();
        if let Some(command) = &finding.alternative
            && decided_text(command).decision > Decision::Warn
        {
            wrong.push(format!("{name}: `{command}` is refused itself"));
        }
        if let Some(input) = &finding.instead
            && decided_call("Bash".into(), input.clone()).decision > Decision::Warn
        {
            wrong.push(format!("{name}: {input} is refused itself"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_rule_says_fits_into_a_message() {
    for finding in findings_at_hits() {
        let text = format!("Plimsoll [{}]: {}", finding.rule.as_str(), finding.reason);
        assert!(text.chars().count() <= 290, "{text}");
    }
}
