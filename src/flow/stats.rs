//! What the step review did: the totals of the journals, and what the audit logs say by rule. And what interventions did.

use super::audit::{Answered, AuditLine};
use super::serve::{Failure, chain};
use crate::flow::scene::Scene;
use crate::intervene::Effect;
use crate::pattern::Pattern;
use crate::report::{InterventionOutcome, RuleStats, Stats, Timing};
use crate::state::{InterventionEvent, InterventionsLog, Journal, read_bounded};
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// Which sessions are counted.
pub enum Scope {
    Project,
    Session(String),
}

/// Over all sessions that are still kept. What cannot be read is named, and the rest is counted.
pub fn stats(scene: &Scene, scope: &Scope) -> Result<Stats, Failure> {
    let folders = match scope {
        Scope::Project => scene.layout.sessions(),
        Scope::Session(id) => {
            let folder = scene.layout.session(id);
            if !folder.is_dir() {
                return Err(format!("no session {id} is known in {}", scene.project).into());
            }
            vec![folder]
        }
    };
    let (mut stats, mut timing) = (Stats::default(), Timing::default());
    for folder in folders {
        if let Err(failure) = add_journal(&mut stats, &mut timing, &folder.join("journal.bin")) {
            stats.unreadable.push(chain(failure.as_ref()));
        }
        if let Err(failure) = add_audit(&mut stats, &folder.join("audit.jsonl")) {
            stats.unreadable.push(chain(failure.as_ref()));
        }
        if let Err(failure) = add_interventions(&mut stats, &folder.join("interventions.jsonl")) {
            stats.unreadable.push(chain(failure.as_ref()));
        }
    }
    Ok(stats.with_rates(timing))
}

fn add_journal(stats: &mut Stats, timing: &mut Timing, path: &Utf8Path) -> Result<(), Failure> {
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

/// What was said last about an intervention is what became of it.
fn add_interventions(stats: &mut Stats, path: &Utf8Path) -> Result<(), Failure> {
    let log = InterventionsLog::read(path)?;
    let (mut judged, mut escalated) = (BTreeMap::new(), BTreeSet::new());
    for line in &log.lines {
        match line.event {
            InterventionEvent::Judged => drop(judged.insert(line.id.as_str(), line.outcome)),
            InterventionEvent::Escalated => drop(escalated.insert(line.id.as_str())),
            InterventionEvent::Delivered => {}
        }
    }
    for line in log.lines.iter().filter(|line| line.event == InterventionEvent::Delivered) {
        let id = line.id.as_str();
        let outcome = match judged.get(id).copied().flatten() {
            Some(Effect::Helped) => InterventionOutcome::Helped,
            Some(Effect::Persisted) => InterventionOutcome::Persisted,
            Some(Effect::Open) | None => InterventionOutcome::Open,
        };
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

fn add_audit(stats: &mut Stats, path: &Utf8Path) -> Result<(), Failure> {
    let Some(bytes) = read_bounded(path)? else { return Ok(()) };
    let mut rules_of_calls: BTreeMap<String, String> = BTreeMap::new();
    let mut damaged = 0;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<AuditLine>(line) {
            Ok(line) => add_line(stats, &mut rules_of_calls, line),
            Err(_) => damaged += 1,
        }
    }
    if damaged > 0 {
        stats.unreadable.push(format!("{damaged} damaged lines in {path}"));
    }
    Ok(())
}

fn add_line(stats: &mut Stats, rules_of_calls: &mut BTreeMap<String, String>, line: AuditLine) {
    let rule_of_call = rules_of_calls.get(&line.tool_use_id).cloned();
    let name = if line.rule.is_empty() { rule_of_call } else { Some(line.rule) };
    match line.answer {
        Answered::DeniedButRan => stats.denied_but_ran += 1,
        Answered::NotAsRewritten => stats.not_as_rewritten += 1,
        _ => {}
    }
    let Some(name) = name else { return };
    let RuleStats { warned, modified, asked, blocked, noted, approved } =
        stats.rules.entry(name.clone()).or_default();
    let counter = match line.answer {
        Answered::Noted => noted,
        Answered::Warn => warned,
        Answered::Modify => modified,
        Answered::Ask | Answered::AllowOnce => asked,
        Answered::Deny => blocked,
        Answered::Approved => approved,
        Answered::Silent | Answered::DeniedButRan | Answered::NotAsRewritten | Answered::Unknown => return,
    };
    *counter += 1;
    rules_of_calls.insert(line.tool_use_id, name);
}
