//! Work that git would discard, here and on the remote.

use super::Case;
use crate::pure::step::Decision;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Addressed, IgnoredFiles, Losing, Loss};
use crate::pure::step::rule::RuleFinding;
use crate::pure::step::zone;

/// `has_gentler`: git has an option that discards less.
pub(super) fn discarding(
    case: &Case<'_>,
    losing: &Losing,
    how: &str,
    has_gentler: bool,
) -> Option<RuleFinding> {
    if zone::disposable(losing, case.place) {
        return None;
    }
    let (what, certain) = match case.known.losses.get(losing) {
        Some(Loss::Nothing | Loss::Copies(_) | Loss::Unkept) => return None,
        Some(Loss::TooLarge(what)) => {
            (format!("{how} would lose {what}, which is too large for a checkpoint"), false)
        }
        Some(Loss::Matters(what)) => (format!("{how} would lose {what}"), true),
        Some(Loss::Unknown(why)) => (format!("{how} may lose work: {why}"), false),
        None => (format!("{how} may lose work: not checked"), false),
    };
    let finding = match losing {
        Losing::Changes { .. }
        | Losing::Named { .. }
        | Losing::Path { .. }
        | Losing::Untracked { ignored: IgnoredFiles::Spared, .. } => case
            .finding(
                &rules::DISCARD_CHANGES,
                format!("{what}. Save it first: git stash push --include-untracked"),
            )
            .with_alternative("git stash push --include-untracked"),
        Losing::Untracked { ignored: IgnoredFiles::Too | IgnoredFiles::Only, .. } => case.finding(
            &rules::DISCARD_CHANGES,
            format!("{what}. Move it away first, or keep it with --exclude"),
        ),
        Losing::Branch { .. } if case.found.typed && has_gentler => {
            let reason = format!("{what}; -d deletes only a merged branch");
            return Some(case.finding(&rules::DISCARD_HISTORY, reason).deciding(Decision::Rewrite));
        }
        Losing::Worktree { .. } => case.finding(
            &rules::DISCARD_CHANGES,
            format!("{what}. Commit or stash there first, then remove it without --force"),
        ),
        Losing::Branch { .. }
        | Losing::Stash { .. }
        | Losing::History { .. }
        | Losing::Content(_)
        | Losing::Contents(_)
        | Losing::Merged { .. }
        | Losing::Inside(_)
        | Losing::Matching { .. } => case.finding(&rules::DISCARD_HISTORY, what),
    };
    Some(if certain { finding } else { finding.deciding(Decision::Ask) })
}

pub(super) fn rewriting_remote(
    case: &Case<'_>,
    how: &str,
    branch: Option<&str>,
    repository: &Addressed,
    has_gentler: bool,
) -> RuleFinding {
    let current = || case.known.heads.get(repository).and_then(Option::as_deref).filter(|_| has_gentler);
    let branch = branch.or_else(current);
    if let Some(name) = branch.filter(|name| !is_shared(name))
        && case.found.typed
        && has_gentler
    {
        let reason =
            format!("{how} of {name} would also replace commits of others; --force-with-lease does not");
        return case.finding(&rules::REWRITE_REMOTE, reason).deciding(Decision::Rewrite);
    }
    let branch = branch.map(|name| format!(" of {name}")).unwrap_or_default();
    let reason =
        format!("{how} replaces or removes the remote's history{branch}, including commits of others");
    case.finding(&rules::REWRITE_REMOTE, reason)
}

/// Branches that several people work on, and tags, which nobody expects to move.
fn is_shared(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "main", "master", "trunk", "develop", "dev", "development", "default", "stable", "staging", "prod",
        "production", "gh-pages", "next",
    ];
    const BEGINNINGS: [&str; 4] = ["release", "hotfix", "refs/", "support/"];
    let is_version = |name: &str| {
        name.strip_prefix('v').is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
    };
    NAMES.contains(&name)
        || is_version(name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}
