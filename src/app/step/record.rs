//! The audit log for a person: `plimsoll log`, and the newest refusal for `plimsoll explain --last`.

use super::audit::{self, AuditLine, AuditWord};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::state::{AuditLog, Denial, Denials, RecordRemark};
use crate::pure::report::{LogRow, RecordedRefusal};
use crate::pure::step::{Decision, catalogue};
use crate::pure::text::Tone;

/// Which step reviews are shown.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    /// The session's id, or the beginning of it.
    pub session: Option<String>,
    /// Only what was refused or asked about, or would have been.
    pub refused: bool,
}

/// The reviews of a project, read from the beginning and then as they are added.
pub struct StepRecord<'a> {
    workspace: &'a Workspace,
    filter: LogFilter,
    log: AuditLog<AuditLine>,
}

impl<'a> StepRecord<'a> {
    pub fn open(workspace: &'a Workspace, filter: LogFilter) -> Result<Self, Failure> {
        let log = audit::read(workspace, None)?;
        if let Some(session) = &filter.session
            && !log.lines.iter().any(|line| line.session.starts_with(session))
        {
            return Err(
                format!("no step review of session {session} is recorded in {}", workspace.project).into()
            );
        }
        Ok(Self { workspace, filter, log })
    }

    /// The matching lines that were read last, the oldest first.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &AuditLine> {
        let LogFilter { session, refused } = &self.filter;
        self.log.lines.iter().filter(move |line| {
            session.as_ref().is_none_or(|session| line.session.starts_with(session))
                && (!refused || line.interrupts())
        })
    }

    /// How many lines could not be read.
    pub fn damaged_lines(&self) -> usize {
        self.log.damaged
    }

    /// Reads what was added since.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.log = audit::newer(self.workspace, &self.log)?;
        Ok(())
    }
}

impl AuditLine {
    /// Refused, asked about, or would have been.
    fn interrupts(&self) -> bool {
        let stops = |decision: Decision| matches!(decision, Decision::Ask | Decision::Deny);
        match self.answer {
            AuditWord::Decided(decision) => {
                stops(decision) || self.noted.iter().any(|noted| stops(noted.decision))
            }
            AuditWord::Remarked(_) => true,
            AuditWord::Unknown => false,
        }
    }

    pub fn row(&self) -> LogRow {
        let noted = self.noted.iter().max_by_key(|noted| noted.decision);
        let noted =
            noted.filter(|noted| matches!(self.answer, AuditWord::Decided(given) if given < noted.decision));
        let (tone, decision) = match (self.answer, noted) {
            (AuditWord::Decided(_), Some(noted)) => {
                (Tone::Caution, format!("would {}", noted.decision.as_str()))
            }
            (AuditWord::Decided(decision), None) => (tone(decision), decision.as_str().to_owned()),
            (AuditWord::Remarked(remark), _) => (
                match remark {
                    RecordRemark::DeniedButRan | RecordRemark::NotAsRewritten => Tone::Bad,
                    RecordRemark::Approved => Tone::Good,
                    RecordRemark::None | RecordRemark::Noted | RecordRemark::AllowedOnce => Tone::Caution,
                },
                self.answer.as_str().replace('_', " "),
            ),
            (AuditWord::Unknown, _) => (Tone::Neutral, "unknown".to_owned()),
        };
        LogRow {
            time: self.time.clone(),
            session: self.session.clone(),
            agent: self.agent.clone(),
            tone,
            decision,
            tool: self.tool.clone(),
            rule: noted.map_or(&self.rule, |noted| &noted.rule).clone(),
            risk: self.risk,
            subject: self.what.to_string(),
            reason: words(noted.map_or(&self.reason, |noted| &noted.reason)).to_owned(),
        }
    }
}

fn tone(decision: Decision) -> Tone {
    match decision {
        Decision::Silent => Tone::Neutral,
        Decision::Warn | Decision::Rewrite | Decision::Ask => Tone::Caution,
        Decision::Deny => Tone::Bad,
    }
}

/// The newest refusal that the audit log knows, as a line and as words.
pub fn newest_refusal(workspace: &Workspace) -> Result<Option<(AuditLine, RecordedRefusal)>, Failure> {
    let log = audit::read(workspace, None)?;
    let is_refusal = |line: &AuditLine| line.answer == AuditWord::Decided(Decision::Deny);
    let Some(line) = log.lines.into_iter().rfind(is_refusal) else { return Ok(None) };
    let recent = Denials::of(&workspace.homes, &workspace.project).recent().denials;
    let same = recent.into_iter().find(|(_, denial)| {
        denial.tool == line.tool && denial.rule == line.rule && line.reason.contains(&*denial.reason)
    });
    let (advice, reason) = match same {
        Some((id, denial)) => (Some(advice(workspace, &id, &denial)), denial.reason.to_string()),
        None => (None, words(&line.reason).to_owned()),
    };
    let score = |score: Option<f64>| score.map(|score| format!("{score:.2}")).unwrap_or_default();
    let effects = line.side_effects.iter().map(|effect| {
        let back = if effect.reversible { "can be undone" } else { "cannot be undone" };
        format!("{} {} ({}, {back})", effect.kind, effect.target, effect.severity)
    });
    let refusal = RecordedRefusal {
        time: line.time.clone(),
        tool: line.tool.clone(),
        rule: line.rule.clone(),
        reason,
        subject: line.what.to_string(),
        advice,
        details: vec![
            ("session", line.session.clone()),
            ("agent", line.agent.clone().unwrap_or_default()),
            ("intent", line.intent.to_string()),
            ("risk", score(line.risk)),
            ("rationality", score(line.rationality)),
            ("confidence", score(line.confidence)),
            ("side effects", effects.collect::<Vec<_>>().join("; ")),
            ("told to the model", line.reason.to_string()),
        ],
    };
    Ok(Some((line, refusal)))
}

fn advice(workspace: &Workspace, id: &str, denial: &Denial) -> String {
    match denial.firm {
        false => format!(
            "to let it run once, type {} {id} in the client, or run `plimsoll allow {id}`",
            workspace.command("allow")
        ),
        true if denial.rule == catalogue::SHIP_GATE.name => "run `plimsoll gate why`".into(),
        true => "no permission lifts this rule; if it has to be done, run it yourself in a terminal".into(),
    }
}

/// The words of an answer without the name of the rule before them.
fn words(answer: &str) -> &str {
    match answer.strip_prefix("Plimsoll [").and_then(|rest| rest.split_once("]: ")) {
        Some((_, words)) => words,
        None => answer,
    }
}
