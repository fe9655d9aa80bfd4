//! The page of a project: gathers the review of its content, one session and the checkpoints.

use crate::app::checkpoints;
use crate::app::failure::{Failure, chain};
use crate::app::review::change::Change;
use crate::app::review::report::{own_folder, report};
use crate::app::step::audit::{self, AuditLine, AuditWord};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{InterventionEvent, InterventionLine, InterventionsLog, write_text};
use crate::pure::monitor::interventions::InterventionEffect;
use crate::pure::report::{ProjectPage, SessionMoment, SessionMomentKind, SessionTimeline, UnifiedReport};
use crate::pure::review::ReviewScope;
use crate::pure::step::Decision;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;

/// The page with this session, or the newest one. A review that cannot be judged is named on the page.
pub fn project_page(workspace: &Workspace, session: Option<&str>) -> Result<String, Failure> {
    let reviewed =
        Change::of(workspace, ReviewScope::default(), None).and_then(|change| report(workspace, &change));
    page(workspace, reviewed.as_ref().map_err(|failure| chain(failure.as_ref())), session)
}

/// The page around a report that is already there.
pub fn page_of_report(workspace: &Workspace, report: &UnifiedReport) -> Result<String, Failure> {
    page(workspace, Ok(report), None)
}

/// Writes the page into the project's folder for logs, which git ignores.
pub fn write_page(workspace: &Workspace, name: &str, html: &str) -> Result<Utf8PathBuf, Failure> {
    let folder = workspace.settings()?.settings.paths.log_dir.clone();
    let path = own_folder(workspace, &folder)?.join(name);
    write_text(&path, html)?;
    Ok(path)
}

fn page(
    workspace: &Workspace,
    review: Result<&UnifiedReport, String>,
    session: Option<&str>,
) -> Result<String, Failure> {
    let session = timeline(workspace, session)?;
    let page = ProjectPage {
        project: workspace.project.as_str(),
        time: &clock::timestamp(),
        now: clock::milliseconds(),
        review: review.as_ref().map(|review| *review).map_err(String::as_str),
        session: session.as_ref(),
        checkpoints: &checkpoints::list(workspace)?,
    };
    Ok(page.html())
}

/// One session in order of time; `None` if no session is known.
fn timeline(workspace: &Workspace, wanted: Option<&str>) -> Result<Option<SessionTimeline>, Failure> {
    let mut log = audit::read(workspace, wanted)?;
    let newest = log.lines.last().map(|line| line.session.clone());
    let Some(session) = wanted.map(str::to_owned).or(newest) else { return Ok(None) };
    log.lines.retain(|line| line.session == session);
    let interventions = InterventionsLog::read(&workspace.layout.interventions(&session))?;
    if log.lines.is_empty() && interventions.lines.is_empty() {
        return Err(format!("no session {session} is known in {}", workspace.project).into());
    }
    let damaged = log.damaged + interventions.damaged;
    let mut moments: Vec<SessionMoment> = log.lines.into_iter().map(call).collect();
    moments.extend(delivered(&interventions.lines));
    moments.sort_by(|one, other| one.time.cmp(&other.time));
    Ok(Some(SessionTimeline { session, moments, damaged }))
}

fn call(line: AuditLine) -> SessionMoment {
    let kind = match line.answer {
        AuditWord::Decided(Decision::Silent) => SessionMomentKind::Silent,
        AuditWord::Decided(Decision::Warn | Decision::Rewrite) => SessionMomentKind::Told,
        AuditWord::Decided(Decision::Ask) => SessionMomentKind::Asked,
        AuditWord::Decided(Decision::Deny) => SessionMomentKind::Refused,
        AuditWord::Remarked(_) | AuditWord::Unknown => SessionMomentKind::Remark,
    };
    let reason = match (line.rule.as_str(), line.reason.as_str()) {
        ("", reason) => reason.to_owned(),
        (rule, "") => rule.to_owned(),
        (rule, reason) if reason.contains(rule) => reason.to_owned(),
        (rule, reason) => format!("{rule}: {reason}"),
    };
    SessionMoment {
        kind,
        outcome: line.answer.as_str().to_owned(),
        what: line.what.to_string(),
        reason,
        time: line.time,
        agent: line.agent.unwrap_or_default(),
        tool: line.tool,
        risk: line.risk,
        rationality: line.rationality,
    }
}

/// Each intervention with the effect that was seen last.
fn delivered(lines: &[InterventionLine]) -> Vec<SessionMoment> {
    let judged = lines.iter().filter(|line| line.event == InterventionEvent::Judged);
    let effects: BTreeMap<&str, Option<InterventionEffect>> =
        judged.map(|line| (line.id.as_str(), line.outcome)).collect();
    let moment = |line: &InterventionLine| SessionMoment {
        time: clock::moment(line.time),
        kind: SessionMomentKind::Intervention,
        agent: line.agent.clone(),
        tool: String::new(),
        what: format!("Intervention: {}", line.intervention.name()),
        outcome: match effects.get(line.id.as_str()).copied().flatten() {
            Some(InterventionEffect::Helped) => "helped",
            Some(InterventionEffect::Persisted) => "persisted",
            Some(InterventionEffect::Open) | None => "not judged yet",
        }
        .to_owned(),
        reason: format!("{} ({}, {})", line.issue, line.sign, line.severity),
        risk: None,
        rationality: None,
    };
    lines.iter().filter(|line| line.event == InterventionEvent::Delivered).map(moment).collect()
}
