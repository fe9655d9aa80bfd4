//! Deleting, writing and reading files: by where they are, whose they are, and whether git could bring them back.

use crate::step::catalogue as rules;
use crate::step::effect::{Loss, Target};
use crate::step::known::Known;
use crate::step::pattern::Pattern;
use crate::step::place::Place;
use crate::step::rule::Finding;
use crate::step::zone;
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
    let losing = zone::losing(target, recursive, place)?;
    match known.losses.get(&losing)? {
        Loss::Nothing => None,
        Loss::Matters(what) => Some(rules::PREVENT_RECURSIVE_DELETION.finding(
            format!("would delete {what}, which git could not bring back. Commit or move it first"),
            span,
        )),
        Loss::Unknown(why) => Some(
            rules::PREVENT_RECURSIVE_DELETION
                .finding(format!("would delete what may not come back: {why}"), span),
        ),
    }
}

pub fn writing(
    target: &Target,
    recursive: bool,
    span: &Range<usize>,
    place: &Place,
    known: &Known,
) -> Option<Finding> {
    if target.is_device() {
        let device = target.path().unwrap_or(Utf8Path::new("?"));
        return Some(rules::DEVICE.finding(format!("would write to the device {device}"), span));
    }
    if recursive && let Some(place) = foundation(target, place) {
        let reason = format!("would change {place} with everything in it. Name the exact files instead");
        return Some(rules::SYSTEM_OR_HOME.finding(reason, span));
    }
    own_files(target, recursive, span, place, known)
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
            let real = known.real.get(path).map(|real| real.as_path());
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

/// How to call a target that is the root, a system directory, the home directory or one that holds it.
fn foundation<'a>(target: &'a Target, place: &'a Place) -> Option<&'a str> {
    let mut all = place.home.ancestors().chain(zone::SYSTEM.iter().map(Utf8Path::new));
    match target {
        Target::Path(path) | Target::Inside(path) => all.any(|one| path == one).then_some(path.as_str()),
        Target::Matching(pattern) => {
            let matcher = Pattern::new(pattern);
            all.find(|path| matcher.matches(path)).map(Utf8Path::as_str)
        }
        Target::Below(_) | Target::Unknown => None,
    }
}
