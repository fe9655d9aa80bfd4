//! Deleting, writing and reading files: by their place, their owner, and whether git can restore them.

use super::Case;
use crate::pure::step::Decision;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Losing, Loss, Target};
use crate::pure::step::git_folder;
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::rule::{Rule, RuleFinding};
use crate::pure::step::sensitive::sensitive;
use crate::pure::step::zone::{self, DeletionRisk, Zone, system_or_home_directory};
use camino::Utf8Path;

pub(super) fn deletion(case: &Case<'_>, target: &Target, recursive: bool) -> Option<RuleFinding> {
    let protected = protected(case, target, recursive, "delete");
    if protected.is_some() {
        return protected;
    }
    let risk = zone::deletion_risk(target, recursive, case.place);
    let loss = match &risk {
        DeletionRisk::Harmless => return None,
        DeletionRisk::Outside => return Some(outside(case, target, recursive)),
        DeletionRisk::Anything => {
            let reason = format!(
                "would delete {} with everything in it; an empty variable would delete far more. Write the path out, or \
                 begin it with \"${{NAME:?}}\", which stops where the variable is empty",
                target.name()
            );
            return Some(case.finding(&rules::DELETE_OUTSIDE_PROJECT, reason));
        }
        DeletionRisk::Depends(losing) | DeletionRisk::OutsideUnless(losing) => case.known.losses.get(losing),
    };
    let (what, certain) = match loss {
        Some(Loss::Nothing | Loss::Copies(_) | Loss::Unkept) => return None,
        Some(Loss::TooLarge(what)) => return Some(too_large(case, what, loss_of(target, recursive))),
        Some(Loss::Matters(what)) => (format!("would lose {what}"), true),
        Some(Loss::Unknown(why)) => (format!("may lose files for good: {why}"), false),
        None => ("may lose files for good: not checked".into(), false),
    };
    Some(match risk {
        DeletionRisk::OutsideUnless(_) => match target.path().filter(|path| git_folder::part(path).is_some())
        {
            Some(path) => {
                let touched = sensitive(path, case.place).unwrap_or("a part of git's own files");
                let reason = format!("would delete {path}: {touched}. Is this intended?");
                case.finding(&rules::SENSITIVE_FILE, reason)
            }
            None => outside(case, target, recursive),
        },
        DeletionRisk::Depends(Losing::History { .. }) => {
            case.finding(&rules::DISCARD_HISTORY, format!("deleting {} {what}", target.name()))
        }
        _ => {
            let instead = if recursive { "Commit it or move it away first" } else { "Move it away first" };
            let reason = format!("{what}, which git could not restore. {instead}");
            let finding = case.finding(loss_of(target, recursive), reason);
            let sure = certain && !matches!(target, Target::Below(_));
            if sure { finding } else { finding.deciding(Decision::Ask) }
        }
    })
}

/// Overwriting matters only where no copy can be taken first: every other file is written all day long.
pub(super) fn overwriting(case: &Case<'_>, losing: &Losing) -> Option<RuleFinding> {
    match case.known.losses.get(losing) {
        Some(Loss::TooLarge(what)) => Some(too_large(case, what, &rules::LOSE_FILE)),
        _ => None,
    }
}

/// Only a person can know whether such a file is still needed.
fn too_large(case: &Case<'_>, what: &str, rule: &'static Rule) -> RuleFinding {
    let reason = format!(
        "would lose {what}: git does not hold it, and it is too large for a checkpoint. Is this intended?"
    );
    case.finding(rule, reason).deciding(Decision::Ask)
}

fn loss_of(target: &Target, recursive: bool) -> &'static Rule {
    match target {
        Target::Path(_) if !recursive => &rules::LOSE_FILE,
        _ => &rules::PREVENT_RECURSIVE_DELETION,
    }
}

fn outside(case: &Case<'_>, target: &Target, recursive: bool) -> RuleFinding {
    let all = if recursive { " with everything in it" } else { "" };
    let reason = format!("would delete {}{all}, outside the project. Is this intended?", target.name());
    case.finding(&rules::DELETE_OUTSIDE_PROJECT, reason)
}

pub(super) fn writing(case: &Case<'_>, target: &Target, recursive: bool) -> Option<RuleFinding> {
    if target.is_device() {
        return Some(case.finding(&rules::DEVICE, format!("would write to the device {}", target.name())));
    }
    let protected = protected(case, target, recursive, "change");
    if protected.is_some() {
        return protected;
    }
    let path = target.path()?;
    let lasts = || zone::zone(path, case.place) != Zone::Temporary;
    let part = git_folder::part(path).filter(|_| !recursive).map(|(_, part)| part);
    if part == Some(git_folder::GitFolderPart::History) && lasts() {
        let reason =
            format!("would overwrite {path}, a part of git's own records. Use a git command instead");
        return Some(case.finding(&rules::DISCARD_HISTORY, reason));
    }
    let what = sensitive(path, case.place).filter(|_| lasts())?;
    Some(case.finding(&rules::SENSITIVE_FILE, format!("would change {path}: {what}. Is this intended?")))
}

pub(super) fn reading(case: &Case<'_>, target: &Target) -> Option<RuleFinding> {
    let what = case.place.protected.secret(target)?;
    Some(case.finding(&rules::OWN_FILES, format!("would read {what}; only Plimsoll itself needs it")))
}

/// The floor: the root, the home directory and system directories as a whole, and Plimsoll's own files, both by the written path
/// and by the path that links lead to.
fn protected(case: &Case<'_>, target: &Target, recursive: bool, verb: &str) -> Option<RuleFinding> {
    if recursive && let Some(directory) = system_or_home_directory(target, case.place) {
        let reason = format!("would {verb} {directory} with everything in it. Name the exact files instead");
        return Some(case.finding(&rules::SYSTEM_OR_HOME, reason));
    }
    let (protected, gated) = (&case.place.protected, case.known.gated.unwrap_or(true));
    let touched = |path: &Utf8Path| match recursive {
        true => protected.touched_by_removal(path, gated),
        false => protected.touched_by_write(path, gated),
    };
    let (name, what) = match target {
        Target::Inside(path) if recursive => {
            (path.as_str(), protected.touched_by_removal_inside(path, gated))
        }
        Target::Path(path) | Target::Inside(path) => {
            let real = case.known.real.get(path.as_str()).map(|real| real.as_path());
            (path.as_str(), touched(path).or_else(|| real.and_then(touched)))
        }
        Target::Matching(pattern) => {
            (pattern.as_str(), protected.touched_by_pattern(&PathPattern::new(pattern), recursive, gated))
        }
        Target::Below(_) | Target::Unknown => return None,
    };
    let (name, what) = (shortened(name), what?);
    let path = target.path().filter(|_| recursive);
    let whole = path.filter(|path| protected.touched_by_write(path, gated).is_none());
    let reason = match whole {
        Some(path) if path.file_name() == Some(".git") => format!(
            "would {verb} {name}: every commit, branch and stash, and {what} with them. The user can do it in a terminal"
        ),
        Some(path) if case.place.project.starts_with(path) => format!(
            "would {verb} all of {name}, with git's history and {what}, which the agent may not change. Name the files \
             instead, without .git and .claude"
        ),
        Some(_) => {
            format!("{name} holds {what}, which the agent may not change. The user can do it in a terminal")
        }
        None => {
            format!(
                "{name} belongs to {what}, which the agent may not change. The user can do it in a terminal"
            )
        }
    };
    Some(case.finding(&rules::OWN_FILES, reason))
}

/// The end of a path that is too long for a message.
fn shortened(path: &str) -> &str {
    const LONGEST: usize = 80;
    let start = path.len().saturating_sub(LONGEST);
    path.char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= start)
        .and_then(|at| path.get(at..))
        .unwrap_or(path)
}
