//! One step of the demo: its actions, the expected results and their meaning.

use super::act::DemoAct;
use super::stage::{DemoOutput, DemoStage};
use crate::CommandError;
use plimsoll::pure::text::cut;

/// The number of characters shown of a long answer.
const SHOWN: usize = 480;

pub(super) struct DemoStep {
    pub(super) title: &'static str,
    pub(super) acts: Vec<(DemoAct, DemoExpectation)>,
    pub(super) meaning: &'static str,
}

/// The expected result of an action.
pub(super) struct DemoExpectation {
    pub(super) ends: Ends,
    /// Texts that the output has to contain.
    pub(super) says: &'static [&'static str],
}

#[derive(Debug)]
pub(super) enum Ends {
    Succeeded,
    /// The empty answer of a hook.
    Silent,
    Refused,
}

impl DemoStep {
    /// Runs and prints the step; the inner error describes an unexpected result.
    pub(super) fn run(&self, number: usize, stage: &DemoStage) -> Result<Result<(), String>, CommandError> {
        outln!("{number}. {}", self.title);
        for (act, expected) in &self.acts {
            let answer = act.perform(number, stage)?;
            outln!("   {act}");
            for line in cut(answer.text.trim_end(), SHOWN).lines() {
                outln!("   | {line}");
            }
            if let Err(problem) = expected.compare(&answer) {
                return Ok(Err(problem));
            }
        }
        outln!("   => {}\n", self.meaning);
        Ok(Ok(()))
    }
}

impl DemoExpectation {
    fn compare(&self, answer: &DemoOutput) -> Result<(), String> {
        let ended = match self.ends {
            Ends::Succeeded => answer.success,
            Ends::Silent => answer.success && answer.text.trim_end() == "{}",
            Ends::Refused => !answer.success,
        };
        if !ended {
            return Err(format!("expected {:?}, but the output is: {}", self.ends, answer.text));
        }
        match self.says.iter().find(|text| !answer.text.contains(**text)) {
            Some(missing) => Err(format!("`{missing}` is not in the answer: {}", answer.text)),
            None => Ok(()),
        }
    }
}
