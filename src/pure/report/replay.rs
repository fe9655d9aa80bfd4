//! The decisions and interventions that finished sessions would have got.

use super::delivered_text::DeliveryRoute;
use super::hook_answer::{HookAnswer, line, per_thousand};
use super::replayed_interventions::{InterventionCounts, InterventionTotal, ReplayedIntervention};
use super::score::BadLine;
use crate::pure::step::Decision;
use crate::pure::text::counted;
use serde::Serialize;
use std::fmt::Write;

/// More malformed lines than this say nothing new.
const MOST_BAD: usize = 100;

#[derive(Debug, Clone, Default)]
pub struct Replay {
    pub sessions: Vec<ReplayedSession>,
    /// How many lines are none of a transcript, and the first of them.
    pub malformed: usize,
    pub bad: Vec<BadLine>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct ReplayedSession {
    pub name: String,
    #[serde(flatten)]
    pub counts: Counts,
    pub intervention_counts: InterventionCounts,
    /// Every call that the hook said something to.
    pub remarks: Vec<ReplayRemark>,
    pub interventions: Vec<ReplayedIntervention>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub calls: usize,
    pub asks: usize,
    pub denials: usize,
    pub contexts: usize,
    pub rewrites: usize,
    /// Calls whose input the transcript does not have; they were not judged.
    pub incomplete: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct ReplayRemark {
    /// Counted from 1 within the session.
    pub call: usize,
    pub tool: String,
    /// The command, or what else says most about the call; without secrets.
    pub text: String,
    #[serde(flatten)]
    pub said: HookAnswer,
}

/// Which remarks are listed one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedRemarks {
    /// Asks, denials and interventions.
    Interruptions,
    /// Contexts and rewrites too.
    All,
    None,
}

/// The replay as `--json` prints it. Fields are only ever added.
#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    total: Counts,
    interruptions_per_thousand: f64,
    contexts_per_thousand: f64,
    rewrites_per_thousand: f64,
    interventions: InterventionTotal,
    sessions: &'a [ReplayedSession],
    malformed: usize,
    bad_lines: &'a [BadLine],
}

impl ReplayedSession {
    /// Counts a call, and keeps its decision.
    pub fn record(&mut self, tool: &str, text: String, said: HookAnswer) {
        self.counts.calls += 1;
        match said.answer {
            Decision::Silent => return,
            Decision::Warn => self.counts.contexts += 1,
            Decision::Rewrite => self.counts.rewrites += 1,
            Decision::Ask => self.counts.asks += 1,
            Decision::Deny => self.counts.denials += 1,
        }
        self.remarks.push(ReplayRemark { call: self.counts.calls, tool: tool.to_owned(), text, said });
    }

    /// Counts an intervention, and keeps it.
    pub fn intervene(&mut self, intervened: ReplayedIntervention) {
        self.interventions.push(intervened);
        self.intervention_counts = InterventionCounts::of(&self.interventions);
    }

    fn text(&self, shown: ListedRemarks) -> String {
        let listed = |remark: &&ReplayRemark| match shown {
            ListedRemarks::Interruptions => remark.said.interrupts(),
            ListedRemarks::All => true,
            ListedRemarks::None => false,
        };
        let mut text = String::new();
        for ReplayRemark { call, tool, text: what, said } in self.remarks.iter().filter(listed) {
            let _ = writeln!(
                text,
                "{} #{call}  {}: {}\n    {} {}: {}",
                line(&self.name, 80),
                line(tool, 60),
                line(what, 160),
                said.answer.as_str(),
                line(&said.rule, 60),
                line(&said.reason, 300)
            );
        }
        // An asked or denied call is among the remarks already.
        let told = |intervened: &&ReplayedIntervention| {
            matches!(intervened.told.way, DeliveryRoute::Context | DeliveryRoute::Block)
        };
        if shown != ListedRemarks::None {
            let told = self.interventions.iter().filter(told);
            text.extend(told.map(|intervened| intervened.text(&self.name)));
        }
        text
    }
}

impl Counts {
    fn interruptions(&self) -> usize {
        self.asks + self.denials
    }
}

impl Replay {
    pub fn malformed(&mut self, file: &str, line: usize, problem: String) {
        self.malformed += 1;
        if self.bad.len() < MOST_BAD {
            self.bad.push(BadLine { file: file.to_owned(), line, problem });
        }
    }

    pub fn total(&self) -> Counts {
        self.sessions.iter().fold(Counts::default(), |total, session| Counts {
            calls: total.calls + session.counts.calls,
            asks: total.asks + session.counts.asks,
            denials: total.denials + session.counts.denials,
            contexts: total.contexts + session.counts.contexts,
            rewrites: total.rewrites + session.counts.rewrites,
            incomplete: total.incomplete + session.counts.incomplete,
        })
    }

    pub fn interventions(&self) -> InterventionTotal {
        InterventionTotal::of(self.sessions.iter().map(|session| &session.intervention_counts))
    }

    pub fn text(&self, shown: ListedRemarks) -> String {
        let mut text: String = self.sessions.iter().map(|session| session.text(shown)).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        let total = self.total();
        let interrupted = self.sessions.iter().filter(|session| session.counts.interruptions() > 0).count();
        let _ = writeln!(
            text,
            "sessions       {}, {interrupted} of them interrupted\ncalls          {}\n\
             interruptions  {} per 1,000  ({} asks, {} denials)\ncontexts       {} per 1,000  ({})\n\
             rewrites       {} per 1,000  ({})",
            self.sessions.len(),
            total.calls,
            per_thousand(total.interruptions(), total.calls),
            total.asks,
            total.denials,
            per_thousand(total.contexts, total.calls),
            total.contexts,
            per_thousand(total.rewrites, total.calls),
            total.rewrites,
        );
        text += &self.interventions().text();
        if total.incomplete > 0 {
            let calls = counted(total.incomplete, "call");
            let _ = writeln!(text, "incomplete     {calls} without input, not judged");
        }
        if let Some(first) = self.bad.first() {
            let _ = writeln!(
                text,
                "malformed      {}, the first {}:{}: {}",
                counted(self.malformed, "line"),
                line(&first.file, 100),
                first.line,
                line(&first.problem, 160)
            );
        }
        text
    }

    pub fn json(&self) -> serde_json::Result<String> {
        let total = self.total();
        serde_json::to_string_pretty(&Wire {
            total,
            interruptions_per_thousand: per_thousand(total.interruptions(), total.calls),
            contexts_per_thousand: per_thousand(total.contexts, total.calls),
            rewrites_per_thousand: per_thousand(total.rewrites, total.calls),
            interventions: self.interventions(),
            sessions: &self.sessions,
            malformed: self.malformed,
            bad_lines: &self.bad,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::report::DeliveredText;

    fn replay() -> Replay {
        let mut session = ReplayedSession { name: "monday".into(), ..ReplayedSession::default() };
        let said = |answer| HookAnswer { answer, rule: "a_rule".into(), reason: "because".into() };
        session.record("Bash", "ls".into(), HookAnswer::silent());
        session.record("Bash", "one\ntwo".into(), said(Decision::Ask));
        session.record("Write", "a.c".into(), said(Decision::Warn));
        session.record("Bash", "three".into(), said(Decision::Deny));
        session.counts.incomplete = 2;
        let told = |call, text: &str, way| {
            let told = DeliveredText::all_in(text, way).remove(0);
            ReplayedIntervention { call, tool: "Bash".into(), text: "make".into(), told }
        };
        let soft = "Plimsoll [soft_correction/repetitive_errors/no_progress]: again\nand again";
        session.intervene(told(2, soft, DeliveryRoute::Context));
        session.intervene(told(3, soft, DeliveryRoute::Context));
        session.intervene(told(
            4,
            "Plimsoll [checkpoint_rollback/repetitive_errors/no_progress]: because",
            DeliveryRoute::Deny,
        ));
        session.intervene(told(
            4,
            "Plimsoll [soft_correction/hallucination/unproven_claim]: run it",
            DeliveryRoute::Block,
        ));
        let quiet = ReplayedSession { name: "tuesday".into(), ..ReplayedSession::default() };
        let mut replay = Replay { sessions: vec![session, quiet], ..Replay::default() };
        replay.malformed("monday", 7, "not JSON".into());
        replay
    }

    #[test]
    fn interruptions_are_listed_and_everything_is_counted() {
        insta::assert_snapshot!(replay().text(ListedRemarks::Interruptions), @r"
        monday #2  Bash: one two
            ask a_rule: because
        monday #4  Bash: three
            deny a_rule: because
        monday #2  Bash: make
            told soft_correction/repetitive_errors/no_progress: again and again
        monday #3  Bash: make
            told soft_correction/repetitive_errors/no_progress: again and again
        monday #4  Bash: make
            held soft_correction/hallucination/unproven_claim: run it

        sessions       2, 1 of them interrupted
        calls          4
        interruptions  500 per 1,000  (1 asks, 1 denials)
        contexts       250 per 1,000  (1)
        rewrites       0 per 1,000  (0)
        soft corrections   in 1 of 2 sessions (50 %), 2 in all
        reinforcements     in 0 of 2 sessions (0 %), 0 in all
        throttlings        in 0 of 2 sessions (0 %), 0 in all
        rollbacks          in 0 of 2 sessions (0 %), 0 in all
        stops              in 0 of 2 sessions (0 %), 0 in all
        denied by patterns in 1 of 2 sessions (50 %), 1 in all
        asked by limits    in 0 of 2 sessions (0 %), 0 in all
        claims asked for   in 1 of 2 sessions (50 %), 1 in all
        incomplete     2 calls without input, not judged
        malformed      1 line, the first monday:7: not JSON
        ");
    }

    #[test]
    fn the_json_has_every_remark() {
        let json: serde_json::Value = serde_json::from_str(&replay().json().unwrap()).unwrap();
        assert_eq!((&json["calls"], &json["interruptions_per_thousand"]), (&4.into(), &500.0.into()));
        assert_eq!(json["sessions"][0]["remarks"][1]["answer"], "context");
        assert_eq!(json["bad_lines"][0]["line"], 7);
        let (total, first) = (&json["interventions"], &json["sessions"][0]["interventions"][0]);
        assert_eq!(
            (&total["soft_corrections"], &total["sessions_with"]["soft_corrections"]),
            (&2.into(), &1.into())
        );
        assert_eq!((&total["denied_by_patterns"], &total["sessions"]), (&1.into(), &2.into()));
        assert_eq!((&first["kind"], &first["way"]), (&"soft_correction".into(), &"context".into()));
        assert_eq!((&first["pattern"], &first["sign"]), (&"repetitive_errors".into(), &"no_progress".into()));
    }
}
