//! What git would throw away, here and on the remote.

use crate::step::catalogue as rules;
use crate::step::effect::{Addressed, Found, Losing, Loss, Rewrite};
use crate::step::known::Known;
use crate::step::rule::Finding;

pub fn discarding(
    found: &Found,
    losing: &Losing,
    how: &str,
    _gentler: Option<&Rewrite>,
    known: &Known,
) -> Option<Finding> {
    let what = match known.losses.get(losing)? {
        Loss::Nothing => return None,
        Loss::Matters(what) => format!("{how} would lose {what}"),
        Loss::Unknown(why) => format!("{how} may lose work: {why}"),
    };
    let finding = match losing {
        Losing::Changes { .. } | Losing::Untracked { .. } => rules::DISCARD_CHANGES
            .finding(format!("{what}. Save it first"), &found.span)
            .with_alternative("git stash push --include-untracked"),
        _ => rules::DISCARD_HISTORY.finding(what, &found.span),
    };
    Some(finding)
}

pub fn rewriting_remote(
    found: &Found,
    how: &str,
    branch: Option<&str>,
    _repository: &Addressed,
    _gentler: Option<&Rewrite>,
    _known: &Known,
) -> Option<Finding> {
    let branch = branch.map(|name| format!(" of {name}")).unwrap_or_default();
    let reason = format!("{how} replaces the remote's history{branch}, and with it what others pushed");
    Some(rules::REWRITE_REMOTE.finding(reason, &found.span))
}
