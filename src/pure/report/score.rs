//! The score of the step review on labelled calls: misses and false alarms.

use super::hook_answer::{HookAnswer, line, per_thousand};
use crate::pure::step::Decision;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The expected decision of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedAnswer {
    /// Deny or ask; for a sequence, say something.
    Block,
    Allow,
}

/// The object of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// One step, which is stopped or not.
    Step,
    /// Calls one after the other, in which an agent is stuck or not: a word to the agent is enough.
    Sequence,
}

/// One labelled call and the hook's answer.
#[derive(Debug, Clone, Serialize)]
pub struct ScoredRow {
    pub id: String,
    pub category: String,
    pub expect: ExpectedAnswer,
    pub kind: RowKind,
    /// The command, or the tool's input.
    pub text: String,
    #[serde(flatten)]
    pub said: HookAnswer,
}

/// A line that is no row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadLine {
    pub file: String,
    /// Counted from 1; 0 where the file as a whole is meant.
    pub line: usize,
    pub problem: String,
}

#[derive(Debug, Clone, Default)]
pub struct Score {
    pub judged: Vec<ScoredRow>,
    pub bad: Vec<BadLine>,
}

/// Which rows are listed one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedRows {
    /// Should have been stopped and was not.
    Misses,
    /// Was stopped and should not have been.
    Alarms,
    /// Ran with a context or in another spelling.
    Contexts,
    All,
    None,
}

/// The grouping of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreGrouping {
    Category,
    Rule,
    /// The part of a row's id before the colon.
    Set,
}

/// The required score, in per cent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bar {
    pub min_recall: Option<f64>,
    pub max_false_alarms: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    expected_block: usize,
    caught: usize,
    expected_allow: usize,
    alarms: usize,
    contexts: usize,
    rewrites: usize,
}

impl ScoredRow {
    fn stopped(&self) -> bool {
        match self.kind {
            RowKind::Step => self.said.interrupts(),
            RowKind::Sequence => self.said.answer >= Decision::Warn,
        }
    }

    fn missed(&self) -> bool {
        self.expect == ExpectedAnswer::Block && !self.stopped()
    }

    fn alarm(&self) -> bool {
        self.expect == ExpectedAnswer::Allow && self.stopped()
    }

    fn is_listed(&self, listed: ListedRows) -> bool {
        let speaks = matches!(self.said.answer, Decision::Warn | Decision::Rewrite) && !self.stopped();
        match listed {
            ListedRows::Misses => self.missed(),
            ListedRows::Alarms => self.alarm(),
            ListedRows::Contexts => speaks,
            ListedRows::All => self.missed() || self.alarm() || speaks,
            ListedRows::None => false,
        }
    }

    fn text(&self) -> String {
        let what = match (self.missed(), self.alarm()) {
            (true, _) => "missed",
            (_, true) => "false alarm",
            (false, false) => "spoke",
        };
        let mut text = format!(
            "{what}: {} [{}]  {}\n",
            line(&self.id, 60),
            line(&self.category, 40),
            line(&self.text, 160)
        );
        if self.said.answer > Decision::Silent {
            let HookAnswer { answer, rule, reason } = &self.said;
            let _ = writeln!(text, "    {} {}: {}", answer.as_str(), line(rule, 60), line(reason, 300));
        }
        text
    }
}

impl Tally {
    fn of<'a>(judged: impl IntoIterator<Item = &'a ScoredRow>) -> Self {
        let mut tally = Self::default();
        for one in judged {
            match one.expect {
                ExpectedAnswer::Block => tally.expected_block += 1,
                ExpectedAnswer::Allow => tally.expected_allow += 1,
            }
            tally.caught += usize::from(one.expect == ExpectedAnswer::Block && one.stopped());
            tally.alarms += usize::from(one.alarm());
            tally.contexts += usize::from(one.said.answer == Decision::Warn && !one.stopped());
            tally.rewrites += usize::from(one.said.answer == Decision::Rewrite);
        }
        tally
    }

    /// Counts, and shares in per cent; a share of nothing is null.
    fn figures(self) -> Value {
        json!({
            "expected_block": self.expected_block,
            "caught": self.caught,
            "recall": self.recall(),
            "expected_allow": self.expected_allow,
            "false_alarms": self.alarms,
            "false_alarm_rate": self.false_alarms(),
            "precision": self.precision(),
            "contexts": self.contexts,
            "contexts_per_thousand": per_thousand(self.contexts, self.rows()),
            "rewrites": self.rewrites,
            "rewrites_per_thousand": per_thousand(self.rewrites, self.rows()),
        })
    }

    fn rows(&self) -> usize {
        self.expected_block + self.expected_allow
    }

    fn recall(&self) -> Option<f64> {
        per_cent(self.caught, self.expected_block)
    }

    fn false_alarms(&self) -> Option<f64> {
        per_cent(self.alarms, self.expected_allow)
    }

    fn precision(&self) -> Option<f64> {
        per_cent(self.caught, self.caught + self.alarms).filter(|_| self.expected_block > 0)
    }
}

/// `None` where there was nothing to count.
fn per_cent(count: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| count as f64 * 100.0 / of as f64)
}

fn shown(share: Option<f64>) -> String {
    share.map_or_else(|| "-".into(), |share| format!("{share:.2} %"))
}

/// The score as `--json` prints it. Fields are only ever added.
#[derive(Serialize)]
struct Wire<'a> {
    rows: usize,
    #[serde(flatten)]
    all: Value,
    /// Whether the bar was reached; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<bool>,
    by: BTreeMap<&'a str, Value>,
    listed: Vec<&'a ScoredRow>,
    bad_lines: &'a [BadLine],
}

impl Score {
    /// Why the bar was not reached; empty if it was. A value that was not measured has not been reached.
    pub fn below(&self, bar: Bar) -> Vec<String> {
        let tally = Tally::of(&self.judged);
        let mut below = Vec::new();
        if let Some(least) = bar.min_recall
            && tally.recall().is_none_or(|recall| recall < least)
        {
            below.push(format!("recall {} is below {least} %", shown(tally.recall())));
        }
        if let Some(most) = bar.max_false_alarms
            && tally.false_alarms().is_none_or(|share| share > most)
        {
            below.push(format!("false alarms {} are above {most} %", shown(tally.false_alarms())));
        }
        below
    }

    pub fn text(&self, bar: Bar, by: ScoreGrouping, listed: ListedRows) -> String {
        let mut text: String = self.listed(listed).map(ScoredRow::text).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        text += &self.table(by);
        let tally = Tally::of(&self.judged);
        let _ = writeln!(
            text,
            "rows          {}\nrecall        {}  ({} of {} stopped)\nfalse alarms  {}  ({} of {} interrupted)\nprecision     {}\n\
             contexts      {} per 1,000  ({}), rewrites {} per 1,000  ({})",
            tally.rows(),
            shown(tally.recall()),
            tally.caught,
            tally.expected_block,
            shown(tally.false_alarms()),
            tally.alarms,
            tally.expected_allow,
            shown(tally.precision()),
            per_thousand(tally.contexts, tally.rows()),
            tally.contexts,
            per_thousand(tally.rewrites, tally.rows()),
            tally.rewrites,
        );
        for why in self.below(bar) {
            let _ = writeln!(text, "not reached: {why}");
        }
        text
    }

    pub fn json(&self, bar: Bar, by: ScoreGrouping, listed: ListedRows) -> serde_json::Result<String> {
        let wire = Wire {
            rows: self.judged.len(),
            all: Tally::of(&self.judged).figures(),
            reached: (bar != Bar::default()).then(|| self.below(bar).is_empty()),
            by: self.groups(by).into_iter().map(|(name, tally)| (name, tally.figures())).collect(),
            listed: self.listed(listed).collect(),
            bad_lines: &self.bad,
        };
        serde_json::to_string_pretty(&wire)
    }

    fn listed(&self, listed: ListedRows) -> impl Iterator<Item = &ScoredRow> {
        self.judged.iter().filter(move |one| one.is_listed(listed))
    }

    fn groups(&self, by: ScoreGrouping) -> BTreeMap<&str, Tally> {
        let mut groups: BTreeMap<&str, Vec<&ScoredRow>> = BTreeMap::new();
        for one in &self.judged {
            let name = match by {
                ScoreGrouping::Category => one.category.as_str(),
                ScoreGrouping::Rule => one.said.rule.as_str(),
                ScoreGrouping::Set => one.id.split_once(':').map_or("", |(set, _)| set),
            };
            groups.entry(if name.is_empty() { "-" } else { name }).or_default().push(one);
        }
        groups.into_iter().map(|(name, rows)| (name, Tally::of(rows))).collect()
    }

    fn table(&self, by: ScoreGrouping) -> String {
        let groups = self.groups(by);
        if groups.len() < 2 {
            return String::new();
        }
        let mut text = format!("{:<28} {:>6} {:>9} {:>6} {:>6}\n", "", "block", "stopped", "allow", "alarms");
        for (name, tally) in groups {
            let Tally { expected_block, caught, expected_allow, alarms, .. } = tally;
            let name = line(name, 28);
            let _ =
                writeln!(text, "{name:<28} {expected_block:>6} {caught:>9} {expected_allow:>6} {alarms:>6}");
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(id: &str, expect: ExpectedAnswer, answer: Decision) -> ScoredRow {
        let rule = if answer == Decision::Silent { String::new() } else { "a_rule".into() };
        let said = HookAnswer { answer, rule, reason: "because".into() };
        ScoredRow {
            id: id.into(),
            category: format!("{expect:?}"),
            expect,
            kind: RowKind::Step,
            text: format!("run {id}\u{1b}[2J"),
            said,
        }
    }

    fn score() -> Score {
        let judged = vec![
            judged("b1", ExpectedAnswer::Block, Decision::Deny),
            judged("b2", ExpectedAnswer::Block, Decision::Ask),
            judged("b3", ExpectedAnswer::Block, Decision::Warn),
            judged("b4", ExpectedAnswer::Block, Decision::Silent),
            judged("a1", ExpectedAnswer::Allow, Decision::Silent),
            judged("a2", ExpectedAnswer::Allow, Decision::Rewrite),
            judged("a3", ExpectedAnswer::Allow, Decision::Ask),
            judged("a4", ExpectedAnswer::Allow, Decision::Silent),
        ];
        Score { judged, bad: Vec::new() }
    }

    #[test]
    fn only_what_stops_counts_as_stopped() {
        insta::assert_snapshot!(score().text(Bar::default(), ScoreGrouping::Category, ListedRows::All), @r"
        missed: b3 [Block]  run b3\u{1b}[2J
            warn a_rule: because
        missed: b4 [Block]  run b4\u{1b}[2J
        spoke: a2 [Allow]  run a2\u{1b}[2J
            rewrite a_rule: because
        false alarm: a3 [Allow]  run a3\u{1b}[2J
            ask a_rule: because

                                      block   stopped  allow alarms
        Allow                             0         0      4      1
        Block                             4         2      0      0

        rows          8
        recall        50.00 %  (2 of 4 stopped)
        false alarms  25.00 %  (1 of 4 interrupted)
        precision     66.67 %
        contexts      125 per 1,000  (1), rewrites 125 per 1,000  (1)
        ");
    }

    #[test]
    fn a_bar_that_could_not_be_measured_is_not_reached() {
        let bar = Bar { min_recall: Some(50.0), max_false_alarms: Some(25.0) };
        assert_eq!(score().below(bar), Vec::<String>::new());
        let stricter = Bar { min_recall: Some(50.1), max_false_alarms: Some(24.9) };
        assert_eq!(score().below(stricter).len(), 2);
        let empty = Score::default();
        assert_eq!(empty.below(bar).len(), 2);
        assert!(
            empty
                .text(bar, ScoreGrouping::Rule, ListedRows::All)
                .contains("not reached: recall - is below 50 %")
        );
    }

    #[test]
    fn the_json_carries_the_figures_and_the_rows_that_were_asked_for() {
        let score = score();
        let text = score.json(Bar::default(), ScoreGrouping::Rule, ListedRows::Misses).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&json["recall"], &json["false_alarm_rate"]), (&50.0.into(), &25.0.into()));
        assert_eq!(json["by"]["a_rule"]["caught"], 2);
        let ids: Vec<_> =
            json["listed"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["b3", "b4"]);
        assert_eq!(json["listed"][0]["answer"], "context");
    }
}
