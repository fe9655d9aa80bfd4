//! The answer to an action, from its effects and what is known about them.

use super::effect::{Addressed, Effect, Target};
use super::pattern::Pattern;
use super::place::Place;
use super::survey::{Known, Leaving};
use camino::Utf8Path;

/// How firm a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Holds under every configuration, paused or not.
    Floor,
    /// Holds wherever a repository is bound to the gate.
    Gate,
    /// Can be observed or paused.
    Step,
}

/// Why an action is refused or put before the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub level: Level,
    pub rule: &'static str,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    Silent,
    Ask(Refusal),
    Deny(Refusal),
}

/// Whether rules above the gate are enforced or only noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Enforce,
    /// Observing, paused or switched off.
    Observe,
}

/// The firmest answer that any effect calls for.
pub fn decide(effects: &[Effect], place: &Place, known: &Known, mode: Mode) -> Ruling {
    let mut ruling = Ruling::Silent;
    for effect in effects {
        let next = judge(effect, place, known);
        let enforced = match &next {
            Ruling::Ask(refusal) | Ruling::Deny(refusal) => {
                mode == Mode::Enforce || refusal.level < Level::Step
            }
            Ruling::Silent => false,
        };
        if enforced && weight(&next) > weight(&ruling) {
            ruling = next;
        }
    }
    ruling
}

fn weight(ruling: &Ruling) -> (u8, u8) {
    match ruling {
        Ruling::Silent => (0, 0),
        Ruling::Ask(refusal) => (1, 3 - refusal.level as u8),
        Ruling::Deny(refusal) => (2, 3 - refusal.level as u8),
    }
}

fn judge(effect: &Effect, place: &Place, known: &Known) -> Ruling {
    match effect {
        Effect::ForkBomb => {
            floor("fork-bomb", "starts itself without end and would take the machine down".into())
        }
        Effect::Format { device } => floor("format-device", format!("would format or wipe {device}")),
        Effect::Delete { target, recursive } => judge_removal(target, *recursive, place, known),
        Effect::Write { target, recursive } => judge_write(target, *recursive, place, known),
        Effect::Read { target } => match place.protected.secret(target) {
            Some(what) => floor("own-files", format!("would read {what}; only Plimsoll itself needs it")),
            None => Ruling::Silent,
        },
        Effect::Impersonate { how } => floor(
            "speaks-for-the-person",
            format!("{how}. Tell the user what you need; they can type it themselves"),
        ),
        Effect::Bypass { how } if known.gated == Some(true) => Ruling::Deny(Refusal {
            level: Level::Gate,
            rule: "gate-bypass",
            reason: format!(
                "{how}: that would go around the ship gate of this repository. Push plainly after a review"
            ),
        }),
        Effect::Bypass { .. } => Ruling::Silent,
        Effect::Leave { what, alone } => judge_leaving(what, *alone, known),
        Effect::Opaque { why } => Ruling::Ask(Refusal {
            level: Level::Step,
            rule: "opaque",
            reason: format!(
                "Plimsoll could not read this command ({why}). Split it or write it more plainly, or let the user decide"
            ),
        }),
    }
}

fn floor(rule: &'static str, reason: String) -> Ruling {
    Ruling::Deny(Refusal { level: Level::Floor, rule, reason })
}

fn judge_removal(target: &Target, recursive: bool, place: &Place, known: &Known) -> Ruling {
    if recursive && let Some(place) = foundation(target, place) {
        return floor(
            "system-or-home",
            format!("would delete {place} with everything in it. Name the exact files instead"),
        );
    }
    own_files(target, recursive, place, known)
}

fn judge_write(target: &Target, recursive: bool, place: &Place, known: &Known) -> Ruling {
    if target.is_device() {
        return floor(
            "device",
            format!("would write to the device {}", target.path().unwrap_or(Utf8Path::new("?"))),
        );
    }
    if recursive && let Some(place) = foundation(target, place) {
        return floor(
            "system-or-home",
            format!("would change {place} with everything in it. Name the exact files instead"),
        );
    }
    own_files(target, recursive, place, known)
}

/// The path as written and the path that links lead to are both looked at.
fn own_files(target: &Target, recursive: bool, place: &Place, known: &Known) -> Ruling {
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
        Target::Unknown => return Ruling::Silent,
    };
    match what {
        Some(what) => floor(
            "own-files",
            format!(
                "{name} belongs to {what}, which the agent may not change. If the user wants that, they can do it in a terminal"
            ),
        ),
        None => Ruling::Silent,
    }
}

/// How to call a target that is the root, a system directory, the home directory or one that holds it.
fn foundation<'a>(target: &'a Target, place: &'a Place) -> Option<&'a str> {
    const SYSTEM: [&str; 20] = [
        "/bin",
        "/boot",
        "/dev",
        "/etc",
        "/home",
        "/lib",
        "/lib64",
        "/opt",
        "/proc",
        "/root",
        "/sbin",
        "/srv",
        "/sys",
        "/usr",
        "/var",
        "/Users",
        "/System",
        "/Library",
        "/Applications",
        "/private",
    ];
    let mut all = place.home.ancestors().chain(SYSTEM.iter().map(Utf8Path::new));
    match target {
        Target::Path(path) | Target::Inside(path) => all.any(|one| path == one).then_some(path.as_str()),
        Target::Matching(pattern) => {
            let matcher = Pattern::new(pattern);
            all.find(|path| matcher.matches(path)).map(Utf8Path::as_str)
        }
        Target::Unknown => None,
    }
}

fn judge_leaving(what: &Leaving, alone: bool, known: &Known) -> Ruling {
    let gate = |rule, reason| Refusal { level: Level::Gate, rule, reason };
    let Some(word) = known.gate.get(what) else { return Ruling::Silent };
    if !word.session_gated && !word.gated {
        return Ruling::Silent;
    }
    if !word.gated || matches!(what.repository(), Addressed::Unknown) {
        return Ruling::Ask(gate(
            "push-elsewhere",
            "sends content from a repository that the ship gate does not watch, in a session that it does watch. Is that meant?".into(),
        ));
    }
    let by_git_hook = matches!(what, Leaving::Push { .. } | Leaving::Branch { .. });
    match (alone, by_git_hook && word.guarded) {
        // What leaves depends on what the rest of the command does first; the git hook sees what it came to.
        (false, true) => Ruling::Silent,
        (false, false) => Ruling::Deny(gate(
            "push-alone",
            "must be a command of its own, so that the ship gate can see what would leave".into(),
        )),
        (true, _) if word.verdict.is_open() => Ruling::Silent,
        (true, _) => Ruling::Deny(gate("ship-gate", word.words.clone())),
    }
}

impl Leaving {
    pub fn repository(&self) -> &Addressed {
        match self {
            Self::Push { repository, .. } | Self::Branch { repository } | Self::Content { repository } => {
                repository
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Protected;

    fn ruled(effects: &[Effect], mode: Mode) -> Ruling {
        let place = Place {
            project: "/p".into(),
            cwd: "/p".into(),
            home: "/h".into(),
            protected: Protected::default(),
        };
        decide(effects, &place, &Known { gated: Some(true), ..Known::default() }, mode)
    }

    #[test]
    fn observing_silences_the_step_rules_and_hides_nothing_firmer_behind_them() {
        let opaque = Effect::Opaque { why: "x".into() };
        let bypass = Effect::Bypass { how: "x".into() };
        assert!(matches!(ruled(std::slice::from_ref(&opaque), Mode::Enforce), Ruling::Ask(_)));
        assert_eq!(ruled(std::slice::from_ref(&opaque), Mode::Observe), Ruling::Silent);
        for effects in [[opaque.clone(), bypass.clone()], [bypass, opaque]] {
            assert!(
                matches!(ruled(&effects, Mode::Observe), Ruling::Deny(refusal) if refusal.level == Level::Gate)
            );
        }
        assert!(
            matches!(ruled(&[Effect::ForkBomb], Mode::Observe), Ruling::Deny(refusal) if refusal.level == Level::Floor)
        );
    }
}
