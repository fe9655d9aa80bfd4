//! The unified report: what is known about one content, loop by loop, with its findings, and whether it may ship.

mod json;
mod loops;
mod markdown;
mod sarif;
mod text;

pub(crate) use loops::{LoopReport, LoopStanding};
pub(super) use sarif::{SARIF_SCHEMA, uri};
pub use text::CheckLines;
#[cfg(feature = "cli")]
pub use text::painted;
pub(super) use text::{plain, tracked_text};

use crate::pure::gate::GateReason;
use crate::pure::policy::{LoopNumber, Settings, evidence_hash};
use crate::pure::review::{Evidence, FindingState, ObjectId, Pair, Sensitive, TrackedFinding, TreeId};

/// The input of a report: one content, and everything known about it.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    pub evidence: &'a Evidence,
    pub settings: &'a Settings,
    pub tree: &'a TreeId,
    pub pairs: &'a [Pair],
    /// Why the gate is closed; empty if it is open.
    pub reasons: &'a [GateReason],
}

/// The gate decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ship {
    pub allowed: bool,
    pub blockers: Vec<String>,
}

/// Where and when the report was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occasion {
    pub time: String,
    pub branch: Option<String>,
    pub head: Option<ObjectId>,
    pub base: Option<ObjectId>,
    /// The gate's first advice.
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnifiedReport {
    pub occasion: Occasion,
    pub tree: TreeId,
    pub policy: String,
    /// All four, in order.
    pub loops: Vec<LoopReport>,
    pub findings: Vec<TrackedFinding>,
    /// Changes to what guards the others.
    pub guards: Vec<Sensitive>,
    pub ship: Ship,
}

impl UnifiedReport {
    pub fn new(sources: &Sources<'_>, occasion: Occasion, guards: Vec<Sensitive>) -> Self {
        let policy = evidence_hash(sources.settings);
        let mut findings = sources.evidence.concerning(occasion.branch.as_deref(), sources.pairs);
        findings.sort_by_key(|entry| {
            (!entry.state.is_open(), entry.finding.severity, entry.number, entry.finding.file.clone())
        });
        Self {
            tree: sources.tree.clone(),
            loops: LoopNumber::ALL
                .into_iter()
                .map(|number| LoopReport::of(sources, &policy, number))
                .collect(),
            policy,
            findings,
            guards,
            ship: Ship {
                allowed: sources.reasons.is_empty(),
                blockers: sources.reasons.iter().map(ToString::to_string).collect(),
            },
            occasion,
        }
    }

    /// The one thing to do now.
    pub fn next(&self) -> String {
        let first = |standing: fn(&LoopStanding) -> bool| {
            self.loops.iter().find(|report| standing(&report.standing)).map(|report| report.number)
        };
        if self.ship.allowed {
            return "this content may ship".into();
        }
        match first(|standing| *standing == LoopStanding::Failed) {
            Some(number) if number.has_reviewer() => {
                format!(
                    "fix the findings of loop {number} (`plimsoll reconcile` lists them), then review again"
                )
            }
            Some(number) => {
                format!("fix the findings of loop {number}, then run `plimsoll review run --loop {number}`")
            }
            None => self
                .occasion
                .remedy
                .clone()
                .unwrap_or_else(|| "`plimsoll gate why --worktree` says more".into()),
        }
    }

    /// `2 open, 1 fixed`: how many findings stand how.
    fn tally(&self) -> String {
        let count = |word: &str, belongs: fn(&FindingState) -> bool| {
            let count = self.findings.iter().filter(|entry| belongs(&entry.state)).count();
            (count > 0).then(|| format!("{count} {word}"))
        };
        let counts = [
            count("open", |standing| *standing == FindingState::Open),
            count("regressed", |standing| *standing == FindingState::Regressed),
            count("fixed", |standing| *standing == FindingState::Fixed),
            count("dismissed", |standing| matches!(standing, FindingState::Dismissed(_))),
        ];
        counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
