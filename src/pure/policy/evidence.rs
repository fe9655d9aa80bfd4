//! The settings that a review depends on: after a change of them, the loops have to run again.

use super::Settings;
use crate::pure::text::short_digest;

/// Hash of the settings that decide what runs. Timeouts and blocking rules are not part of it.
pub(crate) fn evidence_hash(settings: &Settings) -> String {
    let suites = (&settings.loop4.integration, &settings.loop4.e2e);
    let meaning = (&settings.loop1.checks, settings.loop2.model, &settings.loop3.command, suites);
    let text = serde_json::to_string(&meaning).unwrap_or_default();
    short_digest(text, 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::LoopNumber;

    #[test]
    fn what_blocks_changes_no_evidence_but_what_runs_does() {
        let before = evidence_hash(&Settings::default());
        let mut settings = Settings::default();
        settings.blocking.required_loops = vec![LoopNumber::One];
        settings.loop1.tier1_timeout = 1;
        settings.loop3.block_on_new_issues = true;
        settings.loop3.rate_limit_per_hour = 1;
        settings.loop4.timeout = 1;
        assert_eq!(evidence_hash(&settings), before);
        settings.loop1.checks.test = vec!["true".into()];
        assert_ne!(evidence_hash(&settings), before);
        let mut settings = Settings::default();
        settings.loop3.command = vec!["true".into()];
        assert_ne!(evidence_hash(&settings), before);
    }
}
