//! The sentence about a finding, for the model, the dialog and the person: short, since each reads it in full.

use crate::pure::step::RuleFinding;
use crate::pure::text::cut;

/// The refusal: the command, the rule, the alternative.
const LONGEST: usize = 290;
/// A longer command is told by its rule's reason alone; half a command helps nobody.
const LONGEST_COMMAND: usize = 110;

/// `end` follows the reason and is never cut.
pub(crate) fn phrase(finding: &RuleFinding, end: &str) -> String {
    let head = format!("Plimsoll [{}]: ", finding.rule.as_str());
    let instead = finding.alternative.as_deref().filter(|command| !finding.reason.contains(command));
    let instead = instead.filter(|command| command.chars().count() <= LONGEST_COMMAND);
    let instead = instead.map(|command| format!(" Instead: `{command}`.")).unwrap_or_default();
    let tail = if end.is_empty() { instead } else { format!("{instead} {end}") };
    let room = LONGEST.saturating_sub(head.chars().count() + tail.chars().count());
    let reason = if tail.is_empty() { finding.reason.clone() } else { as_sentence(&finding.reason) };
    format!("{head}{}{tail}", cut(&reason, room))
}

/// The rewrite of a command, with the reason.
pub(crate) fn rewritten(finding: &RuleFinding, command: &str) -> String {
    let end = match command.chars().count() <= LONGEST_COMMAND {
        true => format!("It runs as `{command}` instead."),
        false => "It runs without that.".to_owned(),
    };
    phrase(&RuleFinding { alternative: None, ..finding.clone() }, &end)
}

fn as_sentence(reason: &str) -> String {
    if reason.ends_with(['.', '?', '!']) { reason.to_owned() } else { format!("{reason}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::{Decision, Level, rules::rule::RuleName};

    fn finding(reason: &str, alternative: Option<&str>) -> RuleFinding {
        RuleFinding {
            rule: RuleName::Builtin("some_rule"),
            level: Level::Step,
            decision: Decision::Deny,
            reason: reason.into(),
            alternative: alternative.map(str::to_owned),
            instead: None,
            span: 0..0,
        }
    }

    #[test]
    fn the_alternative_and_the_end_follow_the_reason() {
        let said = phrase(&finding("would lose a.txt", Some("git stash")), "The user may.");
        assert_eq!(said, "Plimsoll [some_rule]: would lose a.txt. Instead: `git stash`. The user may.");
        assert_eq!(
            phrase(&finding("run `git stash`", Some("git stash")), ""),
            "Plimsoll [some_rule]: run `git stash`"
        );
    }

    #[test]
    fn a_long_reason_is_cut_and_what_follows_it_is_not() {
        for end in ["", "To let it run once, the user types /plimsoll:allow 1a2b3c"] {
            let said = phrase(&finding(&"ö".repeat(500), Some("git stash")), end);
            assert_eq!(said.chars().count(), LONGEST);
            assert!(said.contains("Instead: `git stash`.") && said.ends_with(end), "{said}");
        }
        assert!(!phrase(&finding("x", Some(&"y".repeat(300))), "").contains("Instead"));
    }
}
