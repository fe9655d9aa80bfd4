//! The change under review: its content, what it is compared with, and the policy that holds for it.

use super::candidate::Candidate;
use super::gate;
use super::serve::Failure;
use crate::config::load_with_base;
use crate::flow::scene::Scene;
use crate::policy::Settings;
use crate::repo::{Base, Git, Head, base};
use crate::review::{Pair, Scope, differing};

pub struct Change {
    pub git: Git,
    pub scope: Scope,
    /// The base as it was asked for; none leaves the choice to us.
    pub wished_base: Option<String>,
    pub base: Base,
    pub snapshot: Candidate,
    /// Every path that differs between base and snapshot.
    pub pairs: Vec<Pair>,
    pub settings: Settings,
    pub branch: Option<String>,
}

impl Change {
    pub fn of(scene: &Scene, scope: Scope, wished_base: Option<String>) -> Result<Self, Failure> {
        let repo = scene
            .repo
            .clone()
            .ok_or("there is no git repository here; a review belongs to content that git can name")?;
        let branch = match repo.head() {
            Head::Branch(branch) => Some(branch),
            Head::Detached(_) | Head::Unknown => None,
        };
        let git = Git::open(repo);
        let snapshot = Candidate::of(&git, &scope)?;
        let base = base(&git, wished_base.as_deref())?;
        let pairs = snapshot.pairs(base.tree.as_ref())?;
        let policy = gate::policy_at(&git, base.commit.as_ref())?;
        let settings = load_with_base(&scene.project, &scene.environment, policy.as_deref())?.settings;
        Ok(Self { git, scope, wished_base, base, snapshot, pairs, settings, branch })
    }

    /// Which files are other than when the review began; none if it is all the same.
    pub fn moved_on(&self) -> Result<Option<String>, Failure> {
        let now = self.snapshot.now(&self.scope.left_out)?;
        if now.tree == self.snapshot.tree {
            return Ok(None);
        }
        let base = base(&self.git, self.wished_base.as_deref()).ok().and_then(|base| base.tree);
        let names: Vec<String> =
            differing(&self.pairs, &now.pairs(base.as_ref())?).iter().map(ToString::to_string).collect();
        Ok(Some(names.join(", ")))
    }
}
