//! The unified report: what is known about one content, loop by loop, with its findings, and whether it may ship.

#[cfg(feature = "cli")]
mod json;
mod loops;
#[cfg(feature = "cli")]
mod markdown;
#[cfg(feature = "cli")]
mod sarif;
mod text;

pub use loops::{LoopReport, LoopStanding, Reused};
pub(super) use text::{plain, tracked_text};

use super::ship::Ship;
use crate::gate::Reason;
use crate::policy::{Settings, evidence_hash};
use crate::review::{Evidence, ObjectId, Pair, Sensitive, Standing, Tracked, TreeId};

/// What a report is made from: one content, and everything that is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    pub evidence: &'a Evidence,
    pub settings: &'a Settings,
    pub tree: &'a TreeId,
    pub pairs: &'a [Pair],
    /// Why the gate is shut; empty if it is open.
    pub reasons: &'a [Reason],
}

/// Where and when the report was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occasion {
    pub time: String,
    pub branch: Option<String>,
    pub head: Option<ObjectId>,
    pub base: Option<ObjectId>,
    /// What the gate advises first.
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnifiedReport {
    pub occasion: Occasion,
    pub tree: TreeId,
    pub policy: String,
    /// All four, in order.
    pub loops: Vec<LoopReport>,
    pub findings: Vec<Tracked>,
    /// Changes to what guards the others.
    pub guards: Vec<Sensitive>,
    pub ship: Ship,
}

impl UnifiedReport {
    pub fn new(sources: &Sources<'_>, occasion: Occasion, guards: Vec<Sensitive>) -> Self {
        let policy = evidence_hash(sources.settings);
        let mut findings = sources.evidence.concerning(occasion.branch.as_deref(), sources.pairs);
        findings.sort_by_key(|entry| {
            (!entry.standing.is_open(), entry.finding.severity, entry.number, entry.finding.file.clone())
        });
        Self {
            tree: sources.tree.clone(),
            loops: (1..=4).map(|number| LoopReport::of(sources, &policy, number)).collect(),
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
            Some(number @ (2 | 3)) => {
                format!("mend what loop {number} found (`plimsoll reconcile` lists it), then review again")
            }
            Some(number) => {
                format!("mend what loop {number} found, then run `plimsoll review run --loop {number}`")
            }
            None => self.occasion.remedy.clone().unwrap_or_else(|| "`plimsoll gate why` says more".into()),
        }
    }

    /// `2 open, 1 fixed`: how many findings stand how.
    fn tally(&self) -> String {
        let count = |word: &str, belongs: fn(&Standing) -> bool| {
            let count = self.findings.iter().filter(|entry| belongs(&entry.standing)).count();
            (count > 0).then(|| format!("{count} {word}"))
        };
        let counts = [
            count("open", |standing| *standing == Standing::Open),
            count("regressed", |standing| *standing == Standing::Regressed),
            count("fixed", |standing| *standing == Standing::Fixed),
            count("dismissed", |standing| matches!(standing, Standing::Dismissed(_))),
        ];
        counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
