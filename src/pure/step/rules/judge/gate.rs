//! Content that leaves the machine, and ways around the git hook.

use super::Case;
use crate::pure::step::Decision;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::Addressed;
use crate::pure::step::known::Leaving;
use crate::pure::step::rule::RuleFinding;

pub(super) fn bypassing(case: &Case<'_>, how: &str) -> Option<RuleFinding> {
    let reason = format!(
        "{how}: that would bypass the ship gate of this repository. Run a review, then push normally"
    );
    (case.known.gated == Some(true)).then(|| case.finding(&rules::GATE_BYPASS, reason))
}

pub(super) fn possibly_bypassing(case: &Case<'_>, how: &str) -> Option<RuleFinding> {
    let reason = format!("{how}: that may bypass the ship gate of this repository. Is this intended?");
    let finding = || case.finding(&rules::GATE_BYPASS, reason).deciding(Decision::Ask);
    (case.known.gated == Some(true)).then(finding)
}

pub(super) fn leaving(case: &Case<'_>, what: &Leaving, alone: bool) -> Option<RuleFinding> {
    let gate = case.known.gate.get(what)?;
    if !gate.session_gated && !gate.gated {
        return None;
    }
    if !gate.gated || matches!(what.repository(), Addressed::Unknown) {
        let reason = "would send content from a repository that is not enrolled, while the session's repository is. \
                      Is this intended?";
        return Some(case.finding(&rules::PUSH_ELSEWHERE, reason));
    }
    let by_git_hook = matches!(what, Leaving::Push { .. } | Leaving::Branch { .. });
    match (alone, by_git_hook && gate.guarded) {
        // The rest of the command may change the content first; the git hook judges what really leaves.
        (false, true) => None,
        (false, false) => {
            let reason = "must be a command of its own, so that the ship gate can judge what would leave";
            Some(case.finding(&rules::PUSH_ALONE, reason))
        }
        (true, _) if gate.decision.is_open() => None,
        (true, _) => Some(case.finding(&rules::SHIP_GATE, gate.message.clone())),
    }
}
