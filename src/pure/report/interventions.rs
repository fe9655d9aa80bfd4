//! Statistics on interventions: by kind, issue and outcome, and how often they escalated.

use crate::pure::monitor::interventions::InterventionEffect;
use crate::pure::text::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

/// Widest bar of the graphs.
const BAR: u64 = 24;

/// Counters of one or many sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InterventionStats {
    pub total: u64,
    pub escalations: u64,
    /// Of all that were delivered.
    pub escalation_rate: Option<f64>,
    pub by_type: BTreeMap<String, Outcomes>,
    pub by_issue: BTreeMap<String, Outcomes>,
    /// By type: due while nothing but the floor and the gate was enforced, and not carried out.
    pub would_have: BTreeMap<String, u64>,
    /// One row per kind of intervention and issue.
    pub rows: Vec<InterventionRow>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Outcomes {
    pub helped: u64,
    pub persisted: u64,
    /// Too early to say.
    pub open: u64,
    /// Of those that were judged.
    pub effectiveness: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct InterventionRow {
    pub intervention_type: String,
    pub issue_type: String,
    #[serde(flatten)]
    pub outcomes: Outcomes,
    pub escalations: u64,
}

impl Outcomes {
    fn add(&mut self, other: &Self) {
        self.helped += other.helped;
        self.persisted += other.persisted;
        self.open += other.open;
        let judged = self.helped + self.persisted;
        self.effectiveness = (judged > 0).then(|| self.helped as f64 / judged as f64);
    }

    pub fn count(&self) -> u64 {
        self.helped + self.persisted + self.open
    }

    pub fn by_name(&self) -> [(&'static str, u64); 3] {
        [("helped", self.helped), ("persisted", self.persisted), ("open", self.open)]
    }
}

impl InterventionStats {
    /// Adds one delivered intervention with its outcome.
    pub fn add(&mut self, kind: &str, issue: &str, outcome: InterventionEffect, escalated: bool) {
        let mut one = Outcomes::default();
        *match outcome {
            InterventionEffect::Helped => &mut one.helped,
            InterventionEffect::Persisted => &mut one.persisted,
            InterventionEffect::Open => &mut one.open,
        } = 1;
        let harder = u64::from(escalated);
        self.total += 1;
        self.escalations += harder;
        self.escalation_rate = Some(self.escalations as f64 / self.total as f64);
        self.by_type.entry(kind.to_owned()).or_default().add(&one);
        self.by_issue.entry(issue.to_owned()).or_default().add(&one);
        let found = self.rows.binary_search_by(|row| {
            (row.intervention_type.as_str(), row.issue_type.as_str()).cmp(&(kind, issue))
        });
        let at = found.unwrap_or_else(|at| {
            let (intervention_type, issue_type) = (kind.to_owned(), issue.to_owned());
            self.rows.insert(at, InterventionRow { intervention_type, issue_type, ..Default::default() });
            at
        });
        if let Some(row) = self.rows.get_mut(at) {
            row.outcomes.add(&one);
            row.escalations += harder;
        }
    }
}

impl Display for InterventionStats {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (total, rate) = (counted(self.total, "intervention"), percent(self.escalation_rate));
        writeln!(f, "{total}, {} of them escalated ({rate})", self.escalations)?;
        for (title, table) in [("by type", &self.by_type), ("by issue", &self.by_issue)] {
            writeln!(f, "\n{title:<24} {:>5}  helped  persisted  open  effective", "count")?;
            let most = table.values().map(Outcomes::count).max().unwrap_or_default();
            for (name, outcomes) in table {
                let Outcomes { helped, persisted, open, effectiveness } = outcomes;
                let count = outcomes.count();
                writeln!(
                    f,
                    "{name:<24} {count:>5}  {helped:>6}  {persisted:>9}  {open:>4}  {:>9}  {}",
                    percent(*effectiveness),
                    bar(count, most)
                )?;
            }
        }
        Ok(())
    }
}

/// At least one mark for what is not nothing.
fn bar(count: u64, most: u64) -> String {
    let length = (count * BAR).checked_div(most).unwrap_or_default().max(u64::from(count > 0));
    "█".repeat(usize::try_from(length).unwrap_or_default())
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or("none yet".into(), |rate| format!("{:.0} %", rate * 100.0))
}

#[cfg(test)]
mod tests {
    use super::InterventionEffect::{Helped, Open, Persisted};
    use super::*;

    #[test]
    fn people_read_tables_with_bars_and_only_what_was_judged_is_effective() {
        let mut stats = InterventionStats::default();
        for (kind, issue, outcome, escalated) in [
            ("soft_correction", "repetitive_errors", Helped, false),
            ("soft_correction", "repetitive_errors", Helped, false),
            ("soft_correction", "goal_drift", Persisted, false),
            ("soft_correction", "goal_drift", Open, false),
            ("checkpoint_rollback", "repetitive_errors", Persisted, true),
        ] {
            stats.add(kind, issue, outcome, escalated);
        }
        assert_eq!((stats.total, stats.escalations, stats.escalation_rate), (5, 1, Some(0.2)));
        assert_eq!(stats.rows.len(), 3);
        assert_eq!(stats.by_type["soft_correction"].effectiveness, Some(2.0 / 3.0));
        insta::assert_snapshot!(stats, @r"
        5 interventions, 1 of them escalated (20 %)

        by type                  count  helped  persisted  open  effective
        checkpoint_rollback          1       0          1     0        0 %  ██████
        soft_correction              4       2          1     1       67 %  ████████████████████████

        by issue                 count  helped  persisted  open  effective
        goal_drift                   2       0          1     1        0 %  ████████████████
        repetitive_errors            3       2          1     0       67 %  ████████████████████████
        ");
    }
}
