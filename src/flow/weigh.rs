//! One action, looked at until nothing is left to ask: for the hook, and for everybody who wants to know what it would say.

use super::door;
use super::serve::Failure;
use crate::flow::scene::{Scene, real_path};
use crate::hook::Tool;
use crate::repo::{Git, Head, Losses, Repo, alias, read_text};
use crate::step::{
    Action, Addressed, Decision, Effect, Found, Known, Mode, Place, Question, Survey, decide, survey,
};

/// A script that is longer is looked at as far as this.
const SCRIPT_LIMIT: u64 = 64 * 1024;
/// Aliases may lead to scripts and scripts to aliases; after this many rounds it is opaque.
const ROUNDS: usize = 3;

/// An action with everything that is known about it.
pub struct Weighed {
    pub survey: Survey,
    place: Place,
    known: Known,
}

pub fn weigh(scene: &Scene, cwd: &str, tool: &Tool, raw_input: &str) -> Result<Weighed, Failure> {
    let mut place = scene.place(cwd);
    let mut known = Known::default();
    let mut losses = Losses::new(&scene.project);
    let action = Action::read(tool, raw_input);
    let mut looked = survey(&action, &place, &known);
    for _ in 0..ROUNDS {
        if looked.questions.is_empty() {
            break;
        }
        for question in std::mem::take(&mut looked.questions) {
            answer(scene, &mut place, &mut known, &mut losses, question)?;
        }
        looked = survey(&action, &place, &known);
    }
    if !looked.questions.is_empty() {
        let why = "it leads through too many aliases and scripts".into();
        let effect = Effect::Opaque { why };
        looked.found.push(Found { effect, span: 0..raw_input.len(), privileged: false, typed: true });
    }
    // A way around the gate counts where the push goes from, whatever repository the session began in.
    if known.gate.values().any(|word| word.gated) {
        known.gated = Some(true);
    }
    Ok(Weighed { survey: looked, place, known })
}

impl Weighed {
    pub fn decide(&self, mode: Mode) -> Decision {
        decide(&self.survey, &self.place, &self.known, mode)
    }
}

fn answer(
    scene: &Scene,
    place: &mut Place,
    known: &mut Known,
    losses: &mut Losses,
    question: Question,
) -> Result<(), Failure> {
    match question {
        Question::Script(path) => {
            let text = read_text(&path, SCRIPT_LIMIT);
            known.scripts.insert(path, text);
        }
        Question::Alias(repository, name) => {
            let text = match &repository {
                Addressed::Directory(directory) => match Repo::discover(directory) {
                    Ok(Some(repo)) => alias(&Git::open(repo), &name)?,
                    Ok(None) | Err(_) => None,
                },
                Addressed::Unknown => None,
            };
            known.aliases.insert((repository, name), text);
        }
        Question::Real(path) => {
            let real = real_path(&path);
            scene.protect_around(&real, &mut place.protected);
            known.real.insert(path, real);
        }
        Question::Loss(losing) => {
            let loss = losses.of(&losing);
            known.losses.insert(losing, loss);
        }
        Question::Head(repository) => {
            let head = match &repository {
                Addressed::Directory(directory) => {
                    Repo::discover(directory).ok().flatten().map(|repo| repo.head())
                }
                Addressed::Unknown => None,
            };
            let branch = match head {
                Some(Head::Branch(name)) => Some(name),
                Some(Head::Detached(_) | Head::Unknown) | None => None,
            };
            known.heads.insert(repository, branch);
        }
        Question::Gated => {
            let bound = |scene: Scene| scene.enrolment().map(|enrolment| enrolment.is_some());
            let here = scene.of_directory(&place.cwd)?.map(bound).transpose()?;
            known.gated = Some(scene.enrolment()?.is_some() || here == Some(true));
        }
        Question::Gate(what) => {
            let word = door::word(scene, &what)?;
            known.gate.insert(what, word);
        }
    }
    Ok(())
}
