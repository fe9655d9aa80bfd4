//! A reviewed call: its answer, and what journal and audit log keep of it.

use super::action_report::ActionReport;
use super::audit::{self, AuditLine, AuditWord, NotedRule};
use super::journal::record_of;
use super::silence_cache::CacheUse;
use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::edge::state::{Journal, JournalRecord, Outcome, RecordKind, RecordRemark, fingerprint};
use crate::pure::client::{Answer, PermissionDecision};
use crate::pure::secret::{Secrets, may_hold_secret};
use crate::pure::step::sessions::Claim;
use crate::pure::step::{self, Decision, Need};
use std::time::{Duration, Instant};

pub(crate) struct ReviewedCall {
    pub answer: Answer,
    given: Decision,
    /// Asked instead of denied, since a person requested it.
    allowed_once: bool,
    /// The rule behind the answer.
    rule: String,
    /// The command that it was given instead.
    command: Option<String>,
    decision: Option<step::StepDecision>,
    /// By what the journal knows the action's family.
    family: u64,
    /// The report of the action in the audit log.
    report: Option<ActionReport>,
    cache: CacheUse,
    /// How many milliseconds the review may take.
    limit: Option<u64>,
    /// The decisions that are only recorded here: the decision, who made it, and the reason.
    would_have: Vec<(Decision, &'static str, String)>,
    /// The files to keep before the call runs.
    pub need: Need,
    /// The files and lines that the call writes.
    pub claims: Vec<Claim>,
}

impl ReviewedCall {
    /// `rule` is what the answer rests on, if it asks or denies.
    pub fn new(answer: Answer, rule: &str) -> Self {
        let (given, rule) = match answer.decision() {
            Some(PermissionDecision::Ask) => (Decision::Ask, rule),
            Some(PermissionDecision::Deny) => (Decision::Deny, rule),
            None => (Decision::Silent, ""),
        };
        let rule = rule.to_owned();
        Self {
            answer,
            given,
            allowed_once: false,
            rule,
            command: None,
            decision: None,
            family: 0,
            report: None,
            cache: CacheUse::NotAsked,
            limit: None,
            would_have: Vec::new(),
            need: Need::default(),
            claims: Vec::new(),
        }
    }

    #[must_use]
    pub fn given(self, given: Decision, rule: &str) -> Self {
        Self { given, rule: rule.to_owned(), ..self }
    }

    #[must_use]
    pub fn allowed_once(self) -> Self {
        Self { allowed_once: true, ..self }
    }

    pub fn is_denied(&self) -> bool {
        self.given == Decision::Deny
    }

    #[must_use]
    pub fn rewritten(self, command: String) -> Self {
        Self { command: Some(command), ..self }
    }

    #[must_use]
    pub fn with_decision(
        self,
        decision: step::StepDecision,
        family: u64,
        cache: CacheUse,
        limit: u64,
    ) -> Self {
        Self { decision: Some(decision), family, cache, limit: Some(limit), ..self }
    }

    #[must_use]
    pub fn with_report(self, report: ActionReport) -> Self {
        Self { report: Some(report), ..self }
    }

    /// The decision of the step review, if it ran.
    pub fn decision(&self) -> Option<&step::StepDecision> {
        self.decision.as_ref()
    }

    /// Asked about for another reason than its own; a safer input stays.
    #[must_use]
    pub fn asking(mut self, question: String, rule: &str) -> Self {
        self.answer = self.answer.into_question(question);
        self.allowed_once = false;
        self.given(Decision::Ask, rule)
    }

    /// The call stays as it is answered; the audit log tells what was due.
    #[must_use]
    pub fn would_have(mut self, decision: Decision, rule: &'static str, reason: &str) -> Self {
        self.would_have.push((decision, rule, reason.to_owned()));
        self
    }

    #[must_use]
    pub fn needing(self, need: Need) -> Self {
        Self { need, ..self }
    }

    #[must_use]
    pub fn claiming(self, claims: Vec<Claim>) -> Self {
        Self { claims, ..self }
    }

    /// Another answer to the same call, which holds instead.
    #[must_use]
    pub fn replaced(self, answer: Answer, rule: &str) -> Self {
        let Self { decision, family, report, cache, limit, would_have, need, claims, .. } = self;
        Self { decision, family, report, cache, limit, would_have, need, claims, ..Self::new(answer, rule) }
    }

    #[must_use]
    pub fn with_notice(self, notice: String) -> Self {
        Self { answer: self.answer.merge(Answer::notice(notice)), ..self }
    }

    /// The nature of the call at its worst.
    pub fn nature(&self) -> step::Nature {
        self.decision.as_ref().map(|decision| decision.nature).unwrap_or_default()
    }

    /// Into the journal and the audit log.
    pub fn record(&self, event: ToolEvent<'_>, begun: Instant) -> Result<(), Failure> {
        let took = begun.elapsed();
        let record = self.as_record(event, took);
        Journal::open(&event.workspace.layout.journal(&event.input.session_id))?.append(&record)?;
        audit::append(event, self.audit_line(event, took))
    }

    fn as_record(&self, event: ToolEvent<'_>, took: Duration) -> JournalRecord {
        let noted = !self.would_have.is_empty()
            || self.decision.as_ref().is_some_and(|decision| !decision.noted.is_empty());
        let remark = match self.given {
            Decision::Ask if self.allowed_once => RecordRemark::AllowedOnce,
            Decision::Silent if noted => RecordRemark::Noted,
            _ => RecordRemark::None,
        };
        let limit = self.limit.map(Duration::from_millis);
        JournalRecord {
            family: self.family,
            rule: self.decision.as_ref().map_or(0, step::StepDecision::mark),
            nature: self.decision.as_ref().map(|decision| decision.nature).unwrap_or_default(),
            result: self.command.as_ref().map_or(0, |command| fingerprint(command.as_bytes())),
            remark,
            cached: self.cache == CacheUse::Hit,
            cache_asked: self.cache != CacheUse::NotAsked,
            microseconds: u32::try_from(took.as_micros()).unwrap_or(u32::MAX),
            slow: limit.is_some_and(|limit| took > limit),
            risk: self.risk().map(thousandths),
            ..record_of(RecordKind::Before, Outcome::Decided(self.given), event)
        }
    }

    fn risk(&self) -> Option<f64> {
        let assessment = self.decision.as_ref().and_then(|decision| decision.assessment.as_ref());
        assessment.map(|assessment| assessment.risk.score)
    }

    /// The texts that the audit line of a silent call quotes besides the beginning of its subject.
    fn quotes(&self) -> impl Iterator<Item = &str> {
        let noted = self.decision.iter().flat_map(|decision| &decision.noted);
        let targets = self.report.iter().flat_map(|report| &report.scores.side_effects);
        let due = self.would_have.iter().map(|(_, _, reason)| reason.as_str());
        let reasons = noted.map(|finding| finding.reason.as_str());
        reasons.chain(due).chain(targets.map(|effect| effect.target.as_str()))
    }

    fn audit_line(&self, event: ToolEvent<'_>, took: Duration) -> AuditLine {
        let answer = match self.allowed_once {
            true => AuditWord::Remarked(RecordRemark::AllowedOnce),
            false => AuditWord::Decided(self.given),
        };
        let line = AuditLine {
            microseconds: u64::try_from(took.as_micros()).ok(),
            rule: self.rule.clone(),
            ..AuditLine::new(event, answer)
        };
        let noted = self.decision.as_ref().map_or(&[][..], |decision| &decision.noted);
        let quiet = self.given == Decision::Silent && noted.is_empty() && self.would_have.is_empty();
        let secrets = match self.given != Decision::Silent || self.quotes().any(may_hold_secret) {
            true => audit::secrets_of(event.call),
            false => Secrets::default(),
        };
        let line = match &self.report {
            Some(report) => report.fill(line, &secrets),
            None => line,
        };
        if quiet {
            return line;
        }
        let noted = noted.iter().map(|finding| NotedRule {
            rule: finding.rule.as_str().to_owned(),
            decision: finding.decision,
            reason: secrets.redact(&finding.reason),
        });
        let due = self.would_have.iter().map(|(decision, rule, reason)| NotedRule {
            rule: (*rule).to_owned(),
            decision: *decision,
            reason: secrets.redact(reason),
        });
        AuditLine { reason: secrets.redact(self.answer.text()), noted: noted.chain(due).collect(), ..line }
    }
}

pub(crate) fn thousandths(score: f64) -> u16 {
    (score.clamp(0.0, 1.0) * 1000.0).round() as u16
}
