//! The change under review: its content, what it is compared with, and the policy that holds for it.

use crate::app::failure::{Failure, NoRepository};
use crate::app::gate::judge;
use crate::app::workspace::Workspace;
use crate::edge::config::load_with_base;
use crate::edge::repo::{
    self, Base, Git, Head, Snapshot, base, commit, committed_tree, staged_tree, worktree_tree,
};
use crate::pure::policy::Settings;
use crate::pure::review::{ObjectId, Pair, ReviewScope, ScopeKind, changed_paths};

pub struct Change {
    pub git: Git,
    pub scope: ReviewScope,
    /// The base as it was asked for; none leaves the choice to us.
    pub requested_base: Option<String>,
    pub base: Base,
    pub snapshot: Snapshot,
    /// Every path that differs between base and snapshot.
    pub pairs: Vec<Pair>,
    pub settings: Settings,
    pub branch: Option<String>,
    /// The commit whose history the reviewed content continues.
    pub head: Option<ObjectId>,
}

impl Change {
    pub fn of(
        workspace: &Workspace,
        scope: ReviewScope,
        requested_base: Option<String>,
    ) -> Result<Self, Failure> {
        let git = workspace.git()?.ok_or(NoRepository)?;
        let branch = match git.repo().head() {
            Head::Branch(branch) => Some(branch),
            Head::Detached(_) | Head::Unknown => None,
        };
        // Before the content: a commit that is made in between is not part of what is reviewed.
        let at = match &scope.kind {
            ScopeKind::All | ScopeKind::Staged => "HEAD",
            ScopeKind::Ref(revision) => revision,
        };
        let head = commit(&git, at).ok().map(|commit| commit.id);
        let snapshot = content(&git, &scope)?;
        let base = base(&git, requested_base.as_deref())?;
        let pairs = snapshot.pairs(base.tree.as_ref())?;
        let policy = judge::policy_at(workspace, &git, base.commit.as_ref())?;
        let settings =
            load_with_base(&workspace.project, &workspace.environment, policy.as_deref())?.settings;
        Ok(Self { git, scope, requested_base, base, snapshot, pairs, settings, branch, head })
    }

    /// Which files are other than when the review began; none if it is all the same.
    pub fn moved_on(&self) -> Result<Option<String>, Failure> {
        self.differs_from(&content(&self.git, &self.scope)?)
    }

    /// Names the files in which other content differs from what is reviewed.
    pub fn differs_from(&self, other: &Snapshot) -> Result<Option<String>, Failure> {
        if other.content == self.snapshot.content {
            return Ok(None);
        }
        let differing = changed_paths(&self.pairs, &other.pairs(self.base.tree.as_ref())?);
        Ok(Some(differing.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")))
    }
}

/// The content that a scope means.
fn content(git: &Git, scope: &ReviewScope) -> Result<Snapshot, Failure> {
    Ok(match &scope.kind {
        ScopeKind::All => {
            let whole = worktree_tree(git, &scope.left_out)?;
            refuse_doctored(git, &whole, scope)?;
            whole
        }
        ScopeKind::Staged => staged_tree(git)?,
        ScopeKind::Ref(revision) => committed_tree(git, revision)?,
    })
}

/// A file that is left out stays as HEAD has it in the tree, while the checks would see it as it is on disk: a changed
/// manifest could make them pass.
fn refuse_doctored(git: &Git, whole: &Snapshot, scope: &ReviewScope) -> Result<(), Failure> {
    if scope.left_out.is_empty() {
        return Ok(());
    }
    let head = commit(git, "HEAD").ok().map(|commit| commit.tree);
    let on_disk = match worktree_tree(git, &[]) {
        Err(repo::Error::NestedRepository { paths }) => worktree_tree(git, &paths)?,
        snapshot => snapshot?,
    };
    let reviewed = whole.pairs(head.as_ref())?;
    let seen = on_disk.pairs(head.as_ref())?;
    let doctored = seen.iter().find(|pair| pair.old.is_some() && !reviewed.contains(pair));
    match doctored {
        Some(pair) => Err(format!(
            "the checks would see the changes in {}, which is to be left out; stash or undo them first",
            pair.path
        )
        .into()),
        None => Ok(()),
    }
}
