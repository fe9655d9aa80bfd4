//! What git would throw away, here and on the remote.

use crate::step::catalogue as rules;
use crate::step::effect::{Addressed, Found, Ignored, Losing, Loss, Rewrite};
use crate::step::known::Known;
use crate::step::place::Place;
use crate::step::rule::{Course, Finding};
use crate::step::zone;

pub fn discarding(
    found: &Found,
    losing: &Losing,
    how: &str,
    gentler: Option<&Rewrite>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    if zone::disposable(losing, place) {
        return None;
    }
    let (what, certain) = match known.losses.get(losing) {
        Some(Loss::Nothing | Loss::Copies(_) | Loss::Unkept) => return None,
        Some(Loss::TooLarge(what)) => {
            (format!("{how} would lose {what}, which no checkpoint can hold"), false)
        }
        Some(Loss::Matters(what)) => (format!("{how} would lose {what}"), true),
        Some(Loss::Unknown(why)) => (format!("{how} may lose work: {why}"), false),
        None => (format!("{how} may lose work: nobody has looked"), false),
    };
    let finding = match losing {
        Losing::Changes { .. }
        | Losing::Named { .. }
        | Losing::Path { .. }
        | Losing::Untracked { ignored: Ignored::Spared, .. } => rules::DISCARD_CHANGES
            .finding(format!("{what}. Save it first: git stash push --include-untracked"), &found.span)
            .with_alternative("git stash push --include-untracked"),
        Losing::Untracked { ignored: Ignored::Too | Ignored::Only, .. } => rules::DISCARD_CHANGES
            .finding(format!("{what}. Move it away first, or spare it with --exclude"), &found.span),
        Losing::Branch { .. } if found.typed && gentler.is_some() => {
            let reason = format!("{what}; -d instead of -D deletes only what is merged");
            return Some(in_course(rules::DISCARD_HISTORY.finding(reason, &found.span), Course::Modify));
        }
        Losing::Worktree { .. } => rules::DISCARD_CHANGES.finding(
            format!("{what}. Commit or stash there first, then remove it without --force"),
            &found.span,
        ),
        Losing::Branch { .. }
        | Losing::Stash { .. }
        | Losing::History { .. }
        | Losing::Content(_)
        | Losing::Contents(_)
        | Losing::Merged { .. }
        | Losing::Inside(_)
        | Losing::Matching { .. } => rules::DISCARD_HISTORY.finding(what, &found.span),
    };
    Some(if certain { finding } else { in_course(finding, Course::Ask) })
}

pub fn rewriting_remote(
    found: &Found,
    how: &str,
    branch: Option<&str>,
    repository: &Addressed,
    gentler: Option<&Rewrite>,
    known: &Known,
) -> Option<Finding> {
    let current = || known.heads.get(repository).and_then(Option::as_deref).filter(|_| gentler.is_some());
    let branch = branch.or_else(current);
    if let Some(name) = branch.filter(|name| !is_shared(name))
        && found.typed
        && gentler.is_some()
    {
        let reason = format!(
            "{how} of {name} would also replace what somebody else pushed meanwhile; --force-with-lease does not"
        );
        return Some(in_course(rules::REWRITE_REMOTE.finding(reason, &found.span), Course::Modify));
    }
    let branch = branch.map(|name| format!(" of {name}")).unwrap_or_default();
    let reason =
        format!("{how} replaces or removes the remote's history{branch}, and with it what others pushed");
    Some(rules::REWRITE_REMOTE.finding(reason, &found.span))
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

fn in_course(finding: Finding, course: Course) -> Finding {
    Finding { course, ..finding }
}
