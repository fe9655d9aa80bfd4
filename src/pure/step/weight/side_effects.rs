//! Side effects: what a tool call changes, whether that is reversible, and how to mitigate it.

use super::processes::started;
use crate::pure::shell::Command;
use crate::pure::step::assessment::{Nature, SideEffect, SideEffectKind, SideEffectSeverity};
use crate::pure::step::effect::{Effect, FoundEffect, Losing, Loss, Target};
use crate::pure::step::known::Known;
use crate::pure::step::place::Place;
use crate::pure::step::survey::Survey;
use crate::pure::step::zone::{self, DeletionRisk, lies_below};

/// Enough for a person to read.
const SHOWN: usize = 16;

pub(crate) fn side_effects(
    commands: &[Command],
    survey: &Survey,
    place: &Place,
    known: &Known,
) -> Vec<SideEffect> {
    let mut all: Vec<SideEffect> = Vec::new();
    let found = survey.found.iter().filter_map(|found| side_effect(found, place, known));
    for effect in found.chain(started(commands)) {
        if !all.contains(&effect) {
            all.push(effect);
        }
        if all.len() == SHOWN {
            break;
        }
    }
    let by_program = match survey.nature {
        Nature::Network => Some((SideEffectKind::Network, "requests of the program to other machines")),
        Nature::System => Some((SideEffectKind::System, "unknown effects of the program")),
        Nature::Read | Nature::Creation | Nature::Modification | Nature::Deletion => None,
    };
    if let (true, Some((kind, target))) = (all.is_empty(), by_program) {
        all.push(SideEffect {
            kind,
            target: target.into(),
            reversible: true,
            severity: SideEffectSeverity::Medium,
            mitigation: None,
        });
    }
    all
}

/// The worst of them; low if there is none.
pub(crate) fn severity(effects: &[SideEffect]) -> SideEffectSeverity {
    effects.iter().map(|effect| effect.severity).max().unwrap_or(SideEffectSeverity::Low)
}

fn side_effect(found: &FoundEffect, place: &Place, known: &Known) -> Option<SideEffect> {
    use SideEffectKind::{File, Network, Resource, System};
    let lasting = |kind, target: &str, severity, mitigation: &str| {
        let mitigation = (!mitigation.is_empty()).then(|| mitigation.to_owned());
        Some(SideEffect { kind, target: target.into(), reversible: false, severity, mitigation })
    };
    match &found.effect {
        Effect::Delete { target, recursive } => {
            let standing = zone::deletion_risk(target, *recursive, place);
            (standing != DeletionRisk::Harmless)
                .then(|| loss(shown(target), standing.losing(), known, "commit it or move it away first"))
        }
        Effect::Discard { losing, how, .. } => {
            Some(loss(how.clone(), Some(losing), known, "commit or stash first"))
        }
        Effect::Write { target: Target::Path(path), .. } if lies_below(path, "/dev") => None,
        Effect::Write { target, .. } => Some(SideEffect {
            kind: File,
            target: shown(target),
            reversible: comes_back(target, place, known),
            severity: SideEffectSeverity::Medium,
            mitigation: None,
        }),
        Effect::SecretContent { target, .. } => {
            lasting(File, target.as_str(), SideEffectSeverity::High, "read the secret from the environment")
        }
        // The write that is recorded beside it counts.
        Effect::Replace { .. } | Effect::Merge { .. } => None,
        Effect::Read { .. }
        | Effect::Reveal { .. }
        | Effect::Later { .. }
        | Effect::Bypass { .. }
        | Effect::PossibleBypass { .. }
        | Effect::Impersonate { .. } => None,
        Effect::Format { device } => lasting(System, device, SideEffectSeverity::Critical, ""),
        Effect::ForkBomb => {
            lasting(Resource, "every process of the machine", SideEffectSeverity::Critical, "")
        }
        Effect::RewriteRemote { how, .. } => {
            lasting(Network, how, SideEffectSeverity::High, "push a new branch, or use --force-with-lease")
        }
        Effect::RunFetched { .. } => lasting(
            System,
            "code that nobody has read",
            SideEffectSeverity::High,
            "save it, read it, then run it",
        ),
        Effect::NetworkShell { how } => lasting(Network, how, SideEffectSeverity::Critical, ""),
        Effect::Send { what, to, .. } => {
            lasting(Network, &format!("{what} to {to}"), SideEffectSeverity::High, "")
        }
        Effect::Network { host } => Some(SideEffect {
            kind: Network,
            target: host.clone(),
            reversible: true,
            severity: SideEffectSeverity::Low,
            mitigation: None,
        }),
        Effect::Destroy { what } => lasting(System, what, SideEffectSeverity::High, "take a backup first"),
        Effect::Disrupt { what } | Effect::Expose { what } => {
            lasting(System, what, SideEffectSeverity::High, "")
        }
        Effect::Publish { what } => {
            lasting(Network, what, SideEffectSeverity::High, "try it with --dry-run first")
        }
        Effect::ForgeWrite { what } => {
            lasting(Network, what, SideEffectSeverity::Medium, "push a branch instead")
        }
        Effect::Leave { .. } => lasting(Network, "the pushed content", SideEffectSeverity::Medium, ""),
        Effect::Opaque { why } => {
            lasting(System, why, SideEffectSeverity::Medium, "write it in a simpler form")
        }
    }
}

fn loss(target: String, losing: Option<&Losing>, known: &Known, mitigation: &str) -> SideEffect {
    let (reversible, minor) = match losing.and_then(|losing| known.losses.get(losing)) {
        Some(Loss::Nothing | Loss::Copies(_)) => (true, true),
        Some(Loss::Unkept) => (false, true),
        Some(Loss::TooLarge(_) | Loss::Matters(_) | Loss::Unknown(_)) | None => (false, false),
    };
    SideEffect {
        kind: SideEffectKind::File,
        target,
        reversible,
        severity: if minor { SideEffectSeverity::Low } else { SideEffectSeverity::High },
        mitigation: (!reversible).then(|| mitigation.to_owned()),
    }
}

/// Whether git or a copy holds the overwritten content. A new file overwrites nothing.
fn comes_back(target: &Target, place: &Place, known: &Known) -> bool {
    let loss = target.path().and_then(|path| known.losses.get(&Losing::Content(path.to_owned())));
    match loss {
        Some(Loss::Nothing | Loss::Copies(_)) | None => {
            target.path().is_some_and(|path| lies_below(path, place.project.as_str()))
        }
        Some(Loss::Unkept | Loss::TooLarge(_) | Loss::Matters(_) | Loss::Unknown(_)) => false,
    }
}

fn shown(target: &Target) -> String {
    match target {
        Target::Path(path) => path.to_string(),
        Target::Inside(path) => format!("everything in {path}"),
        Target::Matching(pattern) => pattern.clone(),
        Target::Below(path) => format!("something below {path}"),
        Target::Unknown => "a target that only the shell will know".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::sample;

    fn of(effect: Effect, known: &Known) -> Vec<SideEffect> {
        let found = FoundEffect { effect, span: 0..0, privileged: false, typed: true, inside: None };
        side_effects(&[], &Survey { found: vec![found], ..Survey::default() }, &sample::place(), known)
    }

    fn deletion() -> Effect {
        Effect::Delete { target: Target::Path("/home/user/project/a".into()), recursive: false }
    }

    #[test]
    fn a_deletion_is_reversible_exactly_if_git_has_it() {
        let losing = Losing::Path { path: "/home/user/project/a".into(), recursive: false };
        let mut known = Known::default();
        known.losses.insert(losing.clone(), Loss::Nothing);
        let effects = of(deletion(), &known);
        assert!(effects.iter().all(|effect| effect.reversible));
        assert_eq!(severity(&effects), SideEffectSeverity::Low);
        known.losses.insert(losing, Loss::Matters("a".into()));
        let effects = of(deletion(), &known);
        assert!(effects.iter().all(|effect| !effect.reversible && effect.mitigation.is_some()));
        assert_eq!(severity(&effects), SideEffectSeverity::High);
    }

    #[test]
    fn files_systems_networks_and_resources_are_told_apart() {
        let kind = |effect| of(effect, &Known::default()).first().map(|effect| effect.kind);
        assert_eq!(kind(deletion()), Some(SideEffectKind::File));
        assert_eq!(kind(Effect::Destroy { what: "x".into() }), Some(SideEffectKind::System));
        assert_eq!(kind(Effect::Network { host: "x".into() }), Some(SideEffectKind::Network));
        assert_eq!(kind(Effect::ForkBomb), Some(SideEffectKind::Resource));
        let null = Effect::Write { target: Target::Path("/dev/null".into()), recursive: false };
        assert_eq!(kind(null), None);
    }

    #[test]
    fn a_thousand_effects_are_summed_up() {
        let one = |number| {
            let target = Target::Path(format!("/home/user/project/{number}").into());
            let effect = Effect::Write { target, recursive: false };
            FoundEffect { effect, span: 0..0, privileged: false, typed: true, inside: None }
        };
        let survey = Survey { found: (0..1_000).map(one).collect(), ..Survey::default() };
        assert_eq!(side_effects(&[], &survey, &sample::place(), &Known::default()).len(), SHOWN);
    }
}
