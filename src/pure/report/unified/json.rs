//! The report as data.

use super::{LoopReport, UnifiedReport};
use crate::pure::report::finding_list::finding_value;
use crate::pure::review::{CheckOutcome, LoopVerdict};
use serde_json::{Value, json};

impl UnifiedReport {
    pub fn json(&self) -> Value {
        json!({
            "version": 1,
            "time": self.occasion.time,
            "branch": self.occasion.branch,
            "head": self.occasion.head,
            "base": self.occasion.base,
            "tree": self.tree,
            "policy": self.policy,
            "loops": self.loops.iter().map(loop_value).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(finding_value).collect::<Vec<_>>(),
            "guards": self.guards,
            "ship_allowed": self.ship.allowed,
            "blockers": self.ship.blockers,
            "next": self.next(),
        })
    }
}

fn loop_value(report: &LoopReport) -> Value {
    let checks: Vec<Value> =
        report.outcome.iter().flat_map(|outcome| outcome.tiers.iter()).flat_map(tier).collect();
    let reused: Vec<Value> =
        report.reused.iter().map(|reused| json!({"files": reused.files, "read": reused.time})).collect();
    json!({
        "loop": report.number,
        "name": report.name(),
        "required": report.required,
        "status": report.standing.word(),
        "reason": report.standing.reason(),
        "time": report.time,
        "elapsed_ms": report.elapsed_ms(),
        "reviewer": report.reviewer,
        "checks": checks,
        "reused": reused,
        "findings": report.findings,
    })
}

fn tier((number, checks): (&u8, &Vec<CheckOutcome>)) -> Vec<Value> {
    let value = |check: &CheckOutcome| {
        let reason = match &check.verdict {
            LoopVerdict::Skip { reason } => Some(reason),
            LoopVerdict::Stale { changed } => Some(changed),
            LoopVerdict::Pass | LoopVerdict::Fail => None,
        };
        json!({
            "tier": number,
            "name": check.name,
            "status": check.verdict.word(),
            "reason": reason,
            "command": check.command,
            "elapsed_ms": check.elapsed_ms,
            "facts": check.facts,
        })
    };
    checks.iter().map(value).collect()
}
