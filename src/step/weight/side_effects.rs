//! Side effects: what else an action changes, whether that can be undone, and how to soften it.

use crate::step::assess::{Nature, Severity, SideEffect, SideEffectKind};
use crate::step::effect::{Effect, Found, Losing, Loss, Target};
use crate::step::known::Known;
use crate::step::place::Place;
use crate::step::survey::Survey;
use crate::step::zone::{self, Standing, lies_below};

/// Enough for a person; a script with hundreds of effects is summed up by its worst.
const SHOWN: usize = 16;

pub fn side_effects(survey: &Survey, place: &Place, known: &Known) -> Vec<SideEffect> {
    let mut all: Vec<SideEffect> = Vec::new();
    for effect in survey.found.iter().filter_map(|found| side_effect(found, place, known)) {
        if !all.contains(&effect) {
            all.push(effect);
        }
        if all.len() == SHOWN {
            break;
        }
    }
    let by_program = match survey.nature {
        Nature::Network => Some((SideEffectKind::Network, "what the program asks other machines for")),
        Nature::System => Some((SideEffectKind::System, "what the program does, which is not known")),
        Nature::Read | Nature::Creation | Nature::Modification | Nature::Deletion => None,
    };
    if let (true, Some((kind, target))) = (all.is_empty(), by_program) {
        all.push(SideEffect {
            kind,
            target: target.into(),
            reversible: true,
            severity: Severity::Medium,
            mitigation: None,
        });
    }
    all
}

/// The worst of them; low if there is none.
pub fn severity(effects: &[SideEffect]) -> Severity {
    effects.iter().map(|effect| effect.severity).max().unwrap_or(Severity::Low)
}

fn side_effect(found: &Found, place: &Place, known: &Known) -> Option<SideEffect> {
    use SideEffectKind::{File, Network, Resource, System};
    let lasting = |kind, target: &str, severity, mitigation: &str| {
        let mitigation = (!mitigation.is_empty()).then(|| mitigation.to_owned());
        Some(SideEffect { kind, target: target.into(), reversible: false, severity, mitigation })
    };
    match &found.effect {
        Effect::Delete { target, recursive } => {
            let standing = zone::standing(target, *recursive, place);
            (standing != Standing::Harmless)
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
            severity: Severity::Medium,
            mitigation: None,
        }),
        Effect::SecretContent { target, .. } => {
            lasting(File, target.as_str(), Severity::High, "read the secret from the environment")
        }
        // The write beside it is told.
        Effect::Replace { .. } | Effect::Merge { .. } => None,
        Effect::Read { .. } | Effect::Later { .. } | Effect::Bypass { .. } | Effect::Impersonate { .. } => {
            None
        }
        Effect::Format { device } => lasting(System, device, Severity::Critical, ""),
        Effect::ForkBomb => lasting(Resource, "every process of the machine", Severity::Critical, ""),
        Effect::RewriteRemote { how, .. } => {
            lasting(Network, how, Severity::High, "push a new branch, or use --force-with-lease")
        }
        Effect::RunFetched { .. } => {
            lasting(System, "a program that nobody has read", Severity::High, "save it, read it, then run it")
        }
        Effect::NetworkShell { how } => lasting(Network, how, Severity::Critical, ""),
        Effect::Send { what, to } => lasting(Network, &format!("{what} to {to}"), Severity::High, ""),
        Effect::Network { host } => Some(SideEffect {
            kind: Network,
            target: host.clone(),
            reversible: true,
            severity: Severity::Low,
            mitigation: None,
        }),
        Effect::Destroy { what } => lasting(System, what, Severity::High, "take a backup first"),
        Effect::Disrupt { what } | Effect::Expose { what } => lasting(System, what, Severity::High, ""),
        Effect::Publish { what } => lasting(Network, what, Severity::High, "try it with --dry-run first"),
        Effect::ForgeWrite { what } => lasting(Network, what, Severity::Medium, "push a branch instead"),
        Effect::Leave { .. } => lasting(Network, "what the push sends", Severity::Medium, ""),
        Effect::Opaque { why } => lasting(System, why, Severity::Medium, "write it more plainly"),
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
        severity: if minor { Severity::Low } else { Severity::High },
        mitigation: (!reversible).then(|| mitigation.to_owned()),
    }
}

/// Whether what is overwritten is held by git or by a copy. A new file takes nothing away.
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
        Target::Unknown => "something that only the shell will know".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::sample;

    fn of(effect: Effect, known: &Known) -> Vec<SideEffect> {
        let found = Found { effect, span: 0..0, privileged: false, typed: true, inside: None };
        side_effects(&Survey { found: vec![found], ..Survey::default() }, &sample::place(), known)
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
        assert_eq!(severity(&effects), Severity::Low);
        known.losses.insert(losing, Loss::Matters("a".into()));
        let effects = of(deletion(), &known);
        assert!(effects.iter().all(|effect| !effect.reversible && effect.mitigation.is_some()));
        assert_eq!(severity(&effects), Severity::High);
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
            Found { effect, span: 0..0, privileged: false, typed: true, inside: None }
        };
        let survey = Survey { found: (0..1_000).map(one).collect(), ..Survey::default() };
        assert_eq!(side_effects(&survey, &sample::place(), &Known::default()).len(), SHOWN);
    }
}
