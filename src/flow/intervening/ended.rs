//! The end of a turn: what the agent says it did is held against what was seen.

use super::delivery::Delivery;
use super::{expected_paths, rules, watched};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Input};
use crate::state::Keeper;

/// How the files of a project end that has such a manifest.
const MANIFESTS: [(&str, &str); 10] = [
    ("Cargo.toml", "rs"),
    ("go.mod", "go"),
    ("pyproject.toml", "py"),
    ("setup.py", "py"),
    ("Gemfile", "rb"),
    ("mix.exs", "ex"),
    ("pom.xml", "java"),
    ("build.gradle", "java"),
    ("composer.json", "php"),
    ("package.json", "js"),
];

/// Asks for evidence where the last message claims what no run has shown. A turn is held up once.
pub fn claims(scene: &Scene, input: &Input<'_>, last_message: &str) -> Answer {
    watched(scene, |policy| {
        let now = clock::milliseconds();
        let mut keeper = Keeper::open(&scene.layout, &input.session_id)?;
        let manifest = MANIFESTS.iter().find(|(name, _)| scene.project.join(name).is_file());
        manifest.iter().for_each(|(_, ending)| keeper.standing.watch.speaks(ending));
        let expected = expected_paths(scene, input, policy)?;
        let issues = keeper.standing.watch.ended(last_message, now, &rules(scene, policy, &expected));
        let delivery = Delivery { scene, input, policy, expected: &expected, now };
        let answer = delivery.at_the_end(&mut keeper.standing, &issues)?;
        keeper.save()?;
        Ok(answer)
    })
}
