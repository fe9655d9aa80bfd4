//! Issues and situations for the tests of this room.

use super::history::InterventionHistory;
use super::incident::{Incident, IncidentFacts};
use super::kind::InterventionKind;
use super::limits::SessionLimits;
use super::situation::{CheckpointSummary, Situation};
use crate::pure::monitor::patterns::{
    AgentPlan, Details, Issue, IssueSeverity, Pattern, RecentCall, RecentResult, Sign, Spent, Usage,
};
use crate::pure::policy::Interventions;
use std::sync::LazyLock;

pub(crate) fn issue(pattern: Pattern, severity: IssueSeverity) -> Issue {
    let sign = match pattern {
        Pattern::RepetitiveErrors => Sign::NoProgress,
        Pattern::ScopeCreep => Sign::OutOfScope,
        Pattern::GoalDrift => Sign::OffGoal,
        Pattern::ResourceSpiral => Sign::CallBudget,
        Pattern::Hallucination => Sign::PhantomPath,
    };
    Issue {
        pattern,
        sign,
        severity,
        confidence: 1.0,
        impact: 0.0,
        cause: 7,
        description: "`cat /test/file.ex` gave the same error 3 times, with nothing changed in between."
            .into(),
        details: Details {
            tool: "Bash".into(),
            what: "cat /test/file.ex".into(),
            file_path: Some("/test/file.ex".into()),
            out_of_scope_path: Some("deploy/production.yaml".into()),
            error: Some("No such file or directory".into()),
            count: 3,
            ..Details::default()
        },
        events: vec!["toolu_1".into(), "toolu_2".into(), "toolu_3".into()],
        began: 1_700_000_000_000,
        refuse: None,
    }
}

pub(crate) static PLAN: LazyLock<AgentPlan> = LazyLock::new(|| AgentPlan {
    done: vec!["read the parser".into()],
    open: vec!["write the test".into(), "fix the bug".into()],
});

pub(crate) static USAGE: Usage = Usage {
    prompt: Spent {
        calls: 41,
        commands: 30,
        file_operations: 12,
        failures: 9,
        tokens: 123_456,
        seconds: 754,
    },
    session: Spent {
        calls: 80,
        commands: 50,
        file_operations: 22,
        failures: 11,
        tokens: 200_000,
        seconds: 1500,
    },
    memory_mb: 512,
};

pub(crate) static LIMITS: LazyLock<SessionLimits> =
    LazyLock::new(|| SessionLimits::of(&Interventions::default(), 50));

static EXPECTED: LazyLock<Vec<String>> = LazyLock::new(|| vec!["src/**".into(), "tests/**".into()]);
static FORBIDDEN: LazyLock<Vec<String>> = LazyLock::new(|| vec!["deploy/**".into()]);

pub(crate) fn situation() -> Situation<'static> {
    Situation {
        original_prompt: "fix the failing parser test",
        expected_paths: &EXPECTED,
        forbidden_paths: &FORBIDDEN,
        plan: &PLAN,
        usage: &USAGE,
        limits: &LIMITS,
        checkpoint: None,
        restore_command: None,
        rolled_back: false,
        incident: None,
        recover: "/recover",
    }
}

pub(crate) fn act(kind: InterventionKind, escalated: bool) -> super::InterventionChoice {
    super::InterventionChoice::Act { kind, escalated }
}

/// Everything that an incident is made from, to be changed before it is made.
pub(crate) struct SampleStop {
    pub issue: Issue,
    pub issues: Vec<Issue>,
    pub prompt: String,
    pub checkpoint: Option<CheckpointSummary>,
    pub restore_command: Option<String>,
    pub recent: Vec<RecentCall>,
    pub changed: Vec<String>,
    pub diff: String,
}

impl SampleStop {
    pub fn new() -> Self {
        Self {
            issue: issue(Pattern::RepetitiveErrors, IssueSeverity::Critical),
            issues: Vec::new(),
            prompt: "fix the failing parser test".into(),
            checkpoint: Some(CheckpointSummary {
                id: "c41f".into(),
                when: "2023-11-14T22:10:00Z".into(),
                files: 12,
            }),
            restore_command: Some("plimsoll checkpoint restore c41f".into()),
            recent: (1..=60).map(|number| action(number, RecentResult::Failed)).collect(),
            changed: vec!["src/parser.rs".into()],
            diff: "--- a/src/parser.rs\n+++ b/src/parser.rs\n@@ -1 +1 @@\n-a\n+b\n".into(),
        }
    }

    pub fn incident(&self) -> Incident {
        let mut history = InterventionHistory::default();
        history.record(&self.issue, InterventionKind::SoftCorrection, false, "", 1_700_000_002_500, 3);
        history.judge(std::slice::from_ref(&self.issue), "", 4);
        let situation = Situation {
            original_prompt: &self.prompt,
            checkpoint: self.checkpoint.clone(),
            restore_command: self.restore_command.clone(),
            ..situation()
        };
        Incident::new(&IncidentFacts {
            now: 1_700_000_090_000,
            session: "5f1c",
            agent: "",
            issue: &self.issue,
            issues: &self.issues,
            situation: &situation,
            history: &history,
            recent: &self.recent,
            changed_files: &self.changed,
            diff: &self.diff,
            settings: &std::collections::BTreeMap::new(),
            cleanup: &[],
        })
    }
}

pub(crate) fn action(number: u64, outcome: RecentResult) -> RecentCall {
    RecentCall {
        id: format!("toolu_{number}"),
        time: 1_700_000_000_000 + number * 1000,
        agent: String::new(),
        tool: "Bash".into(),
        what: format!("cat /test/file.ex # {number}").into(),
        outcome,
        error: (outcome == RecentResult::Failed).then(|| "No such file or directory".into()),
    }
}
