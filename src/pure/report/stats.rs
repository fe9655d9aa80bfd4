//! Statistics on the step review and the interventions of a project, as text and JSON.

use super::interventions::InterventionStats;
use crate::pure::text::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

/// The most decisions listed that were not enforced, the newest first.
const LISTED: usize = 20;

/// Counters of one or many sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stats {
    pub sessions: u64,
    pub total_reviews: u64,
    pub allowed_actions: u64,
    pub warned_actions: u64,
    pub modified_actions: u64,
    pub asked_actions: u64,
    pub blocked_actions: u64,
    /// In milliseconds.
    pub avg_review_time: Option<f64>,
    /// Reviews that took longer than `performance.max_review_time_ms`.
    pub slow_reviews: u64,
    /// Of the reviews that the cache could have answered.
    pub cache_hit_rate: Option<f64>,
    /// Asks and denials; a call that was denied and then asked about counts once.
    pub interruptions: u64,
    /// Interruptions after which the person let the call run.
    pub approved: u64,
    pub allowed_once: u64,
    pub false_positive_rate: Option<f64>,
    /// Calls that failed when they ran.
    pub failures: u64,
    pub denied_but_ran: u64,
    pub not_as_rewritten: u64,
    pub rules: BTreeMap<String, RuleStats>,
    /// Asks and denials that were not enforced, the oldest first.
    pub would_have: Vec<WouldHave>,
    pub interventions: InterventionStats,
    /// Records that could not be read, in words.
    pub unreadable: Vec<String>,
}

/// How often one rule spoke, and how often a person disagreed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RuleStats {
    pub warned: u64,
    pub modified: u64,
    pub asked: u64,
    pub blocked: u64,
    /// Would have spoken, but was only noted.
    pub noted: u64,
    pub approved: u64,
}

/// A question or denial that was only recorded: its rule is observed, paused or switched off.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WouldHave {
    pub time: String,
    pub session: String,
    pub decision: String,
    pub rule: String,
    /// The call, shortened.
    pub what: String,
}

/// The counters of a journal, from which the rates are made.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReviewTimes {
    pub microseconds: u64,
    pub cache_asked: u64,
    pub cached: u64,
}

impl Stats {
    /// Fills in what follows from the counters.
    #[must_use]
    pub fn with_rates(mut self, timing: ReviewTimes) -> Self {
        let rate = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let spoken = self.warned_actions + self.modified_actions + self.asked_actions + self.blocked_actions;
        self.allowed_actions = self.total_reviews.saturating_sub(spoken);
        self.avg_review_time = rate(timing.microseconds, self.total_reviews).map(|mean| mean / 1_000.0);
        self.cache_hit_rate = rate(timing.cached, timing.cache_asked);
        self.interruptions = (self.asked_actions + self.blocked_actions).saturating_sub(self.allowed_once);
        self.false_positive_rate = rate(self.approved, self.interruptions);
        self
    }
}

impl Display for Stats {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.total_reviews == 0 {
            writeln!(f, "No tool call was reviewed here yet. Statistics begin with the next session.")?;
        } else {
            self.numbers(f)?;
        }
        self.only_recorded(f)?;
        if self.interventions.total > 0 {
            write!(f, "\n{}", self.interventions)?;
        }
        for problem in &self.unreadable {
            writeln!(f, "not counted: {problem}")?;
        }
        Ok(())
    }
}

impl Stats {
    fn numbers(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (calls, sessions) = (counted(self.total_reviews, "tool call"), counted(self.sessions, "session"));
        writeln!(f, "{calls} reviewed in {sessions}")?;
        for (name, count) in [
            ("silent", self.allowed_actions),
            ("warned", self.warned_actions),
            ("rewritten", self.modified_actions),
            ("asked", self.asked_actions),
            ("refused", self.blocked_actions),
        ] {
            writeln!(f, "  {name:<10} {count:>8}")?;
        }
        if let Some(time) = self.avg_review_time {
            let slow = match self.slow_reviews {
                0 => String::new(),
                count => format!(", {count} over the limit"),
            };
            writeln!(f, "average review time   {time:.2} ms{slow}")?;
        }
        writeln!(f, "cache hit rate        {}", percent(self.cache_hit_rate))?;
        writeln!(
            f,
            "false positive rate   {} ({} of {} let run, {} by allow once)",
            percent(self.false_positive_rate),
            self.approved,
            counted(self.interruptions, "interruption"),
            self.allowed_once
        )?;
        for (count, what) in
            [(self.denied_but_ran, "refused call"), (self.not_as_rewritten, "rewritten call")]
        {
            if count > 0 {
                let how = if what == "refused call" { "ran anyway" } else { "ran with another input" };
                writeln!(
                    f,
                    "attention: {} {how}; `plimsoll log --refused` names them",
                    counted(count, what)
                )?;
            }
        }
        let width = self.rules.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        if !self.rules.is_empty() {
            writeln!(f, "\n{:<width$}  refused  asked  rewritten  warned  noted  let run", "rule")?;
        }
        for (name, rule) in &self.rules {
            let RuleStats { blocked, asked, modified, warned, noted, approved } = rule;
            writeln!(
                f,
                "{name:<width$}  {blocked:>7}  {asked:>5}  {modified:>9}  {warned:>6}  {noted:>5}  {approved:>7}"
            )?;
        }
        Ok(())
    }
}

impl Stats {
    /// Decisions that were recorded but not enforced.
    fn only_recorded(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if !self.would_have.is_empty() {
            let count = counted(self.would_have.len() as u64, "decision");
            writeln!(f, "\nnot enforced (observed, paused or switched off): {count}")?;
            let earlier = self.would_have.len().saturating_sub(LISTED);
            if earlier > 0 {
                writeln!(f, "  … {earlier} earlier; `--json` lists all")?;
            }
            for WouldHave { decision, rule, what, .. } in self.would_have.iter().skip(earlier) {
                writeln!(f, "  {decision:<4}  {rule:<28}  {what}")?;
            }
        }
        let kinds = &self.interventions.would_have;
        if !kinds.is_empty() {
            let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            writeln!(f, "interventions not carried out: {}", kinds.join(", "))?;
        }
        Ok(())
    }
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or("none yet".into(), |rate| format!("{:.1} %", rate * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Stats {
        let counted = Stats {
            sessions: 2,
            total_reviews: 1_000,
            warned_actions: 1,
            modified_actions: 2,
            asked_actions: 3,
            blocked_actions: 4,
            allowed_once: 1,
            approved: 3,
            ..Stats::default()
        };
        let rule = RuleStats { blocked: 4, asked: 1, approved: 1, ..RuleStats::default() };
        let rules = BTreeMap::from([("discard_changes".to_owned(), rule)]);
        Stats { rules, ..counted }.with_rates(ReviewTimes {
            microseconds: 420_000,
            cache_asked: 100,
            cached: 5,
        })
    }

    #[test]
    fn an_allowed_refusal_is_one_interruption_and_counts_only_if_it_ran() {
        let stats = some();
        assert_eq!((stats.allowed_actions, stats.interruptions), (990, 6));
        assert_eq!(stats.false_positive_rate, Some(0.5));
        assert_eq!(Stats::default().with_rates(ReviewTimes::default()).false_positive_rate, None);
    }

    #[test]
    fn people_read_a_table() {
        insta::assert_snapshot!(some(), @r"
        1000 tool calls reviewed in 2 sessions
          silent          990
          warned            1
          rewritten         2
          asked             3
          refused           4
        average review time   0.42 ms
        cache hit rate        5.0 %
        false positive rate   50.0 % (3 of 6 interruptions let run, 1 by allow once)

        rule             refused  asked  rewritten  warned  noted  let run
        discard_changes        4      1          0       0      0        1
        ");
        let nothing = Stats { unreadable: vec!["x.bin: damaged".into()], ..Stats::default() };
        assert!(nothing.to_string().starts_with("No tool call was reviewed here yet."));
        assert!(nothing.to_string().ends_with("not counted: x.bin: damaged\n"));
    }
}
