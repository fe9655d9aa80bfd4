//! The results of a survey: effects, each with its origin and under every name of its file, and the questions they raise.

use super::Surveyor;
use crate::pure::step::effect::{Effect, FoundEffect, Losing, Target};
use crate::pure::step::known::Question;
use crate::pure::step::secret_file::by_content;
use crate::pure::step::text_map::TextSet;
use crate::pure::step::zone::{self, DeletionRisk, lies_below};
use camino::Utf8Path;
use std::ops::Range;

/// At most so many earlier names of a file are followed.
const MOST_NAMES: usize = 32;

/// Where effects come from that are found next.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    pub(super) span: Range<usize>,
    pub(super) privileged: bool,
    pub(super) typed: bool,
    pub(super) inside: Option<String>,
}

impl Origin {
    pub(super) fn of_whole(span: Range<usize>) -> Self {
        Self { span, privileged: false, typed: true, inside: None }
    }

    /// Whether `found` is the same effect with the same origin, apart from the span.
    fn is_repeat(&self, found: &FoundEffect, effect: &Effect) -> bool {
        (found.privileged, found.typed) == (self.privileged, self.typed)
            && found.effect == *effect
            && found.inside == self.inside
    }
}

impl Surveyor<'_> {
    /// Records an effect, and the same effect on files that earlier commands moved there.
    pub(in crate::pure::step) fn effect(&mut self, effect: Effect) {
        let earlier = self.under_earlier_names(&effect);
        earlier.into_iter().chain([effect]).for_each(|effect| self.record(effect));
    }

    /// Records one effect and asks the questions that its rule needs.
    fn record(&mut self, effect: Effect) {
        // An unrolled loop repeats the same effect.
        if self.survey.found.iter().rev().take(4).any(|found| self.origin.is_repeat(found, &effect)) {
            return;
        }
        if let Effect::Delete { target, recursive } = &effect
            && let DeletionRisk::Depends(losing) | DeletionRisk::OutsideUnless(losing) =
                zone::deletion_risk(target, *recursive, self.place)
        {
            self.ask_loss(losing);
        }
        match &effect {
            Effect::Read { target } | Effect::Reveal { file: Some(target), .. } => {
                let named = matches!(effect, Effect::Reveal { .. }).then(|| target.path()).flatten();
                let path = named.or_else(|| by_content(target, self.place));
                if let Some(path) = path.filter(|path| !self.known.scripts.contains_key(path.as_str())) {
                    self.ask(Question::Script(path.to_owned()));
                }
            }
            Effect::Write { target: Target::Path(path), .. }
            | Effect::Delete { target: Target::Path(path), .. } => {
                match self.known.real.get(path.as_str()) {
                    None => self.ask(Question::Real(path.clone())),
                    Some(real) if self.place.protected.depends_on_gate(real) => self.ask_gated(),
                    Some(_) => {}
                }
                if self.place.protected.depends_on_gate(path) {
                    self.ask_gated();
                }
            }
            Effect::Discard { losing, .. } if !zone::disposable(losing, self.place) => {
                self.ask_loss(losing.clone())
            }
            // Files in /dev hold no work; every other path may lead into the project.
            Effect::Replace { target } if target.path().is_some_and(|path| lies_below(path, "/dev")) => {
                return;
            }
            Effect::Replace { .. } | Effect::Merge { .. } => {
                if let Some(losing) = Losing::by_overwriting(&effect) {
                    self.ask_loss(losing);
                }
            }
            Effect::RewriteRemote { branch: None, repository, gentler: Some(_), .. }
                if !self.known.heads.contains_key(repository) =>
            {
                self.ask(Question::Head(repository.clone()));
            }
            Effect::Bypass { .. } | Effect::PossibleBypass { .. } => self.ask_gated(),
            Effect::Leave { what, .. } if !self.known.gate.contains_key(what) => {
                self.ask(Question::Gate(what.clone()))
            }
            _ => {}
        }
        let Origin { span, privileged, typed, inside } = self.origin.clone();
        self.survey.found.push(FoundEffect { effect, span, privileged, typed, inside });
    }

    /// The same effect on the present paths of files that an earlier command moves or links to the target.
    fn under_earlier_names(&self, effect: &Effect) -> Vec<Effect> {
        let target = match effect {
            Effect::Delete { target, .. } | Effect::Replace { target } | Effect::Write { target, .. }
                if !self.survey.renamed.is_empty() =>
            {
                target
            }
            _ => return Vec::new(),
        };
        let mut names = vec![target.clone()];
        for (from, to) in self.survey.renamed.iter().rev().take(MOST_NAMES) {
            let before: Vec<Target> = names.iter().filter_map(|name| name.moved(to, from)).collect();
            names.extend(before.into_iter().take(MOST_NAMES.saturating_sub(names.len())));
        }
        let same = |target| match effect {
            Effect::Delete { recursive, .. } => Effect::Delete { target, recursive: *recursive },
            Effect::Write { recursive, .. } => Effect::Write { target, recursive: *recursive },
            _ => Effect::Replace { target },
        };
        names.into_iter().skip(1).map(same).collect()
    }

    fn ask_loss(&mut self, losing: Losing) {
        if !self.known.losses.contains_key(&losing) {
            self.ask(Question::Loss(losing));
        }
    }

    pub(in crate::pure::step) fn ask_gated(&mut self) {
        if self.known.gated.is_none() {
            self.ask(Question::Gated);
        }
    }

    pub(in crate::pure::step) fn ask(&mut self, question: Question) {
        let is_new = match &question {
            Question::Real(path) => is_new(&mut self.asked_paths, path),
            Question::Script(path) => is_new(&mut self.asked_scripts, path),
            other => self.asked.insert(other.clone()),
        };
        if is_new {
            self.survey.questions.push(question);
        }
    }
}

/// Copies the path only if it is new.
fn is_new(asked: &mut TextSet, path: &Utf8Path) -> bool {
    !asked.contains(path.as_str()) && asked.insert(path.as_str().to_owned())
}
