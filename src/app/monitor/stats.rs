//! Statistics of the step review and of interventions: the totals of the journals, and the audit logs by rule.

use crate::app::failure::{Failure, chain};
use crate::app::step::audit::{self, AuditLine, AuditWord};
use crate::app::workspace::Workspace;
use crate::edge::state::{InterventionEvent, InterventionsLog, Journal, RecordRemark};
use crate::pure::monitor::interventions::InterventionEffect;
use crate::pure::monitor::patterns::Pattern;
use crate::pure::report::{ReviewTimes, RuleStats, Stats, WouldHave};
use crate::pure::step::Decision;
use crate::pure::text::counted;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// Which sessions are counted.
pub enum StatsScope {
    Project,
    Session(String),
}

/// Over all sessions that are still kept. What cannot be read is named, and the rest is counted.
pub fn stats(workspace: &Workspace, scope: &StatsScope) -> Result<Stats, Failure> {
    let folders = match scope {
        StatsScope::Project => workspace.layout.sessions(),
        StatsScope::Session(id) => {
            let folder = workspace.layout.session(id);
            if !folder.is_dir() {
                return Err(format!("no session {id} is known in {}", workspace.project).into());
            }
            vec![folder]
        }
    };
    let (mut stats, mut timing) = (Stats::default(), ReviewTimes::default());
    for folder in folders {
        if let Err(failure) = add_journal(&mut stats, &mut timing, &folder.join("journal.bin")) {
            stats.unreadable.push(chain(failure.as_ref()));
        }
        if let Err(failure) = add_interventions(&mut stats, &folder.join("interventions.jsonl")) {
            stats.unreadable.push(chain(failure.as_ref()));
        }
    }
    let session = match scope {
        StatsScope::Project => None,
        StatsScope::Session(id) => Some(id.as_str()),
    };
    if let Err(failure) = add_audit(&mut stats, workspace, session) {
        stats.unreadable.push(chain(failure.as_ref()));
    }
    Ok(stats.with_rates(timing))
}

fn add_journal(stats: &mut Stats, timing: &mut ReviewTimes, path: &Utf8Path) -> Result<(), Failure> {
    if !path.is_file() {
        return Ok(());
    }
    let tail = Journal::open(path)?.tail()?;
    let totals = tail.totals;
    stats.sessions += 1;
    stats.total_reviews += totals.calls;
    stats.warned_actions += totals.warned;
    stats.modified_actions += totals.modified;
    stats.asked_actions += totals.asked;
    stats.blocked_actions += totals.denied;
    stats.slow_reviews += totals.slow;
    stats.approved += totals.approved;
    stats.allowed_once += totals.allowed_once;
    stats.failures += totals.failures;
    timing.microseconds += totals.microseconds;
    timing.cache_asked += totals.cache_asked;
    timing.cached += totals.cached;
    if tail.damaged > 0 {
        stats.unreadable.push(format!("{} damaged records in {path}", tail.damaged));
    }
    Ok(())
}

/// The last line about an intervention is its outcome.
fn add_interventions(stats: &mut Stats, path: &Utf8Path) -> Result<(), Failure> {
    let log = InterventionsLog::read(path)?;
    let (mut judged, mut escalated) = (BTreeMap::new(), BTreeSet::new());
    for line in &log.lines {
        match line.event {
            InterventionEvent::Judged => drop(judged.insert(line.id.as_str(), line.outcome)),
            InterventionEvent::Escalated => drop(escalated.insert(line.id.as_str())),
            InterventionEvent::WouldHave => {
                *stats.interventions.would_have.entry(line.intervention.name().to_owned()).or_default() += 1;
            }
            InterventionEvent::Delivered => {}
        }
    }
    for line in log.lines.iter().filter(|line| line.event == InterventionEvent::Delivered) {
        let id = line.id.as_str();
        let outcome = judged.get(id).copied().flatten().unwrap_or(InterventionEffect::Open);
        let harder = escalated.contains(id);
        stats.interventions.add(line.intervention.name(), &named(&line.issue)?, outcome, harder);
    }
    if log.damaged > 0 {
        stats.unreadable.push(format!("{} damaged lines in {path}", log.damaged));
    }
    Ok(())
}

/// As it is written in files.
fn named(pattern: &Pattern) -> Result<String, Failure> {
    Ok(serde_json::to_value(pattern)?.as_str().unwrap_or_default().to_owned())
}

fn add_audit(stats: &mut Stats, workspace: &Workspace, session: Option<&str>) -> Result<(), Failure> {
    let log = audit::read(workspace, session)?;
    let mut rules_of_calls: BTreeMap<String, String> = BTreeMap::new();
    for line in log.lines {
        add_line(stats, &mut rules_of_calls, line);
    }
    if log.damaged > 0 {
        stats.unreadable.push(format!(
            "{} in {}",
            counted(log.damaged, "damaged line"),
            workspace.layout.audit()
        ));
    }
    Ok(())
}

fn add_line(stats: &mut Stats, rules_of_calls: &mut BTreeMap<String, String>, line: AuditLine) {
    for noted in &line.noted {
        stats.rules.entry(noted.rule.clone()).or_default().noted += 1;
        if matches!(noted.decision, Decision::Ask | Decision::Deny) {
            stats.would_have.push(WouldHave {
                time: line.time.clone(),
                session: line.session.clone(),
                decision: noted.decision.as_str().to_owned(),
                rule: noted.rule.clone(),
                what: line.what.to_string(),
            });
        }
    }
    let rule_of_call = rules_of_calls.get(&line.tool_use_id).cloned();
    let name = if line.rule.is_empty() { rule_of_call } else { Some(line.rule) };
    match line.answer {
        AuditWord::Remarked(RecordRemark::DeniedButRan) => stats.denied_but_ran += 1,
        AuditWord::Remarked(RecordRemark::NotAsRewritten) => stats.not_as_rewritten += 1,
        _ => {}
    }
    let Some(name) = name else { return };
    let RuleStats { warned, modified, asked, blocked, approved, .. } =
        stats.rules.entry(name.clone()).or_default();
    let counter = match line.answer {
        AuditWord::Decided(Decision::Warn) => warned,
        AuditWord::Decided(Decision::Rewrite) => modified,
        AuditWord::Decided(Decision::Ask) | AuditWord::Remarked(RecordRemark::AllowedOnce) => asked,
        AuditWord::Decided(Decision::Deny) => blocked,
        AuditWord::Remarked(RecordRemark::Approved) => approved,
        AuditWord::Decided(Decision::Silent) | AuditWord::Remarked(_) | AuditWord::Unknown => return,
    };
    *counter += 1;
    rules_of_calls.insert(line.tool_use_id, name);
}
