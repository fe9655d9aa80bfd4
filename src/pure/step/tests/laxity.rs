//! A decision never gets laxer by anything that stands around or behind a command.

use super::sample::{decided_text, examples, program_examples};
use crate::pure::step::Decision;

/// `@` stands for the command.
const AROUND: [&str; 7] =
    ["@\ntrue", "true; @", "cd . && @", "( @\n)", "{ @\n}", "if true; then @\nfi", "f() { @\n}; f"];

/// Every so many of the examples, since each is judged in every way.
const STEP: usize = 5;

#[test]
fn no_decision_gets_laxer_by_what_stands_around_a_command() {
    let rules = examples().into_iter().filter(|example| example.is_hit).filter_map(|hit| hit.command);
    let hits: Vec<&str> = rules.chain(program_examples().into_iter().map(|(hit, _)| hit)).collect();
    let mut laxer = Vec::new();
    for hit in hits.into_iter().step_by(STEP) {
        let alone = decided_text(hit).decision;
        // A rewrite needs a command that stands alone.
        if alone < Decision::Ask {
            continue;
        }
        for around in AROUND {
            let text = around.replace('@', hit);
            let decision = decided_text(&text).decision;
            if decision < alone {
                laxer.push(format!("{text:?}: {decision:?} instead of {alone:?}"));
            }
        }
    }
    assert!(laxer.is_empty(), "{} laxer:\n{}", laxer.len(), laxer.join("\n"));
}
