//! A reviewed call: its answer, and what journal and audit log keep of it.

use super::audit::{self, Answered, AuditLine};
use super::remembered::CacheUse;
use super::serve::Failure;
use super::{after, clock};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Decision, Input};
use crate::state::{Journal, Kind, Outcome, Record, Remark, fingerprint};
use crate::step::{self, Action, Need};
use std::time::{Duration, Instant};

pub struct Reviewed {
    pub answer: Answer,
    answered: Answered,
    /// What the answer rests on.
    rule: String,
    /// The command that it was given instead.
    command: Option<String>,
    decision: Option<step::Decision>,
    /// What the action is called, and by what the journal knows that.
    family: (String, u64),
    cache: CacheUse,
    /// How many milliseconds the review may take.
    limit: Option<u64>,
    /// What has to be kept before the call runs.
    pub need: Need,
}

impl Reviewed {
    /// `rule` is what the answer rests on, if it asks or denies.
    pub fn new(answer: Answer, rule: &str) -> Self {
        let (answered, rule) = match answer.decision() {
            Some(Decision::Ask) => (Answered::Ask, rule),
            Some(Decision::Deny) => (Answered::Deny, rule),
            None => (Answered::Silent, ""),
        };
        let rule = rule.to_owned();
        let (family, cache) = (Default::default(), CacheUse::NotAsked);
        Self {
            answer,
            answered,
            rule,
            command: None,
            decision: None,
            family,
            cache,
            limit: None,
            need: Need::default(),
        }
    }

    #[must_use]
    pub fn answered(self, answered: Answered, rule: &str) -> Self {
        Self { answered, rule: rule.to_owned(), ..self }
    }

    #[must_use]
    pub fn rewritten(self, command: String) -> Self {
        Self { command: Some(command), ..self }
    }

    #[must_use]
    pub fn with_decision(
        self,
        decision: step::Decision,
        action: &Action<'_>,
        cache: CacheUse,
        limit: u64,
    ) -> Self {
        let family = (action.family(), action.family_mark());
        Self { decision: Some(decision), family, cache, limit: Some(limit), ..self }
    }

    /// What the step review made of it, where it was asked.
    pub fn decision(&self) -> Option<&step::Decision> {
        self.decision.as_ref()
    }

    /// Asked about for another reason than its own; a safer input stays.
    #[must_use]
    pub fn asking(mut self, question: String, rule: &str) -> Self {
        self.answer = self.answer.asking(question);
        self.answered(Answered::Ask, rule)
    }

    #[must_use]
    pub fn needing(self, need: Need) -> Self {
        Self { need, ..self }
    }

    /// Another answer to the same call, which holds instead.
    #[must_use]
    pub fn replaced(self, answer: Answer, rule: &str) -> Self {
        let Self { decision, family, cache, limit, need, .. } = self;
        Self { decision, family, cache, limit, need, ..Self::new(answer, rule) }
    }

    #[must_use]
    pub fn with_notice(self, notice: String) -> Self {
        Self { answer: self.answer.joined(Answer::notice(notice)), ..self }
    }

    /// What the call is at its worst.
    pub fn nature(&self) -> step::Nature {
        self.decision.as_ref().map(|decision| decision.nature).unwrap_or_default()
    }

    /// Into the journal, and into the audit log if something was said, noted or risky.
    pub fn record(
        &self,
        scene: &Scene,
        input: &Input<'_>,
        call: &Call<'_>,
        begun: Instant,
    ) -> Result<(), Failure> {
        let record = self.as_record(input, call, begun.elapsed());
        Journal::open(&scene.layout.journal(&input.session_id))?.append(&record)?;
        audit::append(&self.audit_lines(input, call), scene, &input.session_id)
    }

    fn as_record(&self, input: &Input<'_>, call: &Call<'_>, took: Duration) -> Record {
        let noted = self.decision.as_ref().is_some_and(|decision| !decision.noted.is_empty());
        let (outcome, remark) = match self.answered {
            Answered::Warn => (Outcome::Context, Remark::None),
            Answered::Modify => (Outcome::Rewritten, Remark::None),
            Answered::Ask => (Outcome::Ask, Remark::None),
            Answered::AllowOnce => (Outcome::Ask, Remark::AllowedOnce),
            Answered::Deny => (Outcome::Deny, Remark::None),
            _ if noted => (Outcome::Silent, Remark::Noted),
            _ => (Outcome::Silent, Remark::None),
        };
        let limit = self.limit.map(Duration::from_millis);
        Record {
            family: self.family.1,
            rule: self.decision.as_ref().map_or(0, step::Decision::mark),
            nature: self.decision.as_ref().map(|decision| decision.nature).unwrap_or_default(),
            result: self.command.as_ref().map_or(0, |command| fingerprint(command.as_bytes())),
            remark,
            cached: self.cache == CacheUse::Hit,
            cache_asked: self.cache != CacheUse::NotAsked,
            microseconds: u32::try_from(took.as_micros()).unwrap_or(u32::MAX),
            slow: limit.is_some_and(|limit| took > limit),
            risk: self.risk().map(thousandths),
            ..after::record_of(Kind::Before, outcome, clock::milliseconds(), input, call)
        }
    }

    fn risk(&self) -> Option<f64> {
        let assessment = self.decision.as_ref().and_then(|decision| decision.assessment.as_ref());
        assessment.map(|assessment| assessment.risk.score)
    }

    fn audit_lines(&self, input: &Input<'_>, call: &Call<'_>) -> Vec<AuditLine> {
        let risk = self.risk();
        let noted = self.decision.as_ref().map_or(&[][..], |decision| &decision.noted);
        if self.answered == Answered::Silent && noted.is_empty() && risk.is_none() {
            return Vec::new();
        }
        let secrets = audit::secrets_of(call);
        let line = |answered| {
            let what = secrets.redact(&self.family.0);
            AuditLine { what, risk, ..AuditLine::new(input, call, answered) }
        };
        let mut lines: Vec<AuditLine> = noted
            .iter()
            .map(|finding| {
                let (rule, reason) = (finding.rule.as_str().to_owned(), secrets.redact(&finding.reason));
                AuditLine { rule, reason, ..line(Answered::Noted) }
            })
            .collect();
        if self.answered != Answered::Silent || (risk.is_some() && lines.is_empty()) {
            let (rule, reason) = (self.rule.clone(), secrets.redact(self.answer.told()));
            lines.push(AuditLine { rule, reason, ..line(self.answered) });
        }
        lines
    }
}

pub fn thousandths(score: f64) -> u16 {
    (score.clamp(0.0, 1.0) * 1000.0).round() as u16
}
