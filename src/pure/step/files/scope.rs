//! The declared scope: the files that the work may change.

use crate::pure::policy::ScopeContract;
use crate::pure::step::catalogue as rules;
use crate::pure::step::effect::{Effect, FoundEffect, Target};
use crate::pure::step::pattern::PathPattern;
use crate::pure::step::place::Place;
use crate::pure::step::rule::RuleFinding;
use crate::pure::step::zone::lies_below;
use camino::Utf8Path;

const TEMPORARY: [&str; 6] =
    ["/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders", "/dev/shm"];

/// The relation of a change to the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScopeRelation {
    Inside,
    /// Not among the expected paths; without a contract, outside the project.
    Outside,
    Forbidden,
    /// Only the shell will know.
    Unknown,
}

/// Whether the effect changes a file outside the declared scope, or without one outside the project.
pub(crate) fn is_outside(found: &FoundEffect, place: &Place, contract: &ScopeContract) -> bool {
    matches!(relation(found, place, contract), ScopeRelation::Outside | ScopeRelation::Forbidden)
}

/// A change of a forbidden file. Files that are merely unexpected are the session monitor's matter: it reports them after
/// the call and refuses when they become many.
pub(crate) fn finding(found: &FoundEffect, place: &Place, contract: &ScopeContract) -> Option<RuleFinding> {
    if contract.forbidden_paths.is_empty() {
        return None;
    }
    let name = changed(&found.effect).map(shown)?;
    let reason = match relation(found, place, contract) {
        ScopeRelation::Inside | ScopeRelation::Outside => return None,
        ScopeRelation::Forbidden => format!("{name} is forbidden by the declared scope of this work"),
        ScopeRelation::Unknown => {
            "changes files that only the shell will know, while the declared scope forbids some. Name the files"
                .into()
        }
    };
    Some(rules::OUT_OF_SCOPE.finding(reason, &found.span))
}

fn relation(found: &FoundEffect, place: &Place, contract: &ScopeContract) -> ScopeRelation {
    let Some(target) = changed(&found.effect) else { return ScopeRelation::Inside };
    let Some(path) = place_of(target) else { return ScopeRelation::Unknown };
    if is_nowhere(path) {
        return ScopeRelation::Inside;
    }
    let absolute = |pattern: &String| {
        let project = globset::escape(place.project.as_str());
        format!("{project}/{}", pattern.strip_prefix("./").unwrap_or(pattern))
    };
    let whole = !matches!(target, Target::Path(_)) || recursive(&found.effect);
    if contract.forbidden_paths.iter().map(absolute).any(|pattern| touches(&pattern, path, whole)) {
        return ScopeRelation::Forbidden;
    }
    if is_temporary(path) && !lies_below(path, place.project.as_str()) {
        return ScopeRelation::Inside;
    }
    let inside = match contract.expected_paths.as_slice() {
        [] => lies_below(path, place.project.as_str()),
        expected => expected.iter().map(absolute).any(|pattern| holds(&pattern, path, whole)),
    };
    if inside { ScopeRelation::Inside } else { ScopeRelation::Outside }
}

fn changed(effect: &Effect) -> Option<&Target> {
    match effect {
        Effect::Write { target, .. } | Effect::Delete { target, .. } => Some(target),
        _ => None,
    }
}

fn recursive(effect: &Effect) -> bool {
    matches!(effect, Effect::Write { recursive: true, .. } | Effect::Delete { recursive: true, .. })
}

/// The path, or the deepest directory that contains every hit file.
fn place_of(target: &Target) -> Option<&Utf8Path> {
    match target {
        Target::Path(path) | Target::Inside(path) | Target::Below(path) => Some(path),
        Target::Matching(pattern) => {
            let fixed = pattern.split(['*', '?', '[', '{', '\\']).next()?;
            Some(Utf8Path::new(fixed.rsplit_once('/')?.0))
        }
        Target::Unknown => None,
    }
}

/// Whether the pattern covers the path, and for a whole directory everything in it.
fn holds(pattern: &str, path: &Utf8Path, whole: bool) -> bool {
    let matcher = PathPattern::new(pattern);
    let below = path.join("x");
    if whole { matcher.matches(&below) && matcher.matches(&below.join("x")) } else { matcher.matches(path) }
}

/// Whether the pattern covers the path, something that lies in it, or something that it lies in.
fn touches(pattern: &str, path: &Utf8Path, whole: bool) -> bool {
    let matcher = PathPattern::new(pattern);
    let fixed = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default().trim_end_matches('/');
    path.ancestors().any(|path| matcher.matches(path))
        || (whole && (matcher.matches(&path.join("x")) || Utf8Path::new(fixed).starts_with(path)))
}

pub(crate) fn is_temporary(path: &Utf8Path) -> bool {
    TEMPORARY.iter().any(|temporary| lies_below(path, temporary))
}

fn is_nowhere(path: &Utf8Path) -> bool {
    matches!(path.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
        || lies_below(path, "/dev/fd")
}

fn shown(target: &Target) -> &str {
    match target {
        Target::Path(path) | Target::Inside(path) | Target::Below(path) => path.as_str(),
        Target::Matching(pattern) => pattern,
        Target::Unknown => "it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::sample;

    fn contract(expected: &[&str], forbidden: &[&str]) -> ScopeContract {
        let owned = |paths: &[&str]| paths.iter().map(ToString::to_string).collect();
        ScopeContract { expected_paths: owned(expected), forbidden_paths: owned(forbidden) }
    }

    fn delete(target: Target, recursive: bool) -> FoundEffect {
        FoundEffect {
            effect: Effect::Delete { target, recursive },
            span: 0..0,
            privileged: false,
            typed: true,
            inside: None,
        }
    }

    fn at(path: &str, contract: &ScopeContract) -> ScopeRelation {
        relation(&delete(Target::Path(path.into()), false), &sample::place(), contract)
    }

    #[test]
    fn without_a_contract_the_project_and_temporary_directories_are_the_scope() {
        let none = ScopeContract::default();
        assert_eq!(at("/home/user/project/a", &none), ScopeRelation::Inside);
        assert_eq!(at("/tmp/a", &none), ScopeRelation::Inside);
        assert_eq!(at("/outside/scope/file.txt", &none), ScopeRelation::Outside);
        let found = delete(Target::Path("/outside/scope/file.txt".into()), false);
        assert_eq!(finding(&found, &sample::place(), &none), None);
    }

    #[test]
    fn a_contract_expects_and_forbids() {
        let contract = contract(&["src/**"], &["src/generated/**"]);
        assert_eq!(at("/home/user/project/src/a.rs", &contract), ScopeRelation::Inside);
        assert_eq!(at("/home/user/project/docs/a.md", &contract), ScopeRelation::Outside);
        assert_eq!(at("/home/user/project/src/generated/a.rs", &contract), ScopeRelation::Forbidden);
        assert_eq!(at("/dev/null", &contract), ScopeRelation::Inside);
        let unknown = delete(Target::Unknown, false);
        assert!(finding(&unknown, &sample::place(), &contract).is_some());
    }

    #[test]
    fn a_directory_with_everything_in_it_is_judged_by_what_is_in_it() {
        let contract = contract(&["src/*", "lib/**"], &["lib/vendor/x/**"]);
        let whole =
            |path: &str| relation(&delete(Target::Path(path.into()), true), &sample::place(), &contract);
        assert_eq!(whole("/home/user/project/src"), ScopeRelation::Outside, "what is deeper is not expected");
        assert_eq!(whole("/home/user/project/lib/a"), ScopeRelation::Inside);
        assert_eq!(whole("/home/user/project/lib/vendor"), ScopeRelation::Forbidden);
        let pattern = delete(Target::Matching("/home/user/project/lib/*.o".into()), false);
        assert_eq!(relation(&pattern, &sample::place(), &contract), ScopeRelation::Forbidden);
    }
}
