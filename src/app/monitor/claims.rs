//! The end of a turn: what the agent says it did is held against what was seen.

use super::delivery::InterventionDelivery;
use super::{expected_paths, if_enabled, rules};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::Keeper;
use crate::pure::client::{Answer, Input};

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
pub(crate) fn claims(workspace: &Workspace, input: &Input<'_>, last_message: &str) -> Answer {
    if_enabled(workspace, |policy| {
        let now = clock::milliseconds();
        let mut keeper = Keeper::open(&workspace.layout, &input.session_id)?;
        let manifest = MANIFESTS.iter().find(|(name, _)| workspace.project.join(name).is_file());
        manifest.iter().for_each(|(_, ending)| keeper.standing.watch.set_language(ending));
        let expected = expected_paths(workspace, input, policy)?;
        let issues = keeper.standing.watch.end_turn(last_message, now, &rules(workspace, policy, &expected));
        let delivery = InterventionDelivery { workspace, input, policy, expected: &expected, now };
        let answer = delivery.at_the_end(&mut keeper.standing, &issues)?;
        keeper.save()?;
        Ok(answer)
    })
}
