//! The answer to an action, from its effects and what is known about them.

use super::assess::Assessment;
use super::judge::judge;
use super::known::Known;
use super::place::Place;
use super::rule::{Course, Finding, Level};
use super::survey::Survey;

/// What is done about an action, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub course: Course,
    /// What the rules in force said, the firmest first.
    pub findings: Vec<Finding>,
    /// What rules said that are only noted here: observed, paused or switched off.
    pub noted: Vec<Finding>,
    pub assessment: Option<Assessment>,
}

/// Whether rules above the gate are enforced or only noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Enforce,
    /// Observing, paused or switched off.
    Observe,
}

pub fn decide(survey: &Survey, place: &Place, known: &Known, mode: Mode) -> Decision {
    let said = survey.found.iter().filter_map(|found| judge(found, place, known));
    let (mut findings, noted): (Vec<Finding>, Vec<Finding>) =
        said.partition(|finding| mode == Mode::Enforce || finding.level < Level::Step);
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.course), finding.level));
    let course = findings.first().map_or(Course::Allow, |finding| finding.course);
    Decision { course, findings, noted, assessment: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::effect::{Effect, Found};
    use crate::step::protected::Protected;

    fn decided(effects: &[Effect], mode: Mode) -> Decision {
        let place = Place {
            project: "/p".into(),
            cwd: "/p".into(),
            home: "/h".into(),
            protected: Protected::default(),
        };
        let found = effects.iter().map(|effect| Found {
            effect: effect.clone(),
            span: 0..0,
            privileged: false,
            typed: true,
            inside: None,
        });
        let survey = Survey { found: found.collect(), ..Survey::default() };
        decide(&survey, &place, &Known { gated: Some(true), ..Known::default() }, mode)
    }

    #[test]
    fn observing_silences_the_step_rules_and_hides_nothing_firmer_behind_them() {
        let opaque = Effect::Opaque { why: "x".into() };
        let bypass = Effect::Bypass { how: "x".into() };
        assert_eq!(decided(std::slice::from_ref(&opaque), Mode::Enforce).course, Course::Ask);
        let observed = decided(std::slice::from_ref(&opaque), Mode::Observe);
        assert_eq!((observed.course, observed.noted.len()), (Course::Allow, 1));
        for effects in [[opaque.clone(), bypass.clone()], [bypass, opaque]] {
            let decision = decided(&effects, Mode::Observe);
            assert_eq!(decision.course, Course::Block);
            assert_eq!(decision.findings.first().map(|finding| finding.level), Some(Level::Gate));
        }
        assert_eq!(decided(&[Effect::ForkBomb], Mode::Observe).course, Course::Block);
    }
}
