//! What leaves, and what would get past the git hook.

use crate::step::catalogue as rules;
use crate::step::effect::Addressed;
use crate::step::known::{Known, Leaving};
use crate::step::rule::Finding;
use std::ops::Range;

pub fn bypassing(how: &str, span: &Range<usize>, known: &Known) -> Option<Finding> {
    let reason =
        format!("{how}: that would go around the ship gate of this repository. Push plainly after a review");
    (known.gated == Some(true)).then(|| rules::GATE_BYPASS.finding(reason, span))
}

pub fn leaving(what: &Leaving, alone: bool, span: &Range<usize>, known: &Known) -> Option<Finding> {
    let word = known.gate.get(what)?;
    if !word.session_gated && !word.gated {
        return None;
    }
    if !word.gated || matches!(what.repository(), Addressed::Unknown) {
        let reason = "sends content from a repository that the ship gate does not watch, in a session that it does watch. Is that meant?";
        return Some(rules::PUSH_ELSEWHERE.finding(reason, span));
    }
    let by_git_hook = matches!(what, Leaving::Push { .. } | Leaving::Branch { .. });
    match (alone, by_git_hook && word.guarded) {
        // What leaves depends on what the rest of the command does first; the git hook sees what it came to.
        (false, true) => None,
        (false, false) => {
            let reason = "must be a command of its own, so that the ship gate can see what would leave";
            Some(rules::PUSH_ALONE.finding(reason, span))
        }
        (true, _) if word.verdict.is_open() => None,
        (true, _) => Some(rules::SHIP_GATE.finding(word.words.clone(), span)),
    }
}
