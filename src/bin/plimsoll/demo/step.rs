//! One step of the story: what is done, what has to come of it, what that means.

use super::act::Act;
use super::stage::{Answer, Stage};
use crate::Failure;

/// Longer answers are shown up to here.
const SHOWN: usize = 480;

pub(super) struct Step {
    pub(super) title: &'static str,
    pub(super) acts: Vec<(Act, Expected)>,
    pub(super) meaning: &'static str,
}

/// How an act has to come out.
pub(super) struct Expected {
    pub(super) ends: Ends,
    /// Every one of these is in what was printed.
    pub(super) says: &'static [&'static str],
}

#[derive(Debug)]
pub(super) enum Ends {
    Well,
    /// A hook that has nothing against it.
    Silent,
    Refused,
}

impl Step {
    /// Plays and tells the step; the inner error is what came out differently.
    pub(super) fn play(&self, number: usize, stage: &Stage) -> Result<Result<(), String>, Failure> {
        println!("{number}. {}", self.title);
        for (act, expected) in &self.acts {
            let answer = act.perform(number, stage)?;
            println!("   {act}");
            for line in shortened(&answer.text).lines() {
                println!("   | {line}");
            }
            if let Err(problem) = expected.compare(&answer) {
                return Ok(Err(problem));
            }
        }
        println!("   => {}\n", self.meaning);
        Ok(Ok(()))
    }
}

impl Expected {
    fn compare(&self, answer: &Answer) -> Result<(), String> {
        let ended = match self.ends {
            Ends::Well => answer.success,
            Ends::Silent => answer.success && answer.text.trim_end() == "{}",
            Ends::Refused => !answer.success,
        };
        if !ended {
            return Err(format!("it should have ended {:?}, but said: {}", self.ends, answer.text));
        }
        match self.says.iter().find(|text| !answer.text.contains(**text)) {
            Some(missing) => Err(format!("`{missing}` is not in the answer: {}", answer.text)),
            None => Ok(()),
        }
    }
}

fn shortened(text: &str) -> String {
    let text = text.trim_end();
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}
