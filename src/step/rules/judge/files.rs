//! Deleting, writing and reading files: by where they are, whose they are, and whether git could bring them back.

use crate::step::catalogue as rules;
use crate::step::effect::{Losing, Loss, Target};
use crate::step::git_folder;
use crate::step::known::Known;
use crate::step::pattern::Pattern;
use crate::step::place::Place;
use crate::step::rule::{Course, Finding};
use crate::step::sensitive::sensitive;
use crate::step::zone::{self, Standing, Zone, foundation};
use camino::Utf8Path;
use std::ops::Range;

pub fn deletion(
    target: &Target,
    recursive: bool,
    span: &Range<usize>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    if recursive && let Some(place) = foundation(target, place) {
        let reason = format!("would delete {place} with everything in it. Name the exact files instead");
        return Some(rules::SYSTEM_OR_HOME.finding(reason, span));
    }
    if let Some(finding) = own_files(target, recursive, span, place, known) {
        return Some(finding);
    }
    let standing = zone::standing(target, recursive, place);
    let loss = match &standing {
        Standing::Harmless => return None,
        Standing::Outside => return Some(outside(target, recursive, span)),
        Standing::Anything => {
            let reason = format!(
                "would delete {} with everything in it; an empty variable would make that far more than meant. \
                 Write the path out",
                target.name()
            );
            return Some(rules::DELETE_OUTSIDE_PROJECT.finding(reason, span));
        }
        Standing::Depends(losing) | Standing::OutsideUnless(losing) => known.losses.get(losing),
    };
    let (what, certain) = match loss {
        Some(Loss::Nothing | Loss::Copies(_) | Loss::Unkept) => return None,
        Some(Loss::TooLarge(what)) => return Some(too_large(what, span)),
        Some(Loss::Matters(what)) => (format!("would lose {what}"), true),
        Some(Loss::Unknown(why)) => (format!("may lose what does not come back: {why}"), false),
        None => ("may lose what does not come back: nobody has looked".into(), false),
    };
    Some(match standing {
        Standing::OutsideUnless(_) => match target.path().filter(|path| git_folder::part(path).is_some()) {
            Some(path) => {
                let touched = sensitive(path, place).unwrap_or("a part of git's own files");
                rules::SENSITIVE_FILE.finding(format!("would delete {path}: {touched}. Is that meant?"), span)
            }
            None => outside(target, recursive, span),
        },
        Standing::Depends(Losing::History { .. }) => {
            rules::DISCARD_HISTORY.finding(format!("deleting {} {what}", target.name()), span)
        }
        _ => {
            let instead = if recursive { "Commit it or move it away first" } else { "Move it away first" };
            let reason = format!("{what}, which git could not bring back. {instead}");
            let finding = rules::PREVENT_RECURSIVE_DELETION.finding(reason, span);
            let sure = certain && !matches!(target, Target::Below(_));
            if sure { finding } else { Finding { course: Course::Ask, ..finding } }
        }
    })
}

/// Overwriting is asked about only where no copy can be taken first: every other file is written all day long.
pub fn overwriting(losing: Option<&Losing>, span: &Range<usize>, known: &Known) -> Option<Finding> {
    let Some(Loss::TooLarge(what)) = losing.and_then(|losing| known.losses.get(losing)) else { return None };
    Some(too_large(what, span))
}

/// Only a person can know whether it is still wanted.
fn too_large(what: &str, span: &Range<usize>) -> Finding {
    let reason = format!("would lose {what}: git does not hold it, and no checkpoint can. Is that meant?");
    Finding { course: Course::Ask, ..rules::PREVENT_RECURSIVE_DELETION.finding(reason, span) }
}

fn outside(target: &Target, recursive: bool, span: &Range<usize>) -> Finding {
    let all = if recursive { " with everything in it" } else { "" };
    let reason =
        format!("would delete {}{all}, which lies outside the project. Is that meant?", target.name());
    rules::DELETE_OUTSIDE_PROJECT.finding(reason, span)
}

pub fn writing(
    target: &Target,
    recursive: bool,
    span: &Range<usize>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    if target.is_device() {
        return Some(rules::DEVICE.finding(format!("would write to the device {}", target.name()), span));
    }
    if recursive && let Some(place) = foundation(target, place) {
        let reason = format!("would change {place} with everything in it. Name the exact files instead");
        return Some(rules::SYSTEM_OR_HOME.finding(reason, span));
    }
    if let Some(finding) = own_files(target, recursive, span, place, known) {
        return Some(finding);
    }
    let path = target.path()?;
    if let Some((_, git_folder::Part::History)) = git_folder::part(path).filter(|_| !recursive)
        && zone::zone(path, place) != Zone::Temporary
    {
        let reason =
            format!("would overwrite {path}, a part of git's own records. Use a git command for that");
        return Some(rules::DISCARD_HISTORY.finding(reason, span));
    }
    let what = sensitive(path, place).filter(|_| zone::zone(path, place) != Zone::Temporary)?;
    Some(rules::SENSITIVE_FILE.finding(format!("would change {path}: {what}. Is that meant?"), span))
}

pub fn reading(target: &Target, span: &Range<usize>, place: &Place) -> Option<Finding> {
    let what = place.protected.secret(target)?;
    Some(rules::OWN_FILES.finding(format!("would read {what}; only Plimsoll itself needs it"), span))
}

/// The path as written and the path that links lead to are both looked at.
fn own_files(
    target: &Target,
    recursive: bool,
    span: &Range<usize>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    let gated = known.gated.unwrap_or(true);
    let touched = |path: &Utf8Path| match recursive {
        true => place.protected.touched_by_removal(path, gated),
        false => place.protected.touched_by_write(path, gated),
    };
    let (name, what) = match target {
        Target::Path(path) | Target::Inside(path) => {
            let real = known.real.get(path.as_str()).map(|real| real.as_path());
            (path.as_str(), touched(path).or_else(|| real.and_then(touched)))
        }
        Target::Matching(pattern) => {
            let what = place.protected.touched_by_pattern(&Pattern::new(pattern), recursive, gated);
            (pattern.as_str(), what)
        }
        Target::Below(_) | Target::Unknown => return None,
    };
    let reason = format!(
        "{name} belongs to {}, which the agent may not change. If the user wants that, they can do it in a terminal",
        what?
    );
    Some(rules::OWN_FILES.finding(reason, span))
}
