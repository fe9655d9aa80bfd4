//! One check of the doctor.

use serde::Serialize;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckState {
    Ok,
    Warn,
    Fail,
}

/// The result of one check, and the command or action that fixes a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    #[serde(rename = "standing")]
    pub(crate) state: CheckState,
    pub(crate) detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<String>,
}

impl Check {
    pub(crate) fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: CheckState::Ok, detail: detail.into(), fix: None }
    }

    pub(crate) fn warn(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: CheckState::Warn, detail: detail.into(), fix: Some(fix.into()) }
    }

    pub(crate) fn fail(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, state: CheckState::Fail, detail: detail.into(), fix: Some(fix.into()) }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.state {
            CheckState::Ok => "ok",
            CheckState::Warn => "warn",
            CheckState::Fail => "FAIL",
        };
        write!(formatter, "{word:<5} {:<14} {}", self.name, self.detail)?;
        match &self.fix {
            Some(fix) => write!(formatter, "\n{:20} fix: {fix}", ""),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_printed_with_its_fix() {
        let check = Check::fail("hooks", "stop is missing", "run install.sh");
        assert_eq!(
            check.to_string(),
            "FAIL  hooks          stop is missing\n                     fix: run install.sh"
        );
    }
}
