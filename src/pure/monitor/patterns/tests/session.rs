//! A session to be played step by step.

use crate::pure::client::{Tool, ToolCall};
use crate::pure::monitor::patterns::{
    CallResult, Contract, Issue, IssueSeverity, Meter, MonitorRules, MonitoredCall, Refuse, SessionMonitor,
    Sign,
};
use crate::pure::policy::Patterns;
use crate::pure::step::{Action, Known, Nature, Place, Protected, survey};
use serde_json::json;
use serde_json::value::RawValue;

#[derive(Default)]
pub(crate) struct Session {
    pub watch: SessionMonitor,
    pub patterns: Patterns,
    pub expected: Vec<String>,
    pub forbidden: Vec<String>,
    pub agent: String,
    pub number: u64,
    /// Calls of one batch, until it is ended.
    pub in_batch: bool,
}

pub(crate) const PROJECT: &str = "/home/user/project";

impl Session {
    pub fn new() -> Self {
        let mut session = Self::default();
        session.watch.end_batch("");
        session
    }

    pub fn with(patterns: Patterns) -> Self {
        Self { patterns, ..Self::new() }
    }

    pub fn within(expected: &[&str], forbidden: &[&str]) -> Self {
        let owned = |patterns: &[&str]| patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        Self { expected: owned(expected), forbidden: owned(forbidden), ..Self::new() }
    }

    pub fn call(&mut self, tool: &str, input: &serde_json::Value, ended: CallResult<'_>) -> Vec<Issue> {
        let input = input.to_string();
        self.number += 1;
        let id = format!("call-{}", self.number);
        self.told(&id, tool, &input, ended)
    }

    pub fn told(&mut self, id: &str, tool: &str, input: &str, ended: CallResult<'_>) -> Vec<Issue> {
        let contract = Contract { expected: &self.expected, forbidden: &self.forbidden };
        let rules = MonitorRules { patterns: &self.patterns, contract, window_seconds: 60, project: PROJECT };
        let time = self.number * 1000;
        let meter = Meter::default();
        let step = MonitoredCall {
            id,
            agent: &self.agent,
            tool,
            input,
            nature: nature(tool, input),
            ended,
            time,
            meter,
        };
        let issues = self.watch.observe(&step, &rules);
        if !self.in_batch {
            self.watch.end_batch(&self.agent);
        }
        issues
    }

    pub fn bash(&mut self, command: &str, ended: CallResult<'_>) -> Vec<Issue> {
        self.call("Bash", &json!({ "command": command }), ended)
    }

    pub fn read(&mut self, path: &str) -> Vec<Issue> {
        self.call("Read", &json!({ "file_path": path }), CallResult::Succeeded(path))
    }

    pub fn edit(&mut self, path: &str, from: &str, to: &str) -> Vec<Issue> {
        let path = format!("{PROJECT}/{path}");
        self.call(
            "Edit",
            &json!({ "file_path": path, "old_string": from, "new_string": to }),
            CallResult::Succeeded("updated"),
        )
    }

    pub fn prompt(&mut self, text: &str) {
        self.watch.start_prompt(text, self.number * 1000);
    }

    pub fn end(&mut self, message: &str) -> Vec<Issue> {
        let contract = Contract { expected: &self.expected, forbidden: &self.forbidden };
        let rules = MonitorRules { patterns: &self.patterns, contract, window_seconds: 60, project: PROJECT };
        self.watch.end_turn(message, self.number * 1000, &rules)
    }
}

/// As the step review would say.
pub(crate) fn nature(tool: &str, input: &str) -> Nature {
    let Ok(raw) = RawValue::from_string(input.to_owned()) else { return Nature::System };
    let Some(parsed) = Tool::parse(&ToolCall { tool: tool.to_owned(), input: &raw, id: String::new() })
    else {
        return Nature::System;
    };
    let place = Place {
        project: PROJECT.into(),
        cwd: PROJECT.into(),
        home: "/home/user".into(),
        protected: Protected::default(),
    };
    survey(&Action::read(&parsed, input).with_name(tool), &place, &Known::default()).nature
}

/// How bad a sign was, if it was there.
pub(crate) fn severity(issues: &[Issue], sign: Sign) -> Option<IssueSeverity> {
    issues.iter().find(|issue| issue.sign == sign).map(|issue| issue.severity)
}

/// The signs of issues above `Note`, with their severities.
pub(crate) fn noticed(issues: &[Issue]) -> Vec<(Sign, IssueSeverity)> {
    let loud = issues.iter().filter(|issue| issue.severity > IssueSeverity::Note);
    loud.map(|issue| (issue.sign, issue.severity)).collect()
}

/// Whether a refusal means this call, where nobody declared a scope.
pub(crate) fn is_meant(refuse: Refuse, tool: &str, input: &str, nature: Nature) -> bool {
    let rules = MonitorRules {
        patterns: &Patterns::default(),
        contract: Contract::default(),
        window_seconds: 60,
        project: PROJECT,
    };
    SessionMonitor::is_refused(refuse, tool, input, nature, &rules)
}
